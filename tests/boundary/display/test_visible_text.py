"""Visible text: nothing is lost, nothing acts, nothing is invisible; for any text, and for a hostile corpus."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checkrail.boundary.canon import dumps
from checkrail.boundary.display.visible_text import Span, visible

VECTORS = Path(__file__).resolve().parents[3] / "conformance" / "display.json"
CASES = json.loads(VECTORS.read_text("utf-8"))["cases"]
ESCAPE = re.compile(r"\\u\{([0-9A-F]+)\}|⏎|⇥", re.DOTALL)
nasty = st.sampled_from(
    "\\u{}0A⏎⇥ \t\n\r\x1b\x07\x9b\u202e\u2066\u200b\ufe0f\U000e0041\u0301\u17d2\u1161aр漢א\ud800\udc00👩"
)
texts = st.text(nasty | st.characters(), max_size=20)


def shown(text: str) -> str:
    return "".join(span.text for span in visible(text))


def read_back(shown_text: str) -> str:
    """The text that is shown so: the reverse of `visible`, from its documentation alone."""

    def meaning(found: re.Match[str]) -> str:
        return {"⏎": "\n", "⇥": "\t"}.get(found[0]) or chr(int(found[1], 16))

    return ESCAPE.sub(meaning, shown_text)


@settings(max_examples=1_000)
@given(texts)
@example("\\u{41}")
@example("\\\\u{41}\\u{")
@example("\\u\u200b{41}")
@example("⏎⇥\n\t ")
@example("\ud83d\ude00")
def test_nothing_is_lost(text: str) -> None:
    assert read_back(shown(text)) == text


@settings(max_examples=500)
@given(texts)
def test_spans_cover_the_text_in_its_order(text: str) -> None:
    spans = visible(text)
    assert [span.start for span in spans] == [0, *(span.end for span in spans)][: len(spans)]
    assert (spans[-1].end if spans else 0) == len(text)
    for span in spans:
        assert span.start < span.end
        if span.kind in ("text", "lookalike"):
            assert span.text == text[span.start : span.end]
        assert (span.note != "") == (span.kind == "lookalike")
        assert span.note.isascii()


@settings(max_examples=500)
@given(texts)
def test_nothing_acts_and_nothing_is_invisible(text: str) -> None:
    result = shown(text)
    assert all(category(character)[0] not in "CZ" or character == " " for character in result)
    assert not re.search("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u034f\u115f\u1160\u2800\u3164]", result)
    assert not result.endswith(" ")
    assert result.encode("utf-8").decode("utf-8") == result
    assert dumps([span.to_json() for span in visible(text)])
    marks = 0
    for character in "\n" + result:
        marks = marks + 1 if category(character)[0] == "M" else 0
        assert marks <= 4


def test_plain_text_is_one_span() -> None:
    assert visible("") == []
    assert visible("C:\\new\\user {1}") == [Span("text", "C:\\new\\user {1}", 0, 15)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"]))
def test_vector(case: dict[str, Any]) -> None:
    spans = visible(case["text"])
    assert [[span.kind, span.text] for span in spans] == case["spans"]
    assert "".join(case["text"][span.start : span.end] for span in spans) == case["text"]


def test_as_data() -> None:
    assert [span.to_json() for span in visible("a\nя1b рa")][:2] == [
        {"kind": "text", "text": "a", "start": 0, "end": 1},
        {"kind": "newline", "text": "⏎", "start": 1, "end": 2},
    ]
    (data,) = (span.to_json() for span in visible("рa"))
    assert data == {
        "kind": "lookalike",
        "text": "рa",
        "start": 0,
        "end": 2,
        "note": "mixes CYRILLIC and LATIN: U+0440 CYRILLIC SMALL LETTER ER",
    }


@pytest.mark.parametrize(
    "piece",
    ["a", "a ", "\n", "\u0301", "\u200b", "рa", "рa ", "漢", "a.я", "\\u{", "1٢", "\x1b", "한\u1161", "e\u0301"],
)
def test_size_is_linear(piece: str) -> None:
    for count in (100, 10_000):
        spans = visible(piece * count)
        assert sum(len(span.text) for span in spans) <= 10 * len(piece) * count
        assert all(len(span.note) < 2_000 for span in spans)
