"""`unevaluated*`: where it does not depend on the value, and where branches decide."""

from __future__ import annotations

import json
from itertools import product

import jsonschema
import pytest

import checkrail
from checkrail.errors import SchemaError
from checkrail.json_schema import json_schema_to_grammar


def test_properties(opened):
    schema = {
        "$defs": {"base": {"properties": {"a": True}, "patternProperties": {"^p": True}}},
        "type": "object",
        "allOf": [{"$ref": "#/$defs/base"}],
        "properties": {"b": {"type": "integer"}},
        "unevaluatedProperties": False,
    }
    accepts = opened(schema)
    assert accepts('{"b":1,"a":2,"px":3}')
    assert not accepts('{"c":1}')
    assert not accepts('{"b":"x"}')
    assert opened({**schema, "unevaluatedProperties": {"type": "null"}})('{"c":null}')


def test_items(opened):
    accepts = opened({"type": "array", "allOf": [{"prefixItems": [True, True]}], "unevaluatedItems": False})
    assert accepts("[1,2]")
    assert not accepts("[1,2,3]")
    assert opened({"type": "array", "allOf": [{"items": True}], "unevaluatedItems": False})("[1,2,3]")


def test_a_sibling_of_the_schema_is_not_seen(opened):
    accepts = opened({"type": "object", "allOf": [{"properties": {"a": True}}, {"unevaluatedProperties": False}]})
    assert accepts("{}")
    assert not accepts('{"a":1}')


BYTES = checkrail.Vocabulary.from_bytes([bytes([b]) for b in range(256)] + [None], eos=256)
DEPENDING = [
    {"anyOf": [{"properties": {"a": True}}, {"required": ["b"]}], "unevaluatedProperties": False},
    {
        "anyOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": True}}],
        "unevaluatedProperties": False,
    },
    {"if": {"properties": {"a": True}}, "unevaluatedProperties": False},
    {
        "if": {"required": ["a"]},
        "then": {"properties": {"a": True, "b": True}},
        "else": {"properties": {"c": {"type": "integer"}}},
        "unevaluatedProperties": {"type": "null"},
    },
    {"dependentSchemas": {"a": {"properties": {"b": True}}}, "unevaluatedProperties": False, "properties": {"a": True}},
    {"oneOf": [{"prefixItems": [True]}, {"type": "null"}], "unevaluatedItems": False},
    {"oneOf": [{"prefixItems": [{"const": 1}]}, {"prefixItems": [True, {"const": 2}]}], "unevaluatedItems": False},
    {"contains": {"const": 1}, "unevaluatedItems": False},
    {"contains": {"const": 1}, "prefixItems": [True], "unevaluatedItems": {"type": "string"}},
    {
        "anyOf": [{"anyOf": [{"properties": {"a": True}}, {"required": ["c"]}]}, {"properties": {"b": True}}],
        "unevaluatedProperties": False,
    },
    {"not": {"properties": {"a": {"type": "string"}}}, "unevaluatedProperties": {"type": "integer"}},
    {
        "dependentSchemas": {
            "a": {
                "properties": {"b": {"type": "integer"}},
                "allOf": [{"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {"const": 2}}}}],
            }
        },
        "properties": {"a": True},
        "unevaluatedProperties": False,
    },
]


@pytest.mark.parametrize("schema", DEPENDING, ids=lambda schema: json.dumps(schema)[:60])
def test_what_depends_on_branches_is_as_an_independent_validator_says(schema):
    """All objects of three keys, and all arrays of three items, against jsonschema; on demand, so in any order."""
    oracle = jsonschema.Draft202012Validator(schema)
    constraint = checkrail.compile(json_schema_to_grammar(schema, profile="open"), BYTES)

    def accepts(text):
        matcher = constraint.matcher()
        return all(matcher.accept_token(byte) for byte in text.encode()) and matcher.is_completed()

    values = [None, 1, 2, "x"]
    objects = [
        {key: value for key, value in zip("abc", chosen, strict=True) if value != "absent"}
        for chosen in product(["absent", *values], repeat=3)
    ]
    arrays = [list(items) for size in range(4) for items in product(values, repeat=size)]
    verdicts = []
    for value in [*objects, *arrays, *values]:
        verdicts.append(oracle.is_valid(value))
        assert accepts(json.dumps(value, separators=(",", ":"))) is verdicts[-1], value
    assert len(set(verdicts)) == 2


def test_too_many_branches_are_refused():
    schema = {"anyOf": [{"properties": {f"k{i}": True}} for i in range(8)], "unevaluatedProperties": False}
    with pytest.raises(SchemaError) as caught:
        json_schema_to_grammar(schema, profile="open")
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert "too many branches" in caught.value.message
    assert json_schema_to_grammar(schema, profile="open", unsupported="report").coverage.column("checked")


def test_branches_that_evaluate_what_is_evaluated_anyway_do_not_matter(opened):
    """Of many conditions those count that add something; without that these would be refused as too many."""
    conditions = [
        {
            "if": {"required": [f"k{i}"]},
            "then": {"properties": {"a": {"minimum": i}}},
            "else": {"patternProperties": {"^k": True}},
        }
        for i in range(8)
    ]
    known = {"properties": {"a": {"type": "integer"}}, "patternProperties": {"^k": True}}
    accepts = opened({"type": "object", **known, "allOf": conditions, "unevaluatedProperties": False})
    assert accepts('{"a":7,"k7":1}')
    assert not accepts('{"a":6,"k7":1}')
    assert not accepts('{"b":1}')
    accepts = opened(
        {
            "type": "object",
            "properties": {"on": True},
            "dependentSchemas": {"on": {**known, "allOf": conditions}},
            "unevaluatedProperties": False,
        }
    )
    assert accepts('{"on":1,"a":7,"k7":1}')
    assert not accepts('{"on":1,"a":6,"k7":1}')
    assert not accepts('{"a":7}')


def test_branches_that_evaluate_nothing_do_not_matter(opened):
    schema = {
        "type": "object",
        "anyOf": [{"required": ["a"]}],
        "properties": {"a": True},
        "unevaluatedProperties": False,
    }
    assert opened(schema)('{"a":1}')
    assert not opened(schema)('{"a":1,"b":1}')


@pytest.mark.parametrize(
    "schema",
    [
        {"dependentSchemas": {f"k{i}": {"properties": {f"q{i}": True}} for i in range(900)}},
        {"allOf": [{"anyOf": [{"properties": {f"k{i}": {"const": 1}}}]} for i in range(300)]},
    ],
    ids=["keys", "conditions that make few cases"],
)
def test_very_many_conditions_are_not_tried(schema):
    with pytest.raises(SchemaError) as caught:
        json_schema_to_grammar({**schema, "unevaluatedProperties": False}, profile="open")
    assert "too many branches" in caught.value.message
