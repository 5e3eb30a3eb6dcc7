"""Normal forms against `unicodedata` and their own definition, and the maps back to the text."""

from __future__ import annotations

import re
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.binding.normal_form import MODES, normal_form

tricky = "aA é\u0301\u0323\u0345ßﬁİſΣΐ한각\u1100\u1161\u11a8ｶﾞﾟ゛\u0bc6\u0bbe\u09c7\u09beⅧ①㎏ﷺ\U0001d15e\u00ad"
texts = st.text(st.sampled_from(tricky) | st.characters(codec="utf-8"), max_size=20)


@settings(max_examples=500, deadline=None)
@given(texts)
def test_nfkc_by_segments_is_nfkc(text: str) -> None:
    assert normal_form("nfkc", text).text == normalize("NFKC", text)


@pytest.mark.parametrize("first", [chr(c) for c in (0x41, 0xC5, 0x1100, 0xAC00, 0x9C7, 0xB47, 0x1B05, 0x11099)])
def test_nfkc_of_every_pair_with_what_may_combine(first: str) -> None:
    """Each character of the assigned planes after `first`: no composition crosses a segment's border."""
    for code in [*range(0x80, 0xD800, 3), *range(0xE000, 0x1F000, 3), *range(0x1100, 0x1200), *range(0x9BE, 0x9D8)]:
        text = first + chr(code)
        assert normal_form("nfkc", text).text == normalize("NFKC", text), ascii(text)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_definitions(text: str) -> None:
    assert normal_form("exact", text).text == text
    assert normal_form("ws", text).text == re.sub(r"\s+", " ", text).strip()
    assert normal_form("casefold", text).text == normalize("NFKC", text).casefold()


def test_digits_stay_apart_over_a_gap() -> None:
    assert normal_form("digits", "+49 (30) 12-34 and tel. 5 or ٣").text == "49301234|5"


@settings(max_examples=300, deadline=None)
@given(texts, st.sampled_from(sorted(MODES)))
def test_maps_go_forward_and_lead_to_text_with_the_same_form(text: str, mode: str) -> None:
    form = normal_form(mode, text)
    before = 0
    for at in range(len(form.text)):
        for size in (1, 2, 3):
            span = form.span(at, at + size) if at + size <= len(form.text) else None
            if span is not None:
                assert 0 <= span[0] <= span[1] <= len(text)
                if "|" not in form.text and form.text[at : at + size].strip():
                    assert normal_form(mode, text[slice(*span)]).text == form.text[at : at + size].strip(
                        " " if mode == "ws" else ""
                    )
        first = form.span(at, at + 1)
        if first is not None:
            assert first[0] >= before
            before = first[0]


def test_runs_of_marks_are_cut() -> None:
    text = "e" + "\u0301\u0323" * 40
    assert sorted(normal_form("nfkc", text).text) == sorted(
        normalize("NFKC", text[:31]) + normalize("NFKC", text[31:62]) + normalize("NFKC", text[62:])
    )


def test_repr_shows_no_text() -> None:
    assert repr(normal_form("ws", "secret  text")) == "<NormalForm 11 characters>"
