"""Ways to compare an extracted text with its source, each with a map back to the source.

You need this to find "ＡＣＭＥ  Corp" where the model wrote "ACME Corp" and still point at the exact characters of the
document. There is no fuzzy mode: edit distance would let an invented digit pass as a match.

A normal form cuts the text into segments and rewrites each by itself; all characters of a segment's rewriting map
to the whole segment, and only whole segments match. So the text under a reported span has the normal form that the
value has, always. For `nfkc` and `casefold` a segment is a character with what may combine with it (Unicode
UAX #15), cut after 30 as in the Stream-Safe format: without the cut, sorting a hostile run of marks takes quadratic
time. Making a form is O(n); it is kept with the document.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import combining, decomposition, normalize

__all__ = ["MODES", "NormalForm", "normal_form"]

_BLANKS = re.compile(r"\s+")
_DIGIT = re.compile(r"[0-9]")
_LONGEST_SEGMENT = 31
_LONGEST_GAP = 8  # code points between two digits of one number: " / ", " NWBK "
_GAP = "|"  # stands for a longer gap, and occurs in no value


@dataclass(frozen=True, slots=True, repr=False)
class NormalForm:
    """`text`, and for each of its characters the `[start, end)` of its segment; None maps each to itself."""

    text: str
    starts: array[int] | None = None
    ends: array[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The source's `[start, end)` under the form's, or None if that cuts a segment."""
        starts, ends = self.starts, self.ends
        if starts is None or ends is None:
            return start, end
        if start and starts[start - 1] == starts[start]:
            return None
        if end < len(starts) and starts[end] == starts[end - 1]:
            return None
        return starts[start], ends[end - 1]

    def __repr__(self) -> str:
        return f"<NormalForm {len(self.text)} characters>"


def normal_form(mode: str, text: str) -> NormalForm:
    """The normal form of `text`, whose `mode` is one of `MODES`.

    >>> normal_form("casefold", "Straße").text
    'strasse'
    """
    return MODES[mode](text)


def _exact(text: str) -> NormalForm:
    return NormalForm(text)


def _blanks(text: str) -> NormalForm:
    """Each run of white space is one space; none at the ends."""
    return _mapped(_blank_segments(text))


def _blank_segments(text: str) -> Iterator[tuple[str, int, int]]:
    at = len(text) - len(text.lstrip())
    stop = len(text.rstrip())
    while at < stop:
        run = _BLANKS.search(text, at, stop)
        words_end = run.start() if run else stop
        yield from ((text[i], i, i + 1) for i in range(at, words_end))
        if run:
            yield " ", run.start(), run.end()
        at = run.end() if run else stop


def _nfkc(text: str) -> NormalForm:
    if text.isascii():
        return NormalForm(text)
    return _mapped((normalize("NFKC", text[start:end]), start, end) for start, end in _segments(text))


def _casefold(text: str) -> NormalForm:
    if text.isascii():
        return NormalForm(text.lower())
    return _mapped((normalize("NFKC", text[start:end]).casefold(), start, end) for start, end in _segments(text))


def _digits(text: str) -> NormalForm:
    """The ASCII digits alone; more than a few other characters between two digits keep them apart."""
    return _mapped(_digit_segments(text))


def _digit_segments(text: str) -> Iterator[tuple[str, int, int]]:
    before = -1
    for digit in _DIGIT.finditer(text):
        if before >= 0 and digit.start() - before > _LONGEST_GAP:
            yield _GAP, before, before
        yield digit.group(), digit.start(), digit.end()
        before = digit.end()


MODES: dict[str, Callable[[str], NormalForm]] = {
    "exact": _exact,
    "ws": _blanks,
    "nfkc": _nfkc,
    "casefold": _casefold,
    "digits": _digits,
}


def _mapped(segments: Iterator[tuple[str, int, int]]) -> NormalForm:
    pieces = []
    starts, ends = array("q"), array("q")
    for piece, start, end in segments:
        pieces.append(piece)
        starts.extend([start] * len(piece))
        ends.extend([end] * len(piece))
    return NormalForm("".join(pieces), starts, ends)


def _segments(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(1, len(text)):
        if _begins_segment(text[at]) or at - start == _LONGEST_SEGMENT:
            yield start, at
            start = at
    yield start, len(text)


@lru_cache(maxsize=4096)
def _begins_segment(character: str) -> bool:
    """True if nothing before this character can combine with it or move past it."""
    first = normalize("NFKD", character)[0]
    return combining(first) == 0 and first not in _second_characters()


@lru_cache(maxsize=1)
def _second_characters() -> frozenset[str]:
    """The characters of combining class 0 that compose with the one before them, from the Unicode data."""
    seconds = {chr(c) for c in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}  # Hangul vowels and finals
    for code in range(0x30000):  # no character above decomposes into a pair
        parts = decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    return frozenset(second for second in seconds if not combining(second))
