"""Every keyword is accounted for: in the mask, checked, an annotation, or refused with its place."""

from __future__ import annotations

import pytest

from checkrail.errors import BudgetError, Error
from checkrail.json_schema import json_schema_to_grammar
from checkrail.limits import Limits


def columns(schema, **options):
    grammar = json_schema_to_grammar(schema, profile="open", **options)
    assert grammar.contract == "context-free"
    return {(entry.pointer, entry.keyword): entry.column for entry in grammar.coverage}


def test_keywords_go_into_their_columns():
    schema = {
        "title": "t",
        "type": "object",
        "requred": ["a"],
        "x-note": 1,
        "properties": {
            "a": {"type": "string", "format": "email", "minimum": 3},
            "b": {"type": "number", "minimum": 3, "multipleOf": 0.5},
            "c": {"format": "no such", "then": {}, "minContains": 2},
        },
        "required": ["a"],
        "$defs": {"unused": {"$ref": "https://example.com/remote"}},
    }
    found = columns(schema)
    assert found["", "properties"] == found["", "required"] == found["", "type"] == "mask"
    assert found["", "title"] == found["", "requred"] == found["", "x-note"] == found["", "$defs"] == "annotation"
    assert found["/properties/a", "format"] == "checked"
    assert found["/properties/a", "minimum"] == "annotation"
    assert found["/properties/b", "minimum"] == found["/properties/b", "multipleOf"] == "mask"
    assert {found["/properties/c", k] for k in ("format", "then", "minContains")} == {"annotation"}


def test_a_misspelt_keyword_is_noted_with_a_guess():
    grammar = json_schema_to_grammar({"requred": ["a"]}, profile="open")
    assert any("did you mean `required`" in entry.note for entry in grammar.coverage)


def test_old_drafts_mean_what_they_said(opened):
    four = {"$schema": "http://json-schema.org/draft-04/schema#"}
    assert opened({**four, "const": 1})("2")
    accepts = opened({**four, "type": "integer", "minimum": 1, "exclusiveMinimum": True})
    assert not accepts("1")
    assert accepts("2")
    hidden = {**four, "definitions": {"s": {"type": "string"}}, "$ref": "#/definitions/s", "maxLength": 1}
    assert opened(hidden)('"abc"')
    beside = {"$defs": {"s": {"type": "string"}}, "$ref": "#/$defs/s", "maxLength": 1}
    assert not opened(beside)('"abc"')


