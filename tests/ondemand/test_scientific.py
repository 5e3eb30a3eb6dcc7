"""Numbers in scientific notation: on demand the same as the expression, which is compiled as a whole."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.json_schema.algebra.numbers import NumberRange
from checkrail.json_schema.scientific import scientific_range
from checkrail.limits import DEFAULT_LIMITS
from checkrail.ondemand.scientific import scientific_language
from checkrail.regular.compile import compile_regular
from language_oracle import assert_same_language

_FAR = ["1e-400", "9.9e-309", "1e-308", "-9.9e-308", "1.5e-307", "-1e306", "9.9e307", "1e308", "3e400"]
_LONG = ["9.99999999999999999", "-1.00000000000000001", "1.000000000000000001", "-4.0000000000000000000000000000001"]
ends = st.one_of(
    st.none(),
    st.integers(-30, 30).map(Decimal),
    st.builds(lambda digits, exponent: Decimal(digits).scaleb(exponent), st.integers(-999, 999), st.integers(-6, 6)),
    st.sampled_from([*_FAR, *_LONG]).map(Decimal),
)


def agree(range_: NumberRange) -> None:
    written = scientific_range(range_.low, range_.high, low_open=range_.low_open, high_open=range_.high_open)
    language = scientific_language(range_, DEFAULT_LIMITS)
    if language is None:
        assert compile_regular(written).is_empty()
    else:
        assert_same_language(language, written)


@given(ends, ends, st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_it_is_the_expression(low: Decimal | None, high: Decimal | None, low_open: bool, high_open: bool) -> None:
    if low is not None and high is not None and low > high:
        low, high = high, low
    range_ = NumberRange(low, high, low_open, high_open)
    assume(not range_.is_empty())
    agree(range_)


@pytest.mark.parametrize(
    "range_",
    [
        NumberRange(),
        NumberRange(Decimal(0)),
        NumberRange(Decimal(0), Decimal(1), True, True),
        NumberRange(Decimal(-180), Decimal(180)),
        NumberRange(Decimal("1.5"), Decimal(200)),
        NumberRange(Decimal("3.5e2"), Decimal("3.2e3")),  # with the digits 3.4 there is no exponent
        NumberRange(Decimal("2.25"), Decimal("2.5"), True, True),
        NumberRange(Decimal("1e-310"), Decimal("1e-309")),
    ],
    ids=str,
)
def test_ranges_of_their_own_kind(range_: NumberRange) -> None:
    agree(range_)
