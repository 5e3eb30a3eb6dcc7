"""`unevaluated*` where it does not depend on the value; refused where it does."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"properties": {"a": True}}, {"required": ["b"]}], "unevaluatedProperties": False},
        {"if": {"properties": {"a": True}}, "unevaluatedProperties": False},
        {"dependentSchemas": {"a": {"properties": {"b": True}}}, "unevaluatedProperties": False},
        {"oneOf": [{"prefixItems": [True]}, {"type": "null"}], "unevaluatedItems": False},
        {"contains": {"const": 1}, "unevaluatedItems": False},
    ],
)
def test_what_depends_on_the_value_is_refused(schema):
    with pytest.raises(SchemaError) as caught:
        json_schema_to_grammar(schema, profile="open")
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert "depends on which branch" in caught.value.message
    assert json_schema_to_grammar(schema, profile="open", unsupported="report").coverage.column("checked")


def test_branches_that_evaluate_nothing_do_not_matter(opened):
    schema = {
        "type": "object",
        "anyOf": [{"required": ["a"]}],
        "properties": {"a": True},
        "unevaluatedProperties": False,
    }
    assert opened(schema)('{"a":1}')
    assert not opened(schema)('{"a":1,"b":1}')
