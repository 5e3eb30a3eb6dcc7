"""Positions inside an object: the room of those that are only counted, against a search over all of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checkrail
from checkrail.json_schema.algebra.objects import ObjectRecord
from checkrail.json_schema.algebra.profile import INFINITE
from checkrail.json_schema.algebra.texts import ALL_TEXTS
from checkrail.limits import Limits
from checkrail.ondemand.members import Counted
from checkrail.ondemand.rooms import least_rooms


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
    reached = [counted.begin]

    def steps(position: Any) -> Any:
        reached.append(position)
        return counted._needs(position)

    rooms = least_rooms(counted.begin, steps, counted.may_close, 10_000, AssertionError)
    assert {position: counted.room(position) for position in reached} == {
        position: rooms.get(position, INFINITE) for position in reached
    }


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
