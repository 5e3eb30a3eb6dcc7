"""Rows on the screen of a terminal emulator: the gutter stays, nothing else moves, and the text can be read off it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import combining, normalize

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcwidth

from checkrail.boundary.display.terminal import NARROWEST, rows
from checkrail.boundary.display.visible_text import visible
from checkrail.errors import InputError

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
VECTORS = Path(__file__).resolve().parents[3] / "conformance" / "display.json"
ROWS = json.loads(VECTORS.read_text("utf-8"))["rows"]
WIDTHS = (20, 33, 80)
ROW = re.compile(r"[|:!] \u2066?(?:[^\x00-\x1f\x7f-\x9f]|\x1b\[[0247]m)*\u2069?\\?")

PIECES = [
    *[
        "\x1b[2J",
        "\x1b[H",
        "\x1b[1;1H",
        "\x1b[31;7m",
        "\x1b[8m",
        "\x1b[0m",
        "\x1b[?25l",
        "\x1b[?7l",
        "\x1b[3J",
        "\x1bc",
    ],
    *[
        "\x1b[10A",
        "\x1b[99D",
        "\x1b[2K",
        "\x1b[1M",
        "\x1b[5L",
        "\x1b[3P",
        "\x1b[4h",
        "\x1b[2;4r",
        "\x1b(0",
        "\x1b7",
        "\x1b8",
    ],
    *["\x1b]0;title\x07", "\x1b]52;c;aGVsbG8=\x07", "\x1b]8;;http://e\x1b\\link\x1b]8;;\x1b\\", "\x1bP+q544e\x1b\\"],
    *["\x1b[6n", "\x1b[c", "\x1b]11;?\x07", "\x9b2J", "\x9d0;t\x9c", "\x90q\x9c", "\x85", "\x84", "\x8d", "\x1bM"],
    *["\b\b\b", "\r", "\r\n", "\n", "\n\n\n", "\t", "\v", "\f", "\x00", "\x07", "\x0e", "\x0f", "\x7f", "\x18"],
    *[
        "\u202e",
        "\u202d",
        "\u202c",
        "\u2066",
        "\u2067",
        "\u2068",
        "\u2069",
        "\u200e",
        "\u200f",
        "\u061c",
        "שלום",
        "مرحبا 123",
    ],
    *["\U000e0041\U000e0042", "\U000e0001", "\ufe0f", "\ufe00", "\U000e0100", "\U000e01ef", "\u180b"],
    *[
        "\u200b",
        "\u200c",
        "\u200d",
        "\u2060",
        "\ufeff",
        "\u00ad",
        "\u034f",
        "\u3164",
        "\u115f",
        "\u2800",
        "\u00a0",
        "\u3000",
    ],
    *[
        "Z" + "\u0351" * 40,
        "\u0301" * 9,
        "e\u0301",
        "a\u20dd",
        "\u0903",
        "क्षि",
        "กำ",
        "\u1112\u1161\u11ab",
        "\u1161" * 5,
    ],
    *["漢字仮名", "ｆｕｌｌ", "ﾊﾝｶｸ", "한국어", "👩‍💻", "🇫🇷🇩🇪", "👍🏽", "😀😀😀", "䷀", "☰"],
    *["раypal", "аррӏе.com", "example．com/a.b", "| ", ": ", "! ", "\\", "\\u{41}", "\\u{", "⏎", "⇥", "│"],
    *[" ", "   ", "x" * 50, "word ", "rm -rf / ", "approve? [y/N] ", "\ud800", "\udfff", "\ue000", "\U0010ffff"],
]


def corpus(count: int) -> list[str]:
    """The pieces alone, and random sequences of them."""
    random = Random(8785)
    mixed = ["".join(random.choices(PIECES, k=random.randint(2, 12))) for _ in range(count - len(PIECES))]
    return [*PIECES, *mixed]


CORPUS = corpus(2_000 if THOROUGH else 350)


class Terminal:
    """A screen with something on it above and below the place where the rows are printed."""

    ABOVE = BELOW = 2

    def __init__(self, width: int, drawn: list[str]) -> None:
        self.drawn = drawn
        self.screen = pyte.Screen(width, self.ABOVE + len(drawn) + self.BELOW)
        self.stream = pyte.Stream(self.screen, strict=True)
        for line in [*range(1, self.ABOVE + 1), *range(self.screen.lines - self.BELOW + 1, self.screen.lines + 1)]:
            self.stream.feed(f"\x1b[{line};1H\x1b[7m" + "#" * width + "\x1b[0m")
        self.stream.feed(f"\x1b[{self.ABOVE + 1};1H")
        self.before = self.state()
        self.stream.feed("\r\n".join(drawn))

    def state(self) -> tuple[object, ...]:
        """What text must not change: title, modes, margins, character sets, tab stops, saved cursors, style."""
        screen = self.screen
        charsets = (screen.charset, screen.g0_charset, screen.g1_charset)
        style = (screen.cursor.attrs, screen.cursor.hidden, len(screen.savepoints))
        edges = [self.cells(line) for line in self.outside()]
        return (
            screen.title,
            screen.icon_name,
            set(screen.mode),
            screen.margins,
            charsets,
            set(screen.tabstops),
            style,
            edges,
        )

    def outside(self) -> list[int]:
        last = self.screen.lines
        return [*range(self.ABOVE), *range(last - self.BELOW, last)]

    def cells(self, line: int) -> list[pyte.screens.Char]:
        return [self.screen.buffer[line][column] for column in range(self.screen.columns)]

    def lines(self) -> list[list[pyte.screens.Char]]:
        return [self.cells(self.ABOVE + i) for i in range(len(self.drawn))]

    def check(self) -> None:
        """Nothing outside of the rows changed, and in each row the text stays between gutter and last column."""
        assert self.state() == self.before
        assert self.screen.cursor.y == self.ABOVE + len(self.drawn) - 1
        blank = self.screen.default_char
        for row, cells in zip(self.drawn, self.lines(), strict=True):
            assert [cell.data for cell in cells[:2]] == [row[0], " "]
            assert cells[0] == blank._replace(data=row[0])
            assert cells[-1] == blank
            assert {(cell.fg, cell.bg, cell.bold, cell.blink) for cell in cells} == {
                ("default", "default", False, False)
            }

    def text(self) -> str:
        """The text, read off the screen."""
        shown = ["".join(cell.data for cell in cells).rstrip(" ") for cells in self.lines()]
        shown = shown[: next((i for i, line in enumerate(shown) if line.startswith("!")), len(shown))]
        pieces = []
        for i, line in enumerate(shown):
            goes_on = i + 1 < len(shown) and shown[i + 1].startswith(":")
            pieces.append(line[2:].removesuffix("\\") if goes_on else line[2:])
        symbols = {"⏎": "\n", "⇥": "\t"}
        return re.sub(
            r"\\u\{([0-9A-F]+)\}|⏎|⇥", lambda found: symbols.get(found[0]) or chr(int(found[1], 16)), "".join(pieces)
        )


def can_be_emulated(text: str) -> bool:
    """Whether pyte draws it: it stops at marks that have no width and no combining class."""
    return not any(wcwidth(character) == 0 and not combining(character) for character in text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("styled", [False, True], ids=["plain", "styled"])
def test_no_cell_outside_the_gutter_changes(width: int, styled: bool) -> None:
    readable = 0
    for text in CORPUS:
        drawn = rows(visible(text), width=width, styled=styled)
        assert all(map(ROW.fullmatch, drawn)), text
        assert styled or not any("\x1b" in row for row in drawn)
        Terminal(width, drawn).check()
        without = [row.replace("\u2066", "").replace("\u2069", "") for row in drawn]  # pyte does not know them
        if can_be_emulated("".join(without)):
            terminal = Terminal(width, without)
            terminal.check()
            assert normalize("NFC", terminal.text()) == normalize("NFC", text)
            readable += 1
    assert readable > 0.6 * len(CORPUS)


@settings(max_examples=150)
@given(st.text(max_size=60), st.integers(NARROWEST, 90), st.booleans(), st.sampled_from([1, 2]))
def test_any_text(text: str, width: int, styled: bool, ambiguous: int) -> None:
    drawn = rows(visible(text), width=width, styled=styled, ambiguous=ambiguous)
    assert all(map(ROW.fullmatch, drawn))
    Terminal(width, drawn).check()
    for row in drawn:
        assert sum(max(0, wcwidth(character)) for character in re.sub(r"\x1b\[\dm", "", row)) < width


@pytest.mark.parametrize("case", ROWS, ids=lambda case: ascii(case["text"]))
def test_vector(case: dict[str, Any]) -> None:
    assert rows(visible(case["text"]), **case.get("options", {})) == case["rows"]


def test_a_terminal_that_is_too_narrow_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        rows([], width=NARROWEST - 1)
    assert caught.value.code == "INPUT_FORMAT"
    assert rows([], width=NARROWEST)
