"""The algebra as a whole: recursion ends, emptiness is found, what is not exact has no complement, work is bounded."""

from __future__ import annotations

from itertools import combinations

import pytest

from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar
from checkrail.limits import Limits


def error_of(schema, **options):
    with pytest.raises(Error) as caught:
        json_schema_to_grammar(schema, profile="open", **options)
    return caught.value


TREE = {
    "$defs": {
        "tree": {"type": "object", "properties": {"v": {"type": "integer"}, "t": {"$ref": "#/$defs/tree"}}},
        "leafless": {"type": "object", "properties": {"t": {"$ref": "#/$defs/leafless"}}, "required": ["t"]},
        "small": {"type": "object", "properties": {"v": {"maximum": 9}, "t": {"$ref": "#/$defs/small"}}},
    }
}


def test_products_of_recursive_schemas_are_recursive(opened):
    accepts = opened({**TREE, "allOf": [{"$ref": "#/$defs/tree"}, {"$ref": "#/$defs/small"}]})
    assert accepts('{"v":1,"t":{"v":9,"t":{}}}')
    assert not accepts('{"v":1,"t":{"v":10}}')
    assert not accepts('{"v":1,"t":{"v":9,"t":{"v":"x"}}}')


def test_complements_of_recursive_schemas_are_recursive(opened):
    accepts = opened({**TREE, "$ref": "#/$defs/tree", "not": {"$ref": "#/$defs/small"}})
    assert accepts('{"v":10}')
    assert accepts('{"v":1,"t":{"t":{"v":10}}}')
    assert not accepts('{"v":1,"t":{"t":{"v":9}}}')


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"type": "string", "enum": [1]},
        {"allOf": [{"type": "string"}, {"type": "object"}]},
        {"type": "integer", "minimum": 1, "exclusiveMaximum": 2, "not": {"const": 1}},
        {"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "^b"}]},
        {"type": "object", "required": ["a"], "properties": {"a": {"allOf": [{"type": "null"}, {"const": 1}]}}},
        {"type": "array", "minItems": 2, "maxItems": 1},
        {"type": "object", "minProperties": 2, "maxProperties": 1},
        {**TREE, "$ref": "#/$defs/leafless"},
        {"not": {}},
        {"oneOf": [{"type": "string"}, {"type": "string"}]},
        {"enum": []},
    ],
)
def test_an_empty_root_is_a_conflict(schema):
    assert error_of(schema).code == "SCHEMA_CONFLICT"


def test_a_schema_that_is_defined_by_itself_is_refused():
    for schema in (
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"},
        {"$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"},
    ):
        assert error_of(schema).code == "SCHEMA_REF"


def test_exclusive_branches_that_refer_back_are_compared(opened):
    schema = {
        "$defs": {
            "p": {
                "type": "object",
                "oneOf": [
                    {"required": ["and"], "properties": {"and": {"type": "array", "items": {"$ref": "#/$defs/p"}}}},
                    {"required": ["not"], "properties": {"not": {"$ref": "#/$defs/p"}}},
                    {"required": ["is"], "properties": {"is": {"type": "string"}}},
                ],
            }
        },
        "$ref": "#/$defs/p",
    }
    accepts = opened(schema)
    assert accepts('{"and":[{"is":"x"},{"not":{"is":"y"}}]}')
    assert not accepts('{"and":[],"is":"x"}')
    assert accepts('{"and":[],"is":1}')  # the third branch does not hold
    assert not accepts("{}")


UNIQUE = {"type": "array", "uniqueItems": True}


def kind(number, **more):
    return {"type": "object", "properties": {"k": {"const": number}, **more}, "required": ["k", *more]}


def test_a_contradiction_is_found_beside_parts_that_are_not_searched(opened):
    """`uniqueItems` has no complement, so these are read only if the branches are seen to exclude one another."""
    chain = {f"d{i}": {"type": "object", "properties": {"x": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(300)}
    for definition in chain.values():
        definition["required"] = ["x"]
    deep = [
        {"allOf": [{"$ref": "#/$defs/d0"}, {"properties": {"x": {"properties": {"x": {"minProperties": i}}}}}]}
        for i in range(2)
    ]
    branches = [kind(i, list=UNIQUE, deep=deep[i]) for i in range(2)]
    json_schema_to_grammar({"oneOf": branches, "$defs": {**chain, "d300": {}}}, profile="open")


def test_a_reference_and_the_opposite_of_what_it_refers_to_exclude_one_another(opened):
    """So what the siblings of a `oneOf` say of a member is not complemented, however it is referred to."""
    schema = {
        "$defs": {"list": UNIQUE, "again": {"$ref": "#/$defs/list", "description": "the same"}},
        "type": "object",
        "properties": {"all": {"$ref": "#/$defs/list"}, "one": {"type": "string"}},
        "oneOf": [
            {"properties": {"all": {"$ref": "#/$defs/again"}}, "required": ["all"]},
            {"properties": {"one": {"type": "string"}}, "required": ["one"]},
        ],
    }
    accepts = opened(schema)
    assert accepts('{"one":""}')
    assert accepts('{"all":[1,2]}')
    assert not accepts('{"all":[1],"one":""}')
    assert not accepts("{}")
    assert not accepts('{"all":[1,1]}')
    circle = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
    assert error_of({"$defs": circle, "$ref": "#/$defs/a", "not": {"$ref": "#/$defs/b"}}).code != "INTERNAL"


def test_of_a_union_only_those_parts_are_left_out_that_can_be_meant(opened):
    kinds = [{**kind(i, list=UNIQUE), "additionalProperties": False} for i in range(3)]
    union = {"oneOf": [*kinds, {"type": "object", "properties": {"k": {"const": "open"}}, "required": ["k"]}]}
    reference = {"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]}
    schema = {"oneOf": [reference, {"$ref": "#/$defs/union"}], "$defs": {"union": {"allOf": [union]}}}
    accepts = opened(schema)
    assert accepts('{"k":1,"list":[]}')
    assert accepts('{"ref":"","k":1}')
    assert accepts('{"k":"open"}')
    assert not accepts('{"ref":"","k":"open"}')
    many = [kind(i, **{f"p{j}": {"type": "string"} for j in range(4)}) for i in range(10)]
    reference["properties"]["k"] = {"const": 3}
    json_schema_to_grammar({"oneOf": [reference, {"oneOf": many}]}, profile="open")


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"not": {"type": "array", "uniqueItems": True}}, "uniqueItems"),
        # A format that has an opposite, beside something that has none.
        ({"not": {"format": "hostname", "propertyNames": {"format": "hostname"}}}, "propertyNames/format"),
        ({"not": {"format": "hostname", "uniqueItems": True}}, "uniqueItems"),
    ],
)
def test_what_is_only_checked_has_no_complement(schema, keyword):
    error = error_of(schema)
    assert error.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert error.pointer.endswith(f"/{keyword}")


