"""Visible text as rows for a terminal: each begins with a gutter that no text can reach or forge.

You need it to print `visible` text where a person reads it. You do not need it for pages, which take the spans as JSON.

A row is `| ` and a part of a line; `: ` and more of that line; or `! ` and a warning. A row that the next one goes on
with ends in a backslash. Lines are cut here and not by the terminal, so that nothing lands in the first column.
Widths are upper bounds: where a terminal draws a character narrower, the row is only shorter. What is right to left is
isolated row by row (Unicode UAX #9), so that it moves nothing else. Styles come from the table below: reverse, dim and
underlined, no colors. Nothing is cut off. Linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import InputError
from .characters import MARK, columns, is_right_to_left, kind
from .visible_text import Kind, Span, visible

__all__ = ["NARROWEST", "rows"]

NARROWEST = 20  # columns: the gutter, the longest escape, what is kept free

_LINE, _MORE, _WARNING = "| ", ": ", "! "
_CUT = "\\"
# the gutter, the backslash, the last column (where some terminals begin a new row by themselves), and the two isolates
# in case that the terminal draws them
_RESERVED = 2 + 1 + 1 + 2
_ISOLATE, _POP_ISOLATE = "\u2066", "\u2069"
_STYLES: dict[Kind, str] = {"hidden": "\x1b[7m", "newline": "\x1b[2m", "lookalike": "\x1b[4m"}
_PLAIN = "\x1b[0m"


def rows(spans: Iterable[Span], *, width: int = 80, styled: bool = False, ambiguous: int = 1) -> list[str]:
    """The rows of a text, and after them a warning for each word that is to be looked at again.

    width: columns of the terminal, at least 20. styled: with SGR sequences; leave them out where the output is no
    terminal or `NO_COLOR` is set, since nothing is lost without. ambiguous: the columns, 1 or 2, that the terminal
    gives to characters of East Asian width A.

    Raises `InputError` INPUT_FORMAT if it is narrower.

    >>> print("\\n".join(rows(visible("one\\ntwo \\x1b[2J"))))
    | one⏎
    | two \\u{1B}[2J
    """
    if width < NARROWEST:
        raise InputError("INPUT_FORMAT", name="width", what=f"must be at least {NARROWEST} columns")
    spans = list(spans)
    writer = _Rows(width - _RESERVED, styled, ambiguous)
    writer.block(_LINE, spans)
    words = dict.fromkeys((span.note, span.text) for span in spans if span.note)
    for note, word in words:
        writer.block(_WARNING, visible(f"{note}, in {word}"))
    return writer.rows


class _Rows:
    """Rows being filled: `parts` are the pieces of the open row, with their kinds, and `free` its columns left."""

    def __init__(self, room: int, styled: bool, ambiguous: int) -> None:
        self.room = room
        self.styled = styled
        self.ambiguous = ambiguous
        self.rows: list[str] = []
        self.parts: list[tuple[Kind, str]] = []
        self.free = room

    def block(self, gutter: str, spans: Iterable[Span]) -> None:
        """Rows of their own for a text; the lines after its first begin with the same gutter."""
        begin = gutter
        for span in spans:
            for piece in _pieces(span):
                needed = sum(columns(character, self.ambiguous) for character in piece)
                if needed > self.free:
                    self.end(begin, _CUT)
                    begin = _MORE
                self.parts.append((span.kind, piece))
                self.free -= needed
            if span.kind == "newline":
                self.end(begin)
                begin = gutter
        self.end(begin)

    def end(self, gutter: str, mark: str = "") -> None:
        """Close the row, empty or not."""
        content = "".join(self.styles()) if self.styled else "".join(piece for _, piece in self.parts)
        if is_right_to_left(content):
            content = f"{_ISOLATE}{content}{_POP_ISOLATE}"
        self.rows.append(gutter + content + mark)
        self.parts, self.free = [], self.room

    def styles(self) -> Iterator[str]:
        """The pieces with the sequences that begin and end their styles."""
        before: Kind = "text"
        for part, piece in self.parts:
            if part != before:
                yield (_PLAIN if before in _STYLES else "") + _STYLES.get(part, "")
            yield piece
            before = part
        if before in _STYLES:
            yield _PLAIN


def _pieces(span: Span) -> Iterator[str]:
    """What must stay in one row: a character with its marks, or an escape."""
    if span.kind == "hidden":
        yield span.text
        return
    begin = 0
    for at in range(1, len(span.text)):
        if kind(span.text[at]) != MARK:
            yield span.text[begin:at]
            begin = at
    yield span.text[begin:]
