"""Integer ranges against arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checkrail.grammar.expression import NOTHING, Choice
from checkrail.json_schema.integers import at_least, integer_range, natural_range, same_length

near = st.one_of(
    st.integers(-1200, 1200), st.integers(-(10**20), 10**20), st.sampled_from([10**9, 10**9 - 1, -(10**6)])
)


@settings(max_examples=250)
@given(near, near, st.data())
@example(0, 0, None)
@example(-1, 0, None)
@example(9, 10, None)
def test_a_range_holds_exactly_its_integers(accepts, low, high, data):
    low, high = min(low, high), max(low, high)
    expression = integer_range(low, high)
    probes = {low - 1, low, low + 1, high - 1, high, high + 1, 0, -low, -high, low * 10, high // 10}
    if data is not None:
        probes |= set(data.draw(st.lists(st.integers(low - 50, high + 50), max_size=5)))
    for value in probes:
        assert accepts(expression, str(value)) is (low <= value <= high), value


def test_every_small_range_by_brute_force(accepts):
    for low in range(-12, 13, 3):
        for high in range(low, 130, 11):
            expression = integer_range(low, high)
            found = {value for value in range(-150, 151) if accepts(expression, str(value))}
            assert found == set(range(low, high + 1))


@pytest.mark.parametrize("text", ["", "-0", "00", "007", "+1", "1.0", "1e1", "--1", "1 ", "٣"])
def test_only_the_canonical_spelling(accepts, text):
    assert not accepts(integer_range(-1000, 1000), text)


def test_an_empty_range():
    assert integer_range(1, 0) == NOTHING == natural_range(5, 4)


@given(st.integers(0, 10**12), st.integers(-20, 10**13))
def test_from_a_number_on(accepts, low, step):
    value = max(0, low + step)
    assert accepts(at_least(low), str(value)) is (value >= low)


@given(st.integers(0, 9999), st.integers(0, 9999), st.integers(0, 9999))
def test_digit_strings_of_one_length(accepts, low, high, value):
    low, high = min(low, high), max(low, high)
    assert accepts(same_length(f"{low:04}", f"{high:04}"), f"{value:04}") is (low <= value <= high)


def test_size_is_quadratic_in_the_digits_at_most():
    range_of_large = integer_range(0, int("123456789" * 30))
    assert isinstance(range_of_large, Choice)
    assert len(range_of_large.options) < 1000