@pytest.mark.parametrize(
    ("schema", "inside", "outside"),
    [
        ({"not": {"format": "email"}}, ['"a"', '"a b"'], ["1", '"a@b.org"', '"\\"q\\"@b.org"', '"a@xn--x"']),
        ({"not": {"format": "regex"}}, ['"*a"', '")"'], ["1", '""', '"a"', '"a*"', '"(a)"']),
        (
            {"type": "string", "oneOf": [{"format": "regex"}, {"pattern": "a"}]},
            ['""', '"b"', '"*a"'],
            ['"a"', '"*"', '"(a"'],
        ),
        ({"not": {"not": {"format": "email"}}}, ['"a@b.org"'], ['"a"', '"a b"']),
        ({"not": {"format": "time"}}, ['"1 pm"'], ['"15:59:60-08:00"', '"10:00:00Z"']),
        (
            {"oneOf": [{"type": "string", "format": "hostname"}, {"type": "string", "format": "ipv4"}]},
            ['"example.org"', '"1.2.3"'],
            ['"10.0.0.1"', '"a b"'],
        ),
        ({"type": "string", "oneOf": [{"format": "hostname"}, {"pattern": "^xn--"}]}, ['"a.org"'], ['"xn--nxasmq6b"']),
        ({"anyOf": [{"format": "email"}, {"type": "string"}]}, ['"a"', "1"], []),
        ({"if": {"format": "hostname"}, "then": {"maxLength": 3}, "else": False}, ['"a.b"', "7"], ['"abcd"', '"a b"']),
        ({"allOf": [{"format": "email"}, {"type": "integer"}], "not": {"const": 3}}, ["4"], ["3", '"a@b.org"']),
    ],
)
def test_formats_in_doubt_are_narrower_on_both_sides(opened, schema, inside, outside):
    accepts = opened(schema)
    assert [text for text in inside if not accepts(text)] == []
    assert [text for text in outside if accepts(text)] == []


def test_combinations_end_in_a_budget():
    pairs = [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(12)]
    error = error_of({"type": "object", "allOf": pairs})
    assert error.code == "SCHEMA_BUDGET"
    assert "Limits.alternatives" in error.advice
    few = {"type": "object", "allOf": pairs[:3]}
    assert error_of(few, limits=Limits(alternatives=4)).code == "SCHEMA_BUDGET"
    json_schema_to_grammar(few, profile="open")


def test_contradictions_among_many_combinations_are_found():
    exactly_one = [{"oneOf": [{"required": [name]} for name in triple]} for triple in combinations("abcdefgh", 3)]
    assert error_of({"type": "object", "allOf": exactly_one}).code == "SCHEMA_CONFLICT"


def test_deep_chains_of_schemas_end_in_a_budget():
    chain = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"type": "null"}]} for i in range(400)}
    error = error_of({"$defs": {**chain, "d400": {"type": "string"}}, "$ref": "#/$defs/d0"})
    assert error.code == "GRAMMAR_BUDGET_DEPTH"


def test_patterns_and_conditions_that_multiply_end_in_a_budget():
    letters = "abcdefghijklmnop"
    patterns = {"type": "object", "patternProperties": {letter: {"minimum": i} for i, letter in enumerate(letters)}}
    assert error_of(patterns).code == "SCHEMA_BUDGET"
    spread = {"type": "object", "allOf": [{"patternProperties": {c: {"minimum": 1}}} for c in letters]}
    assert error_of(spread).code == "SCHEMA_BUDGET"
    contains = {"type": "array", "allOf": [{"contains": {"minimum": i}} for i in range(12)]}
    assert error_of(contains).code == "SCHEMA_BUDGET"
    members = [{"not": {"additionalProperties": {"minimum": i}}} for i in range(12)]
    assert error_of({"type": "object", "allOf": members}).code == "SCHEMA_BUDGET"
