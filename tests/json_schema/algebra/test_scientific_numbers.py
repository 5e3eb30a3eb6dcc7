"""Numbers in scientific notation and integers with a fraction, on demand and as a whole, against exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail import Vocabulary, compile
from checkrail.grammar.expression import NOTHING
from checkrail.json_schema import json_schema_to_grammar
from checkrail.json_schema.scientific import scientific_range
from checkrail.regular.compile import compile_regular

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), b""], eos=256)

ends = st.one_of(
    st.none(),
    st.integers(-400, 400).map(Decimal),
    st.decimals(-20, 20, places=3),
    st.sampled_from(["1e-6", "-2.5e-3", "1.5e5", "-3e15", "1e17", "0"]).map(Decimal),
)
literals = st.from_regex(r"\A-?[1-9](\.[0-9]{1,4})?[eE][+-]?(0?[0-9]|1[0-7])\Z")


@settings(deadline=None, max_examples=40)
@given(ends, ends, st.booleans(), st.booleans(), st.lists(literals, min_size=1, max_size=12))
def test_against_arithmetic(
    low: Decimal | None, high: Decimal | None, low_open: bool, high_open: bool, samples: list[str]
) -> None:
    written = scientific_range(low, high, low_open=low_open, high_open=high_open)
    dfa = compile_regular(written)
    for text in samples:
        value = Fraction(Decimal(text))
        above = low is None or value > Fraction(low) or (value == Fraction(low) and not low_open)
        below = high is None or value < Fraction(high) or (value == Fraction(high) and not high_open)
        assert dfa.accepts(text) == (above and below), text


def test_nothing_between() -> None:
    assert compile_regular(scientific_range(Decimal(0), Decimal(0))).is_empty()
    assert scientific_range(Decimal(1), Decimal(1)) != NOTHING


def on_demand(schema: Any, **options: Any) -> Callable[[str], bool]:
    constraint = compile(json_schema_to_grammar(schema, profile="open", whitespace="compact", **options), BYTES)

    def accepts(text: str) -> bool:
        matcher = constraint.matcher()
        return matcher.accept_bytes(text.encode()) and matcher.is_completed()

    return accepts


@pytest.mark.parametrize(
    ("schema", "fractions", "inside", "outside"),
    [
        ({"type": "number", "minimum": 0}, False, ["1e-06", "2.5E+3", "0", "7"], ["-1e-6", "0e1", "12e1"]),
        ({"type": "number", "maximum": -0.5}, False, ["-5e-1", "-1e2"], ["-4e-1", "1e2"]),
        ({"type": "number", "multipleOf": 0.5}, False, ["1.5"], ["1.5e0"]),
        ({"type": "integer"}, False, ["2", "-2"], ["2.0", "2e0"]),
        ({"type": "integer"}, True, ["2", "2.0", "-20.000"], ["2.", "2.5", "2.05", "-.0", "2e0"]),
        ({"type": "integer", "minimum": 3, "maximum": 40}, True, ["3.0", "40.0", "12"], ["2.0", "41.0", "4.1"]),
        ({"type": "integer", "multipleOf": 5}, True, ["10.0", "0.0"], ["11.0", "1.0"]),
        ({"enum": [2, {"a": 1.0}, 2.5]}, True, ["2", "2.0", '{"a":1.0}', '{"a":1}', "2.5"], ["2.00", "2.50"]),
        ({"enum": [2.0]}, False, ["2"], ["2.0"]),
        ({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, True, ["[1.0,2]"], ["[1,1.0]"]),
    ],
)
def test_spellings(schema: Any, fractions: bool, inside: list[str], outside: list[str]) -> None:
    accepts = on_demand(schema, integer_fractions=fractions)
    assert [text for text in inside if not accepts(text)] == []
    assert [text for text in outside if accepts(text)] == []


def test_the_whole_automaton_agrees(opened: Callable[..., Callable[[str], bool]]) -> None:
    texts = ["3", "3.0", "3.5", "-1", "1e1", "4.5E-1", "30e0", "1e-7", "0", "0.0", "12.25"]
    for schema in ({"type": "number", "minimum": 0, "exclusiveMaximum": 12.25}, {"type": "integer", "maximum": 3}):
        for fractions in (False, True):
            whole = opened(schema, integer_fractions=fractions)
            accepts = on_demand(schema, integer_fractions=fractions)
            assert [whole(text) for text in texts] == [accepts(text) for text in texts]
