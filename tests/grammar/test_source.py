from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import BudgetError, Position
from checkrail.grammar.source import Source
from checkrail.limits import DEFAULT_LIMITS, Limits


@given(st.text("ab\né", max_size=12), st.data())
def test_positions_are_those_that_counting_from_the_start_gives(text, data):
    offset = data.draw(st.integers(0, len(text)))
    assert Source(text, DEFAULT_LIMITS).position(offset) == Position.at(text, offset)


@pytest.mark.parametrize(("text", "size"), [("a" * 11, 11), ("é" * 6, 12), ("\ud800" * 4, 12)])
def test_size_is_counted_in_bytes(text, size):
    with pytest.raises(BudgetError) as caught:
        Source(text, Limits(grammar_bytes=10))
    assert caught.value.code == "GRAMMAR_BUDGET_BYTES"
    assert caught.value.params == {"reached": size, "limit": 10}
    Source(text, Limits(grammar_bytes=size))


def test_errors_carry_place_pointer_and_expectation():
    source = Source("one\ntwo", DEFAULT_LIMITS, pointer="/pattern")
    error = source.syntax(5, "wrong", ["this"])
    assert (error.code, error.pointer, error.expected) == ("GRAMMAR_SYNTAX", "/pattern", ("this",))
    assert str(error) == "GRAMMAR_SYNTAX: Grammar error at line 2, column 2: wrong (at /pattern)."
    assert "    two\n     ^" in error.render()
    assert source.unsupported(0, "x").code == "GRAMMAR_UNSUPPORTED"
    assert source.budget("GRAMMAR_BUDGET_DEPTH", 0, limit=3).message == "Nested deeper than 3 (at /pattern)."
