"""Which words are marked, and why; and that ordinary text in many scripts is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checkrail.boundary.display.visible_text import visible

VECTORS = json.loads((Path(__file__).resolve().parents[3] / "conformance" / "display.json").read_text("utf-8"))


def notes(text: str) -> dict[str, str]:
    """Each marked word and the reasons, without the list of characters."""
    return {span.text: span.note.partition(": ")[0] for span in visible(text) if span.kind == "lookalike"}


@pytest.mark.parametrize("case", VECTORS["words"], ids=lambda case: ascii(case["text"]))
def test_marked(case: dict[str, str]) -> None:
    assert notes(case["text"])[case["word"]] == case["reason"]


def test_a_hidden_character_does_not_divide_a_word() -> None:
    found = [(span.kind, span.text) for span in visible("р\u200bауpal, ра\u200bу.com 1\u200d٢")]
    assert found == [
        ("lookalike", "р"), ("hidden", "\\u{200B}"), ("lookalike", "ауpal"), ("text", ", "),
        ("lookalike", "ра"), ("hidden", "\\u{200B}"), ("lookalike", "у"), ("text", ".com "),
        ("lookalike", "1"), ("hidden", "\\u{200D}"), ("lookalike", "٢"),
    ]  # fmt: skip


@pytest.mark.parametrize("blank", [" ", "\n", "\t", "\r\n", "\x85", "\u00a0", "\u2009", "\u2028", "\u3000"])
def test_blanks_of_all_kinds_divide_words(blank: str) -> None:
    assert notes(f"слово{blank}word") == {}
    assert notes(f"слово{blank}a.word") == {}


def test_each_character_is_listed_once_and_the_list_is_bounded() -> None:
    (span,) = visible("раypаl")
    assert span.note.partition(": ")[2] == "U+0440 CYRILLIC SMALL LETTER ER, U+0430 CYRILLIC SMALL LETTER A"
    (span,) = visible("a" + "".join(map(chr, range(0x430, 0x450))))
    assert span.note.count("U+") == 16
    assert span.note.endswith(" and 16 more")
    (span,) = visible("a" + "".join(map(chr, range(0x430, 0x440))))
    assert " more" not in span.note
    assert span.note.isascii()


@pytest.mark.parametrize("text", VECTORS["plain"], ids=ascii)
def test_ordinary_text_is_not_marked(text: str) -> None:
    assert [span for span in visible(text) if span.kind != "text"] == []
