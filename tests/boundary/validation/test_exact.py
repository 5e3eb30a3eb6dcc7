"""Exact decimals against `fractions`."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.validation.exact import Exact

literals = st.builds(
    lambda sign, whole, fraction, exponent: f"{sign}{whole}{fraction}{exponent}",
    st.sampled_from(["", "-"]),
    st.integers(0, 10**6).map(str) | st.sampled_from(["0", "100", "90071992547409930000"]),
    st.sampled_from(["", ".0", ".5", ".10", ".000", ".123456789", ".00000000000000000001"]),
    st.sampled_from(["", "e0", "E+3", "e-7", "e20"]),
)


@settings(max_examples=400, deadline=None)
@given(literals, literals)
def test_agrees_with_fractions(left: str, right: str) -> None:
    a, b = Exact.parse(left), Exact.parse(right)
    x, y = Fraction(left), Fraction(right)
    assert a.coefficient * Fraction(10) ** a.exponent == x
    assert (a == b) == (x == y)
    assert a.compare(b) == (x > y) - (x < y)
    assert a.is_integer == (x.denominator == 1)
    if y:
        assert a.is_multiple_of(b) == ((x / y).denominator == 1)


def test_doubles_come_in_as_they_print() -> None:
    assert Exact.parse(repr(0.1)) == Exact(1, -1)
    assert Exact.parse(repr(1e300)) == Exact(1, 300)
    assert Exact.parse(repr(-0.0)) == Exact.parse("0") == Exact(0, 0)


@pytest.mark.parametrize("literal", ["1e-999999999", "1e" + "9" * 500, "-1e-" + "9" * 500])
def test_hostile_exponents_cost_nothing(literal: str) -> None:
    started = time.perf_counter()
    number, three = Exact.parse(literal), Exact.parse("3e-5")
    assert not number.is_multiple_of(three)
    assert three.is_multiple_of(number) == literal.lstrip("-").startswith("1e-")
    assert number.compare(three) == -three.compare(number) != 0
    assert time.perf_counter() - started < 1
