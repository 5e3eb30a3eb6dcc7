"""Number literals against Python's reading of them, ranges against exact arithmetic."""

from __future__ import annotations

import math
import sys
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checkrail.grammar.expression import NOTHING
from checkrail.json_schema.decimals import NUMBER, decimal_range
from checkrail.json_schema.literals import spell_number


@settings(max_examples=300)
@given(st.floats(allow_nan=False, allow_infinity=False))
@example(sys.float_info.max)
@example(-sys.float_info.max)
@example(sys.float_info.min)
@example(5e-324)
@example(9.999999999999999e307)
@example(1.7e308)
def test_every_double_can_be_written(accepts, value):
    assert accepts(NUMBER, repr(value))
    # A double beyond 2**53 without an exponent is an integer that a double may not hold: written with one.
    spelled = spell_number(Decimal(repr(value)))
    assert accepts(NUMBER, spelled) is ("." in spelled or "e" in spelled or abs(value) < 2**53)


digits = st.text("0123456789", min_size=1, max_size=19)
literal = st.builds(
    lambda sign, whole, fraction, exponent: sign + whole + fraction + exponent,
    st.sampled_from(["", "-"]),
    digits,
    st.one_of(st.just(""), digits.map(lambda d: f".{d}")),
    st.one_of(
        st.just(""),
        st.tuples(st.sampled_from(["e", "E", "e+", "e-"]), st.integers(0, 400)).map(lambda t: f"{t[0]}{t[1]}"),
    ),
)


@settings(max_examples=400)
@given(literal)
def test_no_literal_overflows_or_breaks_the_syntax(accepts, text):
    if accepts(NUMBER, text):
        assert math.isfinite(float(text))
        body = text.removeprefix("-")
        assert body[0] != "0" or body[1:2] in ("", ".", "e", "E")
        if body.isdigit():
            assert int(text) == int(float(text))


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-0",
        "-0.0",
        "0.5",
        "10",
        "1E5",
        "1e+05",
        "0e1",
        "0e+1",
        "123e45",
        "123.456e78",
        "-1.5",
        "1e-324",
        "9007199254740991",
        "1.7976931348623157e308",
        "1.7976931348623157E+308",
        "1e308",
        "0." + "0" * 77 + "1",
    ],
)
def test_taken(accepts, text):
    assert accepts(NUMBER, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "01",
        "-01",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "1.e1",
        "0x1",
        "1_0",
        "NaN",
        "Infinity",
        "1,5",
        "--1",
        "1e5e5",
        "9007199254740992",
        "99999999999999999",
        "1e309",
        "1.7976931348623158e308",
        "2e308",
        "10e307",
        "1e999",
        "1e-325",
        "1" * 18 + ".5",
        "0." + "1" * 18,
        "0." + "0" * 90,
    ],
)
def test_refused(accepts, text):
    assert not accepts(NUMBER, text)


decimals = st.one_of(
    st.integers(-1200, 1200).map(Decimal),
    st.tuples(st.integers(-(10**6), 10**6), st.integers(0, 4)).map(lambda t: Decimal(t[0]).scaleb(-t[1])),
)


@settings(max_examples=200)
@given(
    st.one_of(st.none(), decimals),
    st.one_of(st.none(), decimals),
    st.booleans(),
    st.booleans(),
    st.lists(decimals, max_size=6),
)
@example(Decimal(0), None, True, False, [Decimal("0.001"), Decimal(0), Decimal("-0.1")])
@example(Decimal("0.5"), Decimal("0.5"), False, False, [Decimal("0.5"), Decimal("0.50")])
@example(Decimal("0.5"), Decimal("0.5"), True, False, [Decimal("0.5")])
@example(Decimal("-1"), Decimal("0"), False, True, [Decimal("-0.5"), Decimal("0"), Decimal("-1")])
def test_a_range_holds_exactly_its_decimals(accepts, low, high, low_open, high_open, probes):
    expression = decimal_range(low, high, low_open=low_open, high_open=high_open)
    assert expression is not None
    ends = [
        bound + step
        for bound in (low, high)
        if bound is not None
        for step in (0, Decimal("0.0001"), -Decimal("0.0001"), 1, -1)
    ]
    for value in [*probes, *ends]:
        inside = low is None or value > low or (value == low and not low_open)
        inside = inside and (high is None or value < high or (value == high and not high_open))
        for text in {f"{value:f}", f"{value:f}" + ("0" if "." in f"{value:f}" else ".0")}:
            if text.lstrip("-").strip("0.") == "" and text.startswith("-"):
                assert not accepts(expression, text)
            else:
                assert accepts(expression, text) is inside, text


@pytest.mark.parametrize(
    ("low", "high"), [("1e17", None), (None, "-1e17"), ("1e-18", None), (None, "0.1234567890123456789")]
)
def test_bounds_that_plain_decimals_do_not_reach(low, high):
    assert decimal_range(low and Decimal(low), high and Decimal(high)) is None


def test_bounds_beyond_all_plain_decimals_do_not_matter(accepts):
    expression = decimal_range(Decimal("-1e300"), Decimal("1e300"))
    assert expression is not None
    assert accepts(expression, "99999999999999999.5")
    assert accepts(expression, "-99999999999999999.5")


def test_nothing_between(accepts):
    expression = decimal_range(Decimal(1), Decimal(0))
    assert expression is not None
    assert expression == NOTHING or not any(accepts(expression, t) for t in ("0", "1", "0.5", "2", "-1"))
