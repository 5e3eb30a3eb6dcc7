"""Positions inside an object: the room of those that are only counted, against a search over all of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checkrail
from checkrail.json_schema.algebra.objects import KeyClass, ObjectRecord
from checkrail.json_schema.algebra.profile import INFINITE
from checkrail.json_schema.algebra.texts import ALL_TEXTS
from checkrail.limits import Limits
from checkrail.ondemand.members import Counted
from checkrail.ondemand.rooms import least_rooms


def assert_rooms_are_those_of_a_search(counted: Counted) -> None:
    """At all positions that it comes to."""
    reached = [counted.begin]

    def steps(position: Any) -> Any:
        reached.append(position)
        return counted._needs(position)

    rooms = least_rooms(counted.begin, steps, counted.may_close, 10_000, AssertionError)
    assert {position: counted.room(position) for position in reached} == {
        position: rooms.get(position, INFINITE) for position in reached
    }


@settings(deadline=None, max_examples=150)
@given(
    members=st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=5),
    others=st.lists(st.integers(0, 5), max_size=2),
    minimum=st.integers(0, 7),
    maximum=st.none() | st.integers(0, 7),
)
def test_rooms_are_those_of_a_search(
    members: list[tuple[int, bool]], others: list[int], minimum: int, maximum: int | None
) -> None:
    """The levels stand for the terms here."""
    schema: Any = SimpleNamespace(
        room=lambda term: term, normalizer=SimpleNamespace(texts=None), options=SimpleNamespace(limits=Limits())
    )
    named: list[Any] = [(f"k{i}", level, required) for i, (level, required) in enumerate(members)]
    classes: list[Any] = [(ALL_TEXTS, level) for level in others]
    record = ObjectRecord(minimum=minimum, maximum=maximum)
    counted = Counted(record, named, classes, schema, any_order=True, pointer="")
    assert_rooms_are_those_of_a_search(counted)


class _Witnessed(Counted):
    """Terms are tuples of parts: the levels that each needs, and whether it is the value that must be there."""

    def _declared_parts(self, name: str, term: Any, seen: int) -> Any:
        del name
        return ((level, seen | witness) for level, witness in term)

    def _other_parts(self, seen: int) -> Any:
        return ((ALL_TEXTS, level, seen | witness) for _, term in self._others for level, witness in term)


_PARTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), min_size=1, max_size=2).map(tuple)


@settings(deadline=None, max_examples=150)
@given(
    members=st.lists(st.tuples(_PARTS, st.booleans()), max_size=5),
    others=st.lists(_PARTS, max_size=2),
    minimum=st.integers(0, 5),
    maximum=st.none() | st.integers(0, 5),
)
def test_rooms_with_something_to_witness_are_those_of_a_search(
    members: list[tuple[Any, bool]], others: list[Any], minimum: int, maximum: int | None
) -> None:
    schema: Any = SimpleNamespace(
        room=lambda term: term if isinstance(term, int) else min(level for level, _ in term),
        normalizer=SimpleNamespace(texts=None),
        options=SimpleNamespace(limits=Limits()),
    )
    named: list[Any] = [(f"k{i}", parts, required) for i, (parts, required) in enumerate(members)]
    classes: list[Any] = [(ALL_TEXTS, parts) for parts in others]
    record = ObjectRecord(minimum=minimum, maximum=maximum, witnesses=(KeyClass(ALL_TEXTS, None),))
    counted = _Witnessed(record, named, classes, schema, any_order=True, pointer="")
    assert_rooms_are_those_of_a_search(counted)


def test_many_members_and_one_to_witness_take_no_states_until_a_text_comes_there() -> None:
    vocabulary = checkrail.Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
    count = 20
    declared = {"properties": {f"k{i:02}": {"type": ["boolean", "null"]} for i in range(count)}}
    schema = {"type": "object", **declared, "not": {"additionalProperties": {"type": "boolean"}}}
    grammar = checkrail.Grammar.from_json_schema(schema, profile="open", whitespace="compact")
    matcher = checkrail.compile(grammar, vocabulary).matcher()
    assert matcher.accept_bytes(b'{"k03":true,"k07":false')
    assert not matcher.fork().accept_bytes(b"}")
    assert not matcher.fork().accept_bytes(b',"other":true}')
    assert matcher.accept_bytes(b',"other":3}')
    assert matcher.is_completed()


@pytest.mark.parametrize("count", [13, 60])
def test_many_counted_properties_in_any_order_take_no_states_until_a_text_comes_there(count: int) -> None:
    vocabulary = checkrail.Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
    schema = {
        "type": "object",
        "properties": {f"k{i:02}": {"type": "boolean"} for i in range(count)},
        "additionalProperties": False,
        "minProperties": 2,
        "maxProperties": 3,
    }
    grammar = checkrail.Grammar.from_json_schema(schema, profile="open", whitespace="compact")
    matcher = checkrail.compile(grammar, vocabulary).matcher()
    assert not matcher.fork().accept_bytes(b"{}")
    assert matcher.accept_bytes(b'{"k12":true')
    assert not matcher.fork().accept_bytes(b"}")
    assert not matcher.fork().accept_bytes(b',"k12"')
    assert matcher.accept_bytes(b',"k03":true,"k07":false')
    assert not matcher.fork().accept_bytes(b",")
    assert matcher.accept_bytes(b"}")
    assert matcher.is_completed()
