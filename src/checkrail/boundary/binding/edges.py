"""Where a span of a document may begin and end: the member `boundary` of `x-source`.

    any     anywhere
    word    not within a word or number: no letter or digit stands on both sides of an edge
    line    at the ends of lines; blanks between an edge and the end of its line do not count

You need it to find values in a document, and to know where copies from it may begin.
"""

from __future__ import annotations

from typing import Literal, get_args
from unicodedata import category

__all__ = ["BOUNDARIES", "Boundary", "beginnings", "endings", "is_bounded"]

Boundary = Literal["any", "word", "line"]

BOUNDARIES: tuple[Boundary, ...] = get_args(Boundary)
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def is_bounded(text: str, start: int, end: int, boundary: Boundary) -> bool:
    """Whether the span `[start, end)` of a text has the edges that a rule asks for."""
    return _may_begin(text, start, boundary) and _may_end(text, end, boundary)


def beginnings(text: str, boundary: Boundary) -> list[int]:
    """The offsets, ascending, at which a span may begin; it begins with no blank."""
    return [at for at, char in enumerate(text) if not char.isspace() and _may_begin(text, at, boundary)]


def endings(text: str, boundary: Boundary) -> list[int]:
    """The offsets, ascending, at which a span may end; it ends with no blank."""
    return [at for at, char in enumerate(text, 1) if not char.isspace() and _may_end(text, at, boundary)]


def _may_begin(text: str, at: int, boundary: Boundary) -> bool:
    if boundary == "line":
        return _begins_line(text, at)
    return boundary == "any" or not _cuts_word(text, at)


def _may_end(text: str, at: int, boundary: Boundary) -> bool:
    if boundary == "line":
        return _ends_line(text, at)
    return boundary == "any" or not _cuts_word(text, at)


def _cuts_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _in_word(text[at - 1]) and _in_word(text[at])


def _in_word(character: str) -> bool:
    return category(character)[0] in "LNM"  # letters, numbers, and the marks that belong to a letter


def _begins_line(text: str, at: int) -> bool:
    while at and _is_blank(text[at - 1]):
        at -= 1
    return at == 0 or text[at - 1] in _LINE_ENDS


def _ends_line(text: str, at: int) -> bool:
    while at < len(text) and _is_blank(text[at]):
        at += 1
    return at == len(text) or text[at] in _LINE_ENDS


def _is_blank(character: str) -> bool:
    return character.isspace() and character not in _LINE_ENDS
