"""Visible text: nothing is lost, nothing acts, nothing is invisible; for any text, and for a hostile corpus."""

from __future__ import annotations

import re
from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checkrail.boundary.canon import dumps
from checkrail.boundary.display.visible_text import Span, visible

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", "a|n:⏎|b"),
        ("\n\n", "n:⏎|n:⏎"),
        ("a\r\n", "a|h:\\u{D}|n:⏎"),
        ("a\tb", "a|h:⇥|b"),
        ("a ", "a|h:\\u{20}"),
        ("a   ", "a  |h:\\u{20}"),
        (" a", " a"),
        ("a \nb", "a |n:⏎|b"),
        ("\\u{20}", "h:\\u{5C}|u{20}"),
        ("\\\\u{", "\\|h:\\u{5C}|u{"),
        ("\\u20", "\\u20"),
        ("⏎⇥", "h:\\u{23CE}|h:\\u{21E5}"),
        ("\x1b[2J", "h:\\u{1B}|[2J"),
        ("\x9b2J", "h:\\u{9B}|2J"),
        ("\x1b]52;c;aGk=\x07", "h:\\u{1B}|]52;c;aGk=|h:\\u{7}"),
        ("\x1b]8;;http://e\x1b\\x", "h:\\u{1B}|]8;;http://e|h:\\u{1B}|\\x"),
        ("a\x08b\x7f", "a|h:\\u{8}|b|h:\\u{7F}"),
        ("a\x85b\u2028c\u2029", "a|h:\\u{85}|b|h:\\u{2028}|c|h:\\u{2029}"),
        ("\u202etxt.exe\u202c", "h:\\u{202E}|txt.exe|h:\\u{202C}"),
        ("\u2067a\u2069\u200f", "h:\\u{2067}|a|h:\\u{2069}|h:\\u{200F}"),
        ("hi\U000e0068\U000e0069", "hi|h:\\u{E0068}|h:\\u{E0069}"),
        ("a\ufe0f\U000e0100", "a|h:\\u{FE0F}|h:\\u{E0100}"),
        ("a\u200b\u200c\u200d", "a|h:\\u{200B}|h:\\u{200C}|h:\\u{200D}"),
        ("\u2060\ufeff\u00ad", "h:\\u{2060}|h:\\u{FEFF}|h:\\u{AD}"),
        ("a\u00a0b\u3000c", "a|h:\\u{A0}|b|h:\\u{3000}|c"),
        ("\u3164\u2800\u115f", "h:\\u{3164}|h:\\u{2800}|h:\\u{115F}"),
        ("x" + "\u0329" * 6, "x\u0329\u0329\u0329\u0329|h:\\u{329}|h:\\u{329}"),
        ("x" + "\u0329" * 4 + "y" + "\u0329" * 4, "x\u0329\u0329\u0329\u0329y\u0329\u0329\u0329\u0329"),
        ("\u0301", "h:\\u{301}"),
        (" \u0301", " |h:\\u{301}"),
        ("\n\u0301", "n:⏎|h:\\u{301}"),
        ("\u200b\u0301", "h:\\u{200B}|h:\\u{301}"),
        ("a\u17d2", "a|h:\\u{17D2}"),
        ("a\u1161\u1161", "a|h:\\u{1161}|h:\\u{1161}"),
        ("\ud800a", "h:\\u{D800}|a"),
        ("\ue000\U0010ffff\ufdd0", "h:\\u{E000}|h:\\u{10FFFF}|h:\\u{FDD0}"),
        ("👩\u200d💻", "👩|h:\\u{200D}|💻"),
        ("<script>![](http://e)</script>", "<script>![](http://e)</script>"),
        ("раy", "l:раy"),
    ],
)  # fmt: skip
def test_cases(text: str, expected: str) -> None:
    letters = {"text": "", "hidden": "h:", "newline": "n:", "lookalike": "l:"}
    assert "|".join(letters[span.kind] + span.text for span in visible(text)) == expected


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
