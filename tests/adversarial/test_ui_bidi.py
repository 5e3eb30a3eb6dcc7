"""Attacks 15, 16, 18: text that reorders, hides in, or acts on the dialog."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.display.terminal import rows

HOSTILE = {
    "override": "delete \u202egnihton\u202c",
    "isolate": "\u2066a\u2069",
    "mark": "a\u200fb",
    "tags": "ok" + "".join(chr(0xE0000 + ord(c)) for c in "do evil"),
    "selectors": "ok\ufe0f\U000e0100",
    "clear screen": "\x1b[2J\x1b[H",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "link": "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "return": "visible\roverwritten",
    "backspace": "a\x08b",
    "c1": "\x9b2J",
    "separators": "a\u2028b\u2029c",
    "fillers": "\u3164\u2800\u115f",
}


def dialog(folder: Path, text: str, **options: str) -> tuple[str | None, str]:
    """The code of a call that writes the text, and the rows that were shown."""
    session = toy_tools.session(folder, "approve", **options)
    call = carry(session, Proposal.of_program("notes.append", {"text": text}), run=toy_tools.Runner())
    shown = (
        [] if call.view is None else [row for s in call.view.sections() for row in (*rows(s.heading), *rows(s.spans))]
    )
    return (None if call.error is None else call.error.code), "\n".join(shown)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_write_with_hidden_text_is_refused(tmp_path: Path, name: str) -> None:
    assert dialog(tmp_path, HOSTILE[name]) == ("TOOL_ARGS_HIDDEN_TEXT", "")


@pytest.mark.parametrize("name", HOSTILE)
def test_where_it_is_allowed_every_hidden_character_is_shown(tmp_path: Path, name: str) -> None:
    code, shown = dialog(tmp_path, HOSTILE[name], hidden="show")
    assert code is None
    assert {unicodedata.category(c) for c in shown if c != "\n"}.isdisjoint({"Cc", "Cf", "Cn", "Co", "Zl", "Zp"})
    hidden = [c for c in HOSTILE[name] if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
    joined = "".join(row[2:].removesuffix("\\") for row in shown.split("\n"))
    assert all(f"\\u{{{ord(c):X}}}" in joined for c in hidden)
    assert "cannot be seen" in joined


@pytest.mark.parametrize("text", ["buy milk\nand eggs\tnow", "größer, 牛奶, молоко, שלום", "a 👍 b"])
def test_ordinary_text_of_any_language_is_written(tmp_path: Path, text: str) -> None:
    code, shown = dialog(tmp_path, text)
    assert code is None
    assert "cannot be seen" not in shown
