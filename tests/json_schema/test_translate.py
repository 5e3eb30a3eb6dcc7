"""Types, unions, implied types, free values, rule names: what the walk itself decides."""

from __future__ import annotations

import json

import pytest

from checkrail.json_schema import json_schema_to_grammar
from checkrail.limits import Limits

SAMPLES = {
    "null": "null",
    "boolean": "true",
    "object": "{}",
    "array": "[]",
    "string": '"x"',
    "integer": "7",
    "number": "7.5",
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_each_type(accepts, kind):
    for other, text in SAMPLES.items():
        fits = other == kind or (kind == "number" and other == "integer")
        assert accepts({"type": kind}, text) is fits
        assert accepts({"type": [kind]}, text) is fits
        assert accepts({"type": [kind, "null"]}, text) is (fits or other == "null")


def test_all_types_but_objects_are_closed(accepts):
    schema = {"type": list(SAMPLES)}
    assert all(accepts(schema, text) for text in SAMPLES.values())
    assert not accepts(schema, '{"a":1}')
    assert accepts({}, '{"a":1}')


@pytest.mark.parametrize(
    "schema", [True, {}, {"title": "t"}, "true", b"{}", {"anyOf": [{}, {"type": "null"}]}, {"allOf": [True, {}]}]
)
def test_any_value(accepts, schema):
    for value in (None, True, -1.5, 'é"', [], {}, [[{"a": [1, "x"]}], {"b": {}}]):
        assert accepts(schema, json.dumps(value, separators=(",", ":")))
    assert not accepts(schema, "")
    assert not accepts(schema, "{a:1}")


@pytest.mark.parametrize(
    "schema", [False, {"anyOf": [False, False]}, {"type": "string", "anyOf": [{"type": "null"}]}, "false"]
)
def test_no_value(refusal, schema):
    assert refusal(schema).code == "SCHEMA_CONFLICT"


@pytest.mark.parametrize(
    ("keywords", "kind"),
    [
        ({"properties": {}}, "object"),
        ({"required": []}, "object"),
        ({"additionalProperties": False}, "object"),
        ({"items": True}, "array"),
        ({"x-overlap": "forbid", "items": True}, "array"),
        ({"minLength": 0}, "string"),
        ({"format": "color"}, "string"),
        ({"x-source": {"doc": "d"}}, "string"),
        ({"minimum": 0, "multipleOf": 1}, "number"),
    ],
)
def test_an_absent_type_is_implied(accepts, columns, keywords, kind):
    assert columns(keywords)["type"] == "mask"
    for other, text in SAMPLES.items():
        assert accepts(keywords, text) is (other == kind or (kind == "number" and other == "integer"))


def test_the_surroundings_say_the_type(accepts):
    schema = {
        "type": "string",
        "anyOf": [{"format": "date"}, {"maxLength": 1}, {"type": ["null", "string"], "const": "yes"}],
    }
    for text in ('"2026-11-29"', '"x"', '""', '"yes"'):
        assert accepts(schema, text)
    for text in ('"no"', "null", "1"):
        assert not accepts(schema, text)


def test_unions(accepts, columns):
    for keyword, column in (("anyOf", "mask"), ("oneOf", "checked")):
        schema = {keyword: [{"type": "integer"}, {"type": "object", "properties": {"a": {"type": "null"}}}, False]}
        assert columns(schema)[keyword] == column
        assert accepts(schema, "1")
        assert accepts(schema, '{"a":null}')
        assert not accepts(schema, '{"a":1}')
        assert not accepts(schema, "null")


def test_one_branch_of_all_of(accepts, columns):
    schema = {
        "allOf": [{"title": "t"}, {"$ref": "#/$defs/a"}, True],
        "description": "d",
        "$defs": {"a": {"type": "integer"}},
    }
    assert columns(schema)["allOf"] == "mask"
    assert accepts(schema, "1")
    assert not accepts(schema, '"1"')
    assert columns({"type": "string", "allOf": [{}]})["allOf"] == "annotation"


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
@pytest.mark.parametrize("value", [{}, [1], "x"])
def test_malformed_unions(refusal, keyword, value):
    assert refusal({keyword: value}).code == "SCHEMA_SYNTAX"


@pytest.mark.parametrize(
    "schema", [{"anyOf": []}, {"oneOf": []}, 1, [], None, "null", '"x"', {"type": "array", "items": "x"}]
)
def test_not_a_schema(refusal, schema):
    assert refusal(schema).code == "SCHEMA_SYNTAX"


def test_deep_unions_are_bounded(refusal, accepts):
    schema: object = {"type": "null"}
    for _ in range(20):
        schema = {"anyOf": [schema]}
    assert accepts(schema, "null")
    for _ in range(20):
        schema = {"anyOf": [schema]}
    assert refusal(schema).code == "GRAMMAR_BUDGET_DEPTH"


def test_shared_branches_do_not_multiply():
    definitions = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(25)} | {
        "d25": {"enum": ["a", "b"]}
    }
    assert len(json_schema_to_grammar({"$ref": "#/$defs/d0", "$defs": definitions}).rules) < 50


def test_rules_are_named_after_the_schema():
    schema = {
        "type": "object",
        "properties": {
            "invoice no": {"$ref": "#/$defs/Number"},
            "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
            "root": {"type": "object"},
        },
        "required": ["lines"],
        "$defs": {"Number": {"type": "string", "pattern": "^[0-9]+$"}},
    }
    grammar = json_schema_to_grammar(schema)
    assert list(grammar.rules) == [
        "root",
        "Number",
        "root-from-lines",
        "lines",
        "lines-item",
        "string",
        "root-2",
    ]
    assert grammar.origins["lines-item"] == "/properties/lines/items"
    assert grammar.origins["Number"] == "/$defs/Number"
    assert grammar.origins["root-from-lines"] == grammar.origins["root"] == ""


@pytest.mark.parametrize(
    "schema",
    [{"type": ["object", "null"]}, {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, {"type": "string"}],
)
def test_the_start_is_root(schema):
    grammar = json_schema_to_grammar(schema)
    assert grammar.root == next(iter(grammar.rules)) == "root"
    assert grammar.origins["root"] == ""


def test_the_number_of_rules_is_bounded(refusal):
    schema = {"type": "object", "properties": {f"p{i}": {"type": "null"} for i in range(20)}}
    assert refusal(schema, limits=Limits(rules=10)).code == "GRAMMAR_BUDGET_RULES"
