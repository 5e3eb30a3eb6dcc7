"""Whether there are enough different values, or keys: never more than there are, and in little time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail import Grammar
from checkrail.errors import SchemaError


def is_enough(items: Any, count: int, **more: Any) -> bool:
    """Whether an array of so many different items is taken."""
    schema = {"type": "array", "uniqueItems": True, "minItems": count, "items": items, **more}
    try:
        Grammar.from_json_schema(schema, profile="open")
    except SchemaError as error:
        if (error.code, error.params["keyword"]) != ("SCHEMA_KEYWORD_UNSUPPORTED", "uniqueItems"):
            raise
        return False
    return True


def closed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "properties": properties, "required": sorted(properties), "additionalProperties": False,
    }  # fmt: skip


ends = st.integers(-12, 12)
ranges = st.fixed_dictionaries(
    {"type": st.just("integer"), "minimum": ends, "maximum": ends},
    optional={"multipleOf": st.integers(1, 4), "not": st.fixed_dictionaries({"multipleOf": st.integers(2, 4)})},
)


def members(schema: dict[str, Any]) -> set[int]:
    found = {n for n in range(schema["minimum"], schema["maximum"] + 1) if n % schema.get("multipleOf", 1) == 0}
    return {n for n in found if "not" not in schema or n % schema["not"]["multipleOf"]}


@settings(deadline=None, max_examples=150)
@given(st.lists(ranges, min_size=1, max_size=3))
def test_numbers_are_not_counted_twice(options):
    there = len(set().union(*map(members, options)))
    more = {"type": "integer", "minimum": 100, "maximum": 108}  # so that the items are never few enough to be listed
    assert not is_enough({"anyOf": [*options, more]}, there + 10)
    if len(options) == 1:
        assert is_enough({"anyOf": [*options, more]}, there + 9)


def test_ranges_that_overlap_count_together():
    options = [{"type": "integer", "minimum": 1, "maximum": 10}, {"type": "integer", "minimum": 2, "maximum": 11}]
    assert is_enough({"anyOf": options}, 11)
    assert not is_enough({"anyOf": options}, 12)
    around = {"type": "integer", "minimum": 0, "maximum": 20, "not": {"const": 7}}
    assert is_enough(around, 20)
    assert not is_enough(around, 21)


ONE = closed(c={"const": 1})
NEVER = {"never": {"type": "object", "properties": {"n": {"$ref": "#/$defs/never"}}, "required": ["n"]}}


@pytest.mark.parametrize(
    "other",
    [
        closed(a={"type": "string"}, b={"$ref": "#/$defs/never"}),
        {**closed(a={"type": "string"}), "minProperties": 2},
        closed(a={"type": "string"}, b=closed()),
    ],
    ids=["a member that has no value", "too few properties", "deeper than the least object"],
)
def test_objects_that_cannot_come_do_not_count(other):
    assert not is_enough({"anyOf": [other, ONE]}, 2, **{"$defs": NEVER})
    assert is_enough({"anyOf": [closed(a={"type": "string"}), ONE]}, 2, **{"$defs": NEVER})


def test_objects_have_as_many_values_as_a_member():
    assert is_enough(closed(a=closed(b=closed(c={"type": "boolean"}))), 2)
    assert not is_enough(closed(a=closed(b=closed(c={"type": "boolean"}))), 3)


def chain(length: int, names: str, end: Any) -> dict[str, Any]:
    """Objects within objects, each reached by all of some names."""
    levels = {f"l{i}": closed(**{name: {"$ref": f"#/$defs/l{i + 1}"} for name in names}) for i in range(length)}
    return {**levels, f"l{length}": end}


def test_long_chains_and_many_ways_take_little():
    for names, length in (("a", 2_000), ("ab", 60)):
        first = {"$ref": "#/$defs/l0"}
        assert not is_enough(first, 2, **{"$defs": chain(length, names, {"const": 1})})
        assert is_enough(first, 2, **{"$defs": chain(length, names, {"type": "string"})})


def test_large_counts_take_little():
    for many in (10**6, 10**12):
        assert is_enough({"type": "integer"}, many)
        assert not is_enough({"type": "integer", "maximum": 10, "minimum": 1 - many // 2}, many)
        assert not is_enough({"type": "integer", "not": {"multipleOf": 2}}, many)  # there are, but nobody counts so far
        assert not is_enough({"type": "string", "pattern": "^[ab]{0,9}$"}, many)
