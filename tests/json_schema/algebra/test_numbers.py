"""Sets of numbers against membership one by one."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.json_schema.algebra.numbers import (
    ALL_NUMBERS,
    NumberRange,
    complement_numbers,
    intersect_numbers,
    point,
)

ends = st.none() | st.integers(-8, 8).map(lambda n: Decimal(n) / 2)
steps = st.sampled_from([Decimal("0.5"), Decimal(1), Decimal(2), Decimal("1.5")])
ranges = st.builds(
    NumberRange, ends, ends, st.booleans(), st.booleans(), st.none() | steps, st.lists(steps, max_size=1).map(tuple)
)
unions = st.lists(ranges, max_size=3).map(tuple)
SAMPLES = [Fraction(n, 4) for n in range(-24, 25)]


def holds(union, value):
    return any(range_.contains(value) for range_ in union)


@settings(deadline=None, max_examples=200)
@given(unions, unions)
def test_operations_agree_with_membership(a, b):
    both, others = intersect_numbers(a, b), complement_numbers(a)
    for value in SAMPLES:
        assert holds(both, value) == (holds(a, value) and holds(b, value))
        assert holds(others, value) != holds(a, value)


@settings(deadline=None, max_examples=200)
@given(ranges)
def test_what_is_empty_has_no_member(range_):
    if range_.is_empty():
        assert not any(map(range_.contains, SAMPLES))


@pytest.mark.parametrize(
    "range_",
    [
        NumberRange(Decimal(2), Decimal(1)),
        NumberRange(Decimal(1), Decimal(1), low_open=True),
        NumberRange(Decimal("0.1"), Decimal("0.9"), multiple=Decimal(1)),
        NumberRange(multiple=Decimal(4), but_not=(Decimal(2),)),
        NumberRange(Decimal(1), Decimal(3), multiple=Decimal(2), but_not=(Decimal(2),)),
    ],
)
def test_emptiness_is_seen(range_):
    assert range_.is_empty()


def test_common_multiples_are_exact_for_any_number_of_digits():
    a, b = Decimal("0.0000000000000000000000000000003"), Decimal("0.0000000000000000000000000000002")
    (both,) = intersect_numbers((NumberRange(multiple=a),), (NumberRange(multiple=b),))
    assert both.multiple == Decimal("0.0000000000000000000000000000006")


def test_points_and_everything():
    assert complement_numbers(()) == ALL_NUMBERS
    assert complement_numbers(ALL_NUMBERS) == ()
    assert intersect_numbers((point(3),), (NumberRange(multiple=Decimal(1)),)) == (
        NumberRange(Decimal(3), Decimal(3), multiple=Decimal(1)),
    )
    assert repr(point(3)) == "<[3, 3]>"


@settings(deadline=None, max_examples=200)
@given(ranges)
def test_some_members(range_):
    found = range_.some()
    assert all(range_.contains(number) for number in found)
    assert not (found and range_.is_empty())
