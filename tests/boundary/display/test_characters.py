"""What may be shown and how wide it is, against the widths that a terminal library has for every character."""

from __future__ import annotations

import sys
from unicodedata import category

import pytest
from wcwidth import wcwidth

from checkrail.boundary.display.characters import (
    DIGIT,
    HIDDEN,
    LETTER,
    MARK,
    OTHER,
    can_carry,
    columns,
    is_right_to_left,
    kind,
    script,
)

ASSIGNED = [chr(code) for code in range(sys.maxunicode + 1) if category(chr(code)) not in ("Cn", "Co", "Cs")]


def test_what_is_shown_has_a_width_and_is_no_wider_than_its_bound() -> None:
    wrong = []
    for character in ASSIGNED:
        width = wcwidth(character)
        if kind(character) == MARK:
            agrees = width in (0, 1)
        else:
            agrees = kind(character) == HIDDEN or 1 <= width <= columns(character, 1)
        if not agrees:
            wrong.append(f"U+{ord(character):04X}")
    assert wrong == []


def test_what_has_no_width_is_a_mark_or_hidden() -> None:
    assert {kind(character) for character in ASSIGNED if wcwidth(character) < 1} == {MARK, HIDDEN}


@pytest.mark.parametrize(
    ("characters", "expected"),
    [
        ("\x00\x07\x08\t\n\r\x1b\x7f\x80\x85\x9b\x9f", HIDDEN),
        ("\xad\u061c\u180e\u200b\u200d\u200e\u202e\u2066\u2069\ufeff\U000e0001\U000e0041\U0001d173", HIDDEN),
        ("\u2028\u2029\xa0\u1680\u2000\u2009\u202f\u205f\u3000", HIDDEN),
        ("\ufe00\ufe0f\U000e0100\U000e01ef\u180b\u180d\u180f", HIDDEN),
        ("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159", HIDDEN),
        ("\ud800\udbff\udc00\udfff", HIDDEN),
        ("\ue000\uf8ff\U00100000\U0010fffd", HIDDEN),
        ("\u0378\ufdd0\uffff\U0001ffff\U0010ffff", HIDDEN),
        ("\u0301\u0489\u20dd\u05b0\u064b\u0e31\u0903\u1161\u11a8\ud7b0", MARK),
        ("aéяαא中あ한ªʰⅧ𝐩", LETTER),
        ("09٣१９𝟗", DIGIT),
        (" !~€→①½👩🇫\u2801．", OTHER),
    ],
)
def test_kinds(characters: str, expected: str) -> None:
    assert {kind(character) for character in characters} == {expected}


@pytest.mark.parametrize(
    ("character", "one", "two"),
    [("a", 1, 1), ("я", 1, 2), ("中", 2, 2), ("👩", 2, 2), ("🇫", 2, 2), ("→", 1, 2), ("\u0301", 1, 2)],
)
def test_columns(character: str, one: int, two: int) -> None:
    assert (columns(character, 1), columns(character, 2)) == (one, two)


@pytest.mark.parametrize(
    ("base", "mark", "carried"),
    [("a", "\u0301", True), ("1", "\u20dd", True), ("क", "\u093f", True), ("א", "\u05b0", True), ("한", "\u11a8", True),
     ("a", "\u17d2", False), ("a", "\u05b0", False), ("א", "\u093f", False), ("a", "\u1161", False)],
)  # fmt: skip
def test_marks_stand_on_letters_of_their_script(base: str, mark: str, carried: bool) -> None:
    assert can_carry(base, mark) is carried


def test_scripts() -> None:
    found = [script(character) for character in "aяα中あー\ud800"]
    assert found == ["LATIN", "CYRILLIC", "GREEK", "CJK", "HIRAGANA", "KATAKANA-HIRAGANA", ""]


@pytest.mark.parametrize(
    ("text", "expected"), [("abc 1", False), ("яé中", False), ("a א", True), ("سلام", True), ("٣", True)]
)
def test_direction(text: str, expected: bool) -> None:
    assert is_right_to_left(text) is expected
