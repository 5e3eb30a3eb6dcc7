"""Rooms against the compiler: the least bound on nesting with which the rules of a schema still have a text."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.automaton.compiler import compile_automaton
from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar
from checkrail.json_schema.algebra.lower_scalars import number_expression
from checkrail.json_schema.algebra.numbers import NumberRange
from checkrail.json_schema.algebra.room import INFINITE
from checkrail.json_schema.algebra.values import Values
from checkrail.limits import Limits
from checkrail.regular.compile import compile_regular
from language_oracle import without_references
from random_schemas import containers


def room_of(schema):
    """The room of the schema as the only item of an array, since a root that is empty is refused."""
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    opened = json_schema_to_grammar({"items": schema, "$defs": definitions}, profile="open").schema
    return opened.room(opened.normalizer.values(opened.root).arrays[0].item(0, opened.normalizer.terms))


@pytest.mark.parametrize(
    ("schema", "room"),
    [
        (True, 0),
        ({"type": "object"}, 1),
        ({"type": "array", "minItems": 3}, 1),
        ({"type": "array", "items": {"type": "object"}, "minItems": 1}, 2),
        ({"type": "array", "prefixItems": [{"type": "null"}, {"type": "array"}], "minItems": 2}, 2),
        ({"type": "array", "prefixItems": [{"type": "null"}, {"type": "array"}], "minItems": 1}, 1),
        ({"type": "object", "properties": {"a": {"type": "array"}, "b": {"type": "null"}}, "required": ["a"]}, 2),
        (
            {"type": "object", "minProperties": 2, "properties": {"a": {"const": 1}}, "additionalProperties": False},
            None,
        ),
        (
            {
                "type": "object",
                "minProperties": 2,
                "properties": {"a": {"const": {"b": []}}, "c": {"type": "object"}},
                "additionalProperties": False,
            },
            3,
        ),
        ({"type": "object", "minProperties": 1, "additionalProperties": {"type": "array"}}, 2),
        ({"type": "array", "contains": {"type": "array", "minItems": 1, "items": {"type": "object"}}}, 3),
        ({"type": "array", "contains": {"const": 1}, "maxContains": 0, "minContains": 0, "minItems": 1}, 1),
        ({"type": "object", "not": {"additionalProperties": {"type": ["null", "number", "string", "boolean"]}}}, 2),
        ({"type": "array", "uniqueItems": True, "items": {"enum": [1, 2]}, "minItems": 2}, 1),
        ({"type": "array", "uniqueItems": True, "items": {"enum": [1, 2]}, "minItems": 3}, None),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {"$ref": "#/$defs/a"}}, "type": "object"}}}, 1),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {
                    "a": {"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/$defs/c"}}},
                    "c": {
                        "anyOf": [
                            {"$ref": "#/$defs/a"},
                            {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/d"}},
                        ]
                    },
                    "d": {"anyOf": [{"$ref": "#/$defs/c"}, {"type": "object"}]},
                },
            },
            3,
        ),
        ({"type": "object", "patternProperties": {"^a": False}, "minProperties": 1}, 1),
        ({"type": "object", "propertyNames": {"enum": ["k"]}, "properties": {"k": False}, "minProperties": 1}, None),
        ({"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "b$"}, {"maxLength": 2}]}, 0),
        ({"type": "object", "required": ["n"], "properties": {"n": {"type": "number", "multipleOf": 0.01}}}, 1),
    ],
)
def test_rooms(schema, room):
    assert room_of(schema) == (INFINITE if room is None else room)


def test_an_integer_that_cannot_be_written_is_none():
    assert room_of({"type": "integer", "minimum": 2**53 - 2, "multipleOf": 7}) == INFINITE
    assert room_of({"type": "integer", "minimum": 2**53 - 8, "multipleOf": 7}) == 0


STEPS = [None, "1", "2", "0.1", "0.25", "7"]
ENDS = [None, "0", "0.1", "-3", "1e3", "0.00000000000000001", "9007199254740991", "9007199254740993", "2.55"]


def number_range(low, high, opens, step, others):
    low, high, step = (text and Decimal(text) for text in (low, high, step))
    return NumberRange(low, high, *opens, step, tuple(sorted(map(Decimal, others))))


@settings(deadline=None, max_examples=150)
@given(
    st.builds(
        number_range,
        st.sampled_from(ENDS),
        st.sampled_from(ENDS),
        st.tuples(st.booleans(), st.booleans()),
        st.sampled_from(STEPS),
        st.sets(st.sampled_from(STEPS[1:]), max_size=2),
    )
)
def test_a_range_has_room_if_some_number_can_be_written(range_):
    schema = json_schema_to_grammar({"type": "number"}, profile="open").schema
    room = schema.room(schema.normalizer.terms.values(Values(numbers=(range_,))))
    if not range_.is_empty():
        automaton = compile_regular(without_references(number_expression((range_,), "", Limits())))
        assert (room == 0) is not automaton.is_empty()


def test_long_chains_and_circles_are_no_recursion():
    chain = {f"d{i}": {"type": "array", "minItems": 1, "items": {"$ref": f"#/$defs/d{i + 1}"}} for i in range(3_000)}
    assert room_of({"$defs": {**chain, "d3000": {"type": "null"}}, "$ref": "#/$defs/d0"}) == 3_000
    endless = {"$defs": {**chain, "d3000": {"$ref": "#/$defs/d0"}}, "$ref": "#/$defs/d0"}
    assert room_of(endless) == INFINITE
    back = {"anyOf": [{"$ref": "#/$defs/d0"}, {"type": "object"}]}
    assert room_of({"$defs": {**chain, "d3000": back}, "$ref": "#/$defs/d0"}) == 3_001


@settings(deadline=None, max_examples=120)
@given(containers)
def test_the_compiler_needs_as_much(schema):
    try:
        grammar = json_schema_to_grammar(schema, profile="open", whitespace="compact", property_order="declared")
        room = grammar.schema.room(grammar.schema.root)
    except Error:
        return
    if room < INFINITE:
        assert outcome(grammar, max(1, room)) is None
        if room > 1:
            assert outcome(grammar, room - 1) == "GRAMMAR_BUDGET_DEPTH"
    else:
        assert outcome(grammar, 16) in ("GRAMMAR_EMPTY_LANGUAGE", "GRAMMAR_UNPRODUCTIVE")


def outcome(grammar, nesting):
    try:
        compile_automaton(grammar, limits=Limits(nesting=nesting))
    except Error as error:
        return error.code
    return None
