"""All places where a text occurs in another, overlapping ones included, from left to right.

You need this when a hostile pair of texts must not cost more than their lengths. `str.find` is fast and, for one
call, linear; called again after each hit it prepares the whole pattern anew, which for a pattern of half a
megabyte and as many hits is quadratic. After a few hits of a long pattern the search goes on by Knuth, Morris and
Pratt (1977): O(len(text) + len(pattern)) for all hits together.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["occurrences"]

_SHORT = 64
_HITS = 64


def occurrences(text: str, pattern: str) -> Iterator[int]:
    """The offsets of `pattern`, which is not empty, in `text`.

    >>> list(occurrences("aaa", "aa"))
    [0, 1]
    """
    hits = 0
    at = text.find(pattern)
    while at >= 0:
        yield at
        hits += 1
        if hits >= _HITS and len(pattern) > _SHORT:
            yield from _knuth_morris_pratt(text, pattern, at + 1)
            return
        at = text.find(pattern, at + 1)


def _knuth_morris_pratt(text: str, pattern: str, start: int) -> Iterator[int]:
    borders = _borders(pattern)
    matched = 0
    for at in range(start, len(text)):
        while matched and pattern[matched] != text[at]:
            matched = borders[matched]
        if pattern[matched] == text[at]:
            matched += 1
        if matched == len(pattern):
            yield at + 1 - matched
            matched = borders[matched]


def _borders(pattern: str) -> list[int]:
    """borders[n]: the length of the longest proper prefix of pattern[:n] that is also its suffix."""
    borders = [0, 0]
    matched = 0
    for at in range(1, len(pattern)):
        while matched and pattern[matched] != pattern[at]:
            matched = borders[matched]
        if pattern[matched] == pattern[at]:
            matched += 1
        borders.append(matched)
    return borders
