"""Expressions with their values: what is one, and the language that a mask is given."""

from __future__ import annotations

import os
from collections.abc import Hashable
from random import Random

import pytest

from checkrail.boundary.calc.calculator import MAX_BYTES, calc
from checkrail.boundary.calc.equation import LONGEST_LITERAL, MOST_OPERATIONS, Equations, equation, is_equation
from checkrail.boundary.calc.parser import MAX_DEPTH, MAX_NODES, parse
from checkrail.errors import CalcError

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
LANGUAGE = Equations()


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("3 * 41.50", "3 * 41.50 = 124.5"),
        ("0.1+0.2", "0.1+0.2 = 0.30000000000000004"),
        ("2^70", "2^70 = 1.1805916207174113e+21"),
        ("0-0", "0-0 = 0"),
        ("-5", "-5 = -5"),
        ("1/0", "1/0 = undefined"),
    ],
)
def test_texts(expression: str, text: str) -> None:
    assert equation(expression) == text
    assert is_equation(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1 =1",
        "1= 1",
        "1 = 1 ",
        " 1 = 1.0",
        "1 = 01",
        "1+1 = 3",
        "1/0 = 0",
        "1/ = undefined",
        "1 = 1 = 1",
        " = ",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not is_equation(text)


def reached(text: str) -> Hashable | None:
    """The place after a text; None where the language has no such beginning."""
    place = LANGUAGE.start
    for byte in text.encode():
        following = dict(LANGUAGE.moves(place))
        if byte not in following:
            return None
        place = following[byte]
    return place


def is_text(text: str) -> bool:
    place = reached(text)
    return place is not None and LANGUAGE.ends(place)


@pytest.mark.parametrize(
    "expression",
    ["0", "10.05", "1e99", "2e-9", "-(-3) * abs(0-2)", "sqrt(2)^2", "( 1 + 2 )/ 3", "- 2", "round( 2.5 )", "1/0"],
)
def test_what_can_be_written(expression: str) -> None:
    assert is_text(equation(expression))


@pytest.mark.parametrize(
    "beginning", ["01", "1.e", "1 2", "1  ", " ", "()", ")", "max", "absq", "abs 2", "1)", "1e100", "+"]
)
def test_what_cannot(beginning: str) -> None:
    assert reached(beginning) is None


def test_the_digits_are_forced() -> None:
    place = reached("2*3 =")
    text = ""
    while place is not None and not LANGUAGE.ends(place):
        ((byte, place),) = LANGUAGE.moves(place)
        text += chr(byte)
    assert text == " 6"
    assert place is not None
    assert LANGUAGE.moves(place) == []


def test_all_short_texts_are_equations_and_all_short_equations_are_texts() -> None:
    letters = "0123 .-*/(e)"
    length = 4 if THOROUGH else 3
    beginnings = [""]
    expressions = set()
    for beginning in beginnings:
        place = reached(beginning)
        assert place is not None
        if len(beginning) <= length and ord("=") in dict(LANGUAGE.moves(reached(beginning + " ") or place)):
            expressions.add(beginning)
        if len(beginning) < length:
            beginnings += [beginning + chr(byte) for byte, _ in LANGUAGE.moves(place) if chr(byte) in letters]
    expected = set()
    texts = [""]
    for text in texts:
        try:
            parse(text)
            if text == text.strip() and "  " not in text:
                expected.add(text)
        except CalcError:
            pass
        if len(text) < length:
            texts += [text + letter for letter in letters]
    assert {text for text in expressions if text == text.strip()} == expected


def test_random_texts_end_and_are_within_all_bounds() -> None:
    random = Random(3)
    undefined = longest = 0
    for number in range(3_000 if THOROUGH else 80):
        place: Hashable = LANGUAGE.start
        text = ""
        while not LANGUAGE.ends(place):
            moves = LANGUAGE.moves(place)
            assert moves, text
            assert {byte for byte, _ in moves} <= set(LANGUAGE.alphabet)
            liked = ("", "-(afcrs+*/^", "0123456789.e")[number % 3]
            byte, place = random.choice([move for move in moves if chr(move[0]) in liked] or moves)
            text += chr(byte)
        assert is_equation(text), text
        expression = text.partition(" = ")[0]
        nodes = parse(expression)  # raises for what is too deep, too long, or has a literal out of range
        assert len(nodes) <= 2 * MOST_OPERATIONS + 1 < MAX_NODES
        undefined += calc(expression).value is None
        longest = max(longest, len(expression))
    assert undefined
    assert longest > 150


def test_the_longest_expressions_are_within_the_bounds_of_the_calculator() -> None:
    literal = "1" * LONGEST_LITERAL
    chain = " + ".join([literal] * (MOST_OPERATIONS + 1))
    calls = "floor( " * MOST_OPERATIONS + literal + " )" * MOST_OPERATIONS
    for expression in (chain, calls, "- " * MOST_OPERATIONS + literal, "^".join("2" * (MOST_OPERATIONS + 1))):
        assert reached(expression) is not None
        assert len(expression) <= MAX_BYTES
        assert parse(expression)
        assert reached(expression + " + ") is None
    assert reached(literal + "1") is None
    assert MOST_OPERATIONS + 1 < MAX_DEPTH
