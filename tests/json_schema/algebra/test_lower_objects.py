"""Objects in the open profile: order, other keys, counts, witnesses, spellings."""

from __future__ import annotations

import pytest

from checkrail.errors import BudgetError
from checkrail.json_schema import json_schema_to_grammar

AB = {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "type": "object"}


def test_an_object_is_open_and_other_keys_come_after_the_declared_ones(opened):
    accepts = opened(AB, property_order="declared")
    assert accepts("{}")
    assert accepts('{"a":1,"b":2,"c":[{}],"d":null}')
    assert not accepts('{"c":1,"a":1}')
    assert not accepts('{"b":1,"a":1}')
    assert not accepts('{"a":"x"}')


def test_a_declared_key_is_that_key_under_every_spelling(opened):
    accepts = opened(AB)
    assert not accepts('{"\\u0061":"x"}')
    assert not accepts('{"c":1,"a":"x"}')
    assert not accepts('{"a":1,"a":1}')


def test_small_objects_come_in_any_order_and_larger_ones_as_declared(opened):
    accepts = opened(AB)
    assert accepts('{"b":1,"a":1,"c":0}')
    large = {"type": "object", "properties": dict.fromkeys("abcd", True)}
    assert not opened(large)('{"b":1,"a":1}')
    assert opened(large, property_order="any")('{"d":1,"b":1,"a":1}')


def test_free_order_of_many_properties_ends_in_a_budget():
    schema = {"type": "object", "properties": {f"k{i}": True for i in range(20)}}
    with pytest.raises(BudgetError) as caught:
        json_schema_to_grammar(schema, profile="open", property_order="any")
    assert caught.value.code == "SCHEMA_BUDGET"
    assert "Limits.counted_states" in caught.value.advice


def test_free_order_is_not_spent_without_end(opened):
    inner = {"type": "object", "properties": {"x": {"type": "null"}, "y": {"type": "null"}, "z": {"type": "null"}}}
    many = {
        "type": "object",
        "properties": {f"k{i:02}": {**inner, "required": ["x"], "maxProperties": 3 + i} for i in range(40)},
    }
    accepts = opened(many)
    assert accepts('{"k00":{"z":null,"x":null}}')
    assert not accepts('{"k39":{"z":null,"x":null}}')
    assert accepts('{"k39":{"x":null,"z":null}}')


@pytest.mark.parametrize("order", ["declared", "any"])
def test_counts(opened, order):
    accepts = opened({**AB, "minProperties": 2, "maxProperties": 3}, property_order=order)
    assert not accepts("{}")
    assert not accepts('{"a":1}')
    assert accepts('{"a":1,"b":1}')
    assert accepts('{"a":1,"z":1}')
    assert accepts('{"y":1,"z":1,"x":1}')
    assert not accepts('{"a":1,"b":1,"c":1,"d":1}')


def test_classes_of_keys(opened):
    schema = {
        "type": "object",
        "properties": {"n1": {"minimum": 5}},
        "patternProperties": {"^n": {"type": "integer"}, "1$": {"maximum": 9}},
        "additionalProperties": {"type": "string"},
    }
    accepts = opened(schema)
    assert accepts('{"n1":7,"n2":100,"m1":3,"x":"s"}')
    for text in ('{"n1":3}', '{"n1":10}', '{"n2":"s"}', '{"m1":10}', '{"x":1}', '{"n11":12}'):
        assert not accepts(text)
    assert accepts('{"m1":"a text has no maximum"}')


def test_property_names(opened):
    accepts = opened({"type": "object", "propertyNames": {"maxLength": 2}, "properties": {"abc": True, "ab": True}})
    assert accepts('{"ab":1,"xy":2}')
    assert not accepts('{"abc":1}')
    assert not accepts('{"xyz":1}')


def test_a_witness_may_be_any_member(opened):
    some_text = {"type": "object", "not": {"additionalProperties": {"type": "integer"}}}
    accepts = opened({**some_text, "properties": {"a": True}})
    assert accepts('{"a":"x"}')
    assert accepts('{"q":1,"r":"x","s":2}')
    assert not accepts('{"a":1,"q":2}')
    assert not accepts("{}")