def test_references_by_anchor_id_and_pointer(opened):
    schema = {
        "$id": "https://example.com/root",
        "prefixItems": [{"$ref": "#name"}, {"$ref": "inner"}, {"$ref": "#/definitions/x~1y"}],
        "type": "array",
        "$defs": {"a": {"$anchor": "name", "const": 1}, "b": {"$id": "inner", "const": 2}},
        "definitions": {"x/y": {"const": 3}},
    }
    accepts = opened(schema)
    assert accepts("[1,2,3]")
    assert not accepts("[1,2,4]")
    assert not accepts("[2]")


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"$ref": "https://example.com/x"}, "SCHEMA_REF", "/$ref"),
        ({"properties": {"a": {"$dynamicRef": "#x"}}}, "SCHEMA_REF", "/properties/a/$dynamicRef"),
        ({"type": "strin"}, "SCHEMA_SYNTAX", "/type"),
        ({"anyOf": []}, "SCHEMA_SYNTAX", "/anyOf"),
        ({"enum": 3}, "SCHEMA_SYNTAX", "/enum"),
        ({"multipleOf": 0}, "SCHEMA_SYNTAX", "/multipleOf"),
        ({"uniqueItems": 1}, "SCHEMA_SYNTAX", "/uniqueItems"),
        ({"required": True}, "SCHEMA_SYNTAX", "/required"),
        ({"items": 7}, "SCHEMA_SYNTAX", "/items"),
        ({"pattern": "("}, "GRAMMAR_SYNTAX", "/pattern"),
        ({"enum": [list(range(20_000))]}, "SCHEMA_BUDGET", "/enum"),
    ],
)
def test_what_is_wrong_is_refused_at_its_place(schema, code, pointer):
    with pytest.raises(Error) as caught:
        json_schema_to_grammar(schema, profile="open")
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    assert pointer in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        (
            {"if": {"properties": {"k": {"const": 1}}}, "then": {"required": ["v"]}},
            ['{"k":1,"v":0}', '{"k":2}', "3"],
            ['{"k":1}'],
        ),
        ({"dependentRequired": {"a": ["b"]}}, ['{"a":1,"b":1}', '{"b":1}', "{}"], ['{"a":1}']),
        ({"dependencies": {"a": {"required": ["b"]}}}, ['{"a":1,"b":1}', "{}"], ['{"a":1}']),
        ({"type": "string", "enum": ["a", 1], "not": {"const": "b"}}, ['"a"'], ["1", '"b"']),
        ({"oneOf": [{"minimum": 2}, {"multipleOf": 3}], "type": "integer"}, ["2", "4", "-3", "0"], ["3", "1"]),
        ({"const": {"a": [1.50, None]}}, ['{"a":[1.5,null]}'], ['{"a":[1.5]}', "{}"]),
        ({"type": ["integer", "null"]}, ["1", "null"], ["1.5", '"1"']),
        ({"type": "number", "not": {"type": "integer"}}, ["1.5", "-0.25"], ["1", "1.0"]),
    ],
)
def test_combinations(opened, schema, valid, invalid):
    accepts = opened(schema)
    assert [text for text in valid if not accepts(text)] == []
    assert [text for text in invalid if accepts(text)] == []


def test_a_bound_that_a_pattern_keeps_anyway_is_not_counted(opened):
    schema = {"type": "string", "format": "uuid", "minLength": 36, "maxLength": 36}
    accepts = opened(schema)
    assert accepts('"2eb8aa08-aa98-11ea-b4aa-73b441d16380"')
    short = {"type": "string", "pattern": "^a*$", "minLength": 2, "maxLength": 3}
    assert [n for n in range(6) if opened(short)(f'"{"a" * n}"')] == [2, 3]


@pytest.mark.parametrize("beside", [{}, {"format": "email"}, {"pattern": "^(\\S+\\s+){0,49}\\S+$"}])
@pytest.mark.parametrize("count", [900, 32_767, 2**70])
def test_lengths_of_any_size_are_in_the_mask(count, beside):
    found = columns({"type": "string", "minLength": 2, "maxLength": count, **beside})
    assert (found["", "minLength"], found["", "maxLength"]) == ("mask", "mask")


@pytest.mark.parametrize("count", [900, 100_000, 2**70])
def test_numbers_of_items_of_any_size_are_in_the_mask(count):
    found = columns({"type": "array", "minItems": 2, "maxItems": count, "items": {"type": "integer"}})
    assert (found["", "minItems"], found["", "maxItems"]) == ("mask", "mask")


def test_patterns_that_are_too_large_together_are_refused_with_their_place():
    first, second, rest = ({"pattern": p} for p in ("^(a|b)*a(a|b){14}$", "^(a|b)*b(a|b){14}$", "^(a|b)*$"))
    strings = {"properties": {"p": {"type": "string", "allOf": [first, {"not": second}, {"not": rest}]}}}
    named = {one["pattern"]: {"type": kind} for one, kind in ((first, "null"), (second, "string"), (rest, "array"))}
    keys = {"properties": {"p": {"type": "object", "patternProperties": named}}}
    for schema in (strings, keys):
        with pytest.raises(BudgetError) as caught:
            json_schema_to_grammar(schema, profile="open", limits=Limits(states=8_000))
        assert (caught.value.code, caught.value.pointer) == ("GRAMMAR_BUDGET_STATES", "/properties/p")
