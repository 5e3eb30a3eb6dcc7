"""The builders flatten, join and drop, and spell character classes."""

from __future__ import annotations

import pytest

from checkrail.grammar.expression import EMPTY, NOTHING, CharacterClass, Choice, Literal, Repeat, Sequence
from checkrail.json_schema.combine import alt, chars, optional, seq, times


def test_sequences_are_flat_and_texts_joined():
    inner = seq("b", chars("x"))
    assert seq("a", inner, "c") == Sequence((Literal("ab"), chars("x"), Literal("c")))
    assert seq("a", "", "b") == Literal("ab")
    assert seq() == EMPTY == seq("", seq())


def test_a_sequence_with_an_impossible_part_is_impossible():
    assert seq("a", NOTHING, "b") == NOTHING


def test_choices_are_flat_and_without_repeats():
    assert alt("a", alt("b", "a"), NOTHING) == Choice((Literal("a"), Literal("b")))
    assert alt("a", "a") == Literal("a")
    assert alt() == NOTHING


def test_repeats():
    assert optional("a", "b") == Repeat(Literal("ab"), 0, 1)
    assert times("a", 1, 1) == Literal("a")
    assert times("a", 2, None) == Repeat(Literal("a"), 2, None)


@pytest.mark.parametrize(
    ("spelling", "members"),
    [("a-c", "abc"), ("+-", "+-"), ("-+", "+-"), ("a-c-", "-abc"), ("0-9-.", None), ("x", "x")],
)
def test_character_classes(spelling, members):
    expected = "0123456789-." if members is None else members
    ranges = chars(spelling).ranges
    assert {chr(c) for low, high in ranges for c in range(low, high + 1)} == set(expected)
    assert isinstance(chars(spelling), CharacterClass)
