"""Where texts of control tokens begin, beside a search that tries every place."""

from __future__ import annotations

from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.vocabulary.control_literals import Literals, short

TEXTS = ["<think>", "<t", "</s>", "<|im_end|>", "[INST]", "<｜User｜>"]
PIECES = st.lists(st.one_of(st.sampled_from(TEXTS), st.text("<think>/s|_im[INST]｜User ＜＞é"), st.text())).map("".join)


@given(PIECES)
def test_starts_are_all_places_where_one_begins(text: str) -> None:
    expected = [at for at in range(len(text)) if any(text.startswith(each, at) for each in TEXTS)]
    assert list(Literals(TEXTS).starts(text)) == expected


@given(PIECES)
def test_no_fragment_holds_more_than_a_first_character(text: str) -> None:
    fragments = list(Literals(TEXTS).fragments(text))
    assert "".join(fragments) == text
    assert not any(each in fragment for fragment in fragments for each in TEXTS)
    assert all(fragments)


@given(PIECES)
def test_split_takes_the_longest_from_the_left(text: str) -> None:
    pieces = list(Literals(TEXTS).split(text))
    assert "".join(piece for piece, _ in pieces) == text
    assert all((piece in TEXTS) == is_control for piece, is_control in pieces)
    at = 0
    for piece, is_control in pieces:
        if is_control:
            assert piece == max((each for each in TEXTS if text.startswith(each, at)), key=len)
        at += len(piece)


@given(st.text(), st.sampled_from(TEXTS), st.text())
def test_likely_starts_are_found_in_other_letters(before: str, literal: str, after: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in literal)
    assert normalize("NFKC", wide) == normalize("NFKC", literal)
    for spelled in (literal, literal.upper(), wide):
        assert len(before) in Literals(TEXTS).likely_starts(before + spelled + after)


@given(PIECES)
def test_likely_starts_hold_the_exact_ones(text: str) -> None:
    literals = Literals(TEXTS)
    assert literals.likely_starts(text) >= set(literals.starts(text))


def test_what_begins_in_the_middle_of_an_expansion() -> None:
    """One character that becomes several: the place is that of the character."""
    assert Literals(["fi"]).likely_starts("a\N{LATIN SMALL LIGATURE FFI}") == {1}


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\t", "▁▁"])
def test_blanks_mean_themselves(blank: str) -> None:
    literals = Literals([blank, "<a>"])
    assert literals.texts == ("<a>",)
    assert list(literals.starts(f"x{blank}y")) == []


def test_no_texts_at_all() -> None:
    literals = Literals([])
    assert list(literals.fragments("abc")) == ["abc"]
    assert list(literals.fragments("")) == []
    assert literals.likely_starts("abc<é") == set()


@given(st.text("ab  \n", max_size=60), st.integers(1, 12))
def test_short_fragments(text: str, most: int) -> None:
    fragments = list(short(text, most))
    assert "".join(fragments) == text
    assert all(len(fragment) <= most for fragment in fragments)
    for before, after in pairwise(fragments):
        if len(before) < most:
            assert after.startswith(" ")
            assert not before[-1].isspace()
            assert not after[1:2].isspace()


def test_fragments_end_in_front_of_spaces() -> None:
    assert list(short("ab cd ef", 7)) == ["ab cd", " ef"]
    assert list(short("abcdefg", 3)) == ["abc", "def", "g"]
    assert list(short("abc", 3)) == ["abc"]
    assert list(short("", 3)) == [""]
