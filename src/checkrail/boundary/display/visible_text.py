"""Visible text: what somebody else wrote, as spans that are safe to print and that show every character.

You need it wherever text of a model, a document or a tool is shown to a person who decides by it. You do not need it
for files and pipes, which take the text itself. `terminal` makes rows of the spans; a web page gets them as JSON.

What a reader could not see, or what acts on a screen, is written as `\\u{202E}`: control and format characters, odd
blanks, variation selectors, marks after the fourth, marks on nothing. A line feed is `⏎`, a tab `⇥`. Nothing else is
changed. A text that has `\\u{`, `⏎` or `⇥` in it, or a space at its end, has that written as an escape too, so that the
text can be read back from what is shown, with or without colors. Linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .characters import HIDDEN, MARK, can_carry, kind
from .lookalikes import Cluster, lookalikes

__all__ = ["NEWLINE", "TAB", "Kind", "Span", "visible"]

Kind: TypeAlias = Literal["text", "hidden", "newline", "lookalike"]

NEWLINE, TAB = "⏎", "⇥"
_MOST_MARKS = 4
_TOKENS = re.compile(r" +|\S+|\s")
_PLAIN = re.compile(r"(?:[!-\[\]-~]|\\(?!u\{))+")


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the text: `text` is what to show for its `[start, end)` in code points.

    kind: "text"; "hidden", an escape or a tab; "newline", after which the line ends; "lookalike", a word to look at
    again, and `note` says why in ASCII. Show them in different styles.
    """

    kind: Kind
    text: str
    start: int
    end: int
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The span as plain data, for a page that sets it with `textContent`."""
        data = {"kind": self.kind, "text": self.text, "start": self.start, "end": self.end}
        return {**data, "note": self.note} if self.note else data


def visible(text: str) -> list[Span]:
    """The spans of any text, in its order; together they cover it. It never fails, also not on halves of pairs.

    >>> [(span.kind, span.text) for span in visible("to \\u202eyou\\n")]
    [('text', 'to '), ('hidden', '\\\\u{202E}'), ('text', 'you'), ('newline', '⏎')]
    >>> visible("раypal")[0].note
    'mixes CYRILLIC and LATIN: U+0440 CYRILLIC SMALL LETTER ER, U+0430 CYRILLIC SMALL LETTER A'
    """
    spans: list[Span] = []
    begin = 0  # of the plain text that is not a span yet
    for found in _TOKENS.finditer(text):
        start, end = found.span()
        for span in _special(text, start, end):
            if begin < span.start:
                spans.append(Span("text", text[begin : span.start], begin, span.start))
            spans.append(span)
            begin = span.end
    if begin < len(text):
        spans.append(Span("text", text[begin:], begin, len(text)))
    return spans


def _special(text: str, start: int, end: int) -> Iterator[Span]:
    """The spans of a token that are not plain text."""
    if text[start] == "\n":
        yield Span("newline", NEWLINE, start, end)
    elif text[start] == " ":
        if end == len(text):  # nothing behind it would show that it is there
            yield Span("hidden", _escape(" "), end - 1, end)
    elif not _PLAIN.fullmatch(text, start, end):
        token = list(_clusters(text, start, end))
        notes = dict[int, str]()
        for found in lookalikes(text, token):
            notes.update(dict.fromkeys(range(found.first, found.last), found.note))
        yield from _marked(text, token, notes)


def _marked(text: str, token: list[Cluster], notes: dict[int, str]) -> Iterator[Span]:
    """The hidden clusters of a token one by one, and its marked words as far as nothing hidden divides them."""
    index = 0
    while index < len(token):
        start, end, part = token[index]
        index += 1
        if part == HIDDEN:
            yield Span("hidden", TAB if text[start] == "\t" else _escape(text[start]), start, end)
        elif index - 1 in notes:
            note = notes[index - 1]
            while index < len(token) and notes.get(index) is note and token[index].kind != HIDDEN:
                end = token[index].end
                index += 1
            yield Span("lookalike", text[start:end], start, end, note)


def _clusters(text: str, start: int, end: int) -> Iterator[Cluster]:
    """Characters with their marks. A mark that has nothing to stand on, or too much company, is hidden."""
    base = marks = 0  # of the open cluster: where it begins, how many marks it has
    part = HIDDEN
    for at in range(start, end):
        character = text[at]
        if _is_literal(text, at):
            following = HIDDEN
        elif (following := kind(character)) == MARK:
            if part != HIDDEN and marks < _MOST_MARKS and can_carry(text[base], character):
                marks += 1
                continue
            following = HIDDEN
        if at > start:
            yield Cluster(base, at, part)
        base, marks, part = at, 0, following
    yield Cluster(base, end, part)


def _is_literal(text: str, at: int) -> bool:
    """Whether the text has here what stands for something else in visible text."""
    character = text[at]
    return character in (NEWLINE, TAB) or (character == "\\" and text.startswith("u{", at + 1))


def _escape(character: str) -> str:
    return f"\\u{{{ord(character):X}}}"
