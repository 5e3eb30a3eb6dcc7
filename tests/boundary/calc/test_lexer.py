"""Tokens of the calculator: spans, kinds, and numbers against the decimal digits they are written in."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from checkrail.boundary.calc.lexer import LONGEST_NUMBER, Token, fail, token_at
from checkrail.errors import CalcError


def test_all_kinds_with_their_spans() -> None:
    text = " 12.5e+1\t+abs_1\r\n( ,)^-*/"
    found, offset = [], 0
    while not found or found[-1].kind != "end":
        found.append(token_at(text, offset))
        offset = found[-1].end
    assert found == [
        Token("number", 1, 8, 125.0),
        Token("+", 9, 10),
        Token("name", 10, 15),
        Token("(", 17, 18),
        Token(",", 19, 20),
        Token(")", 20, 21),
        Token("^", 21, 22),
        Token("-", 22, 23),
        Token("*", 23, 24),
        Token("/", 24, 25),
        Token("end", 25, 25),
    ]


def test_the_end_stands_behind_the_blanks() -> None:
    assert token_at("1  ", 1) == Token("end", 3, 3)


@pytest.mark.parametrize("character", ["\x00", "\x0b", "\x0c", "%", "!", "=", "[", "é", "\u00a0", "２", "\ud800"])
def test_other_characters_are_refused(character: str) -> None:
    with pytest.raises(CalcError) as caught:
        token_at("1 " + character, 1)
    assert (caught.value.code, caught.value.span) == ("CALC_CHAR", (2, 3))
    assert caught.value.params["character"] == f"U+{ord(character):04X}"


@given(
    st.builds(
        "{}{}{}".format,
        st.integers(0, 10**25).map(str),
        st.one_of(st.just(""), st.text("0123456789", min_size=1, max_size=20).map(".{}".format)),
        st.one_of(
            st.just(""), st.tuples(st.sampled_from(["e", "E"]), st.integers(-340, 310)).map("{0[0]}{0[1]}".format)
        ),
    )
)
@example("9007199254740993")
@example("1.7976931348623158079e308")
@example("2.4703282292062327e-324")
@example("2.4703282292062328e-324")
@example("0e999")
def test_a_literal_is_the_nearest_double(literal: str) -> None:
    exact = Fraction(literal)
    try:
        nearest = exact.numerator / exact.denominator
    except OverflowError:
        nearest = math.inf
    if nearest == math.inf or (nearest == 0.0 and exact):
        with pytest.raises(CalcError) as caught:
            token_at(literal, 0)
        assert caught.value.code == "CALC_LITERAL_RANGE"
        assert caught.value.params["what"] == ("too large" if nearest else "too small")
    else:
        assert token_at(literal, 0) == Token("number", 0, len(literal), nearest)


def test_length_of_a_number() -> None:
    assert token_at("1" * LONGEST_NUMBER, 0).end == LONGEST_NUMBER
    with pytest.raises(CalcError, match="longer than 64 characters"):
        token_at("1" * LONGEST_NUMBER + "1", 0)


def test_failures_point_into_the_text() -> None:
    with pytest.raises(CalcError) as caught:
        fail("1\n2 $", "CALC_NAME", 4, 5)
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column, caught.value.span) == (2, 3, (4, 5))
