"""Sets of code points as normalised tuples of inclusive ranges.

Normalised means sorted, disjoint, not adjacent, and without surrogates (U+D800 to U+DFFF), so that equal sets
are equal tuples. The universe is the Unicode scalar values: a complement never holds a surrogate, because no
valid UTF-8 can write one. Each operation is linear in the number of ranges after one sort.

Use it wherever a `CharacterClass` is made. Sets of bytes are another thing and live with the automata.
"""

from __future__ import annotations

from collections.abc import Iterable

from .expression import CharacterClass

__all__ = [
    "ALL",
    "LAST",
    "Ranges",
    "character_class",
    "complement",
    "contains",
    "difference",
    "intersect",
    "is_surrogate",
    "normalise",
    "ranges_of",
    "union",
]

Ranges = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
ALL: Ranges = ((0x0, 0xD7FF), (0xE000, LAST))

_SURROGATES = (0xD800, 0xDFFF)


def is_surrogate(code: int) -> bool:
    """Is this half of a UTF-16 pair, which is no character?"""
    return _SURROGATES[0] <= code <= _SURROGATES[1]


def normalise(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Sort and join ranges given in any order; what lies outside the scalar values is dropped.

    >>> normalise([(98, 99), (97, 97), (0xD7FE, 0xE000)])
    ((97, 99), (55294, 55295), (57344, 57344))
    """
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if high < low:
            continue
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return intersect(tuple(joined), ALL)


def union(*sets: Iterable[tuple[int, int]]) -> Ranges:
    """What is in any of the sets."""
    return normalise(r for ranges in sets for r in ranges)


def intersect(left: Ranges, right: Ranges) -> Ranges:
    """What is in both sets (both normalised, but for surrogates)."""
    result: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        low = max(left[i][0], right[j][0])
        high = min(left[i][1], right[j][1])
        if low <= high:
            result.append((low, high))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(result)


def complement(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The scalar values that are not in the set.

    >>> complement([(0, 0x10FFFE)])
    ((1114111, 1114111),)
    """
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in normalise(ranges):
        gaps.append((start, low - 1))
        start = high + 1
    gaps.append((start, LAST))
    return normalise(gaps)


def difference(left: Ranges, right: Ranges) -> Ranges:
    """What is in `left` and not in `right`."""
    return intersect(left, complement(right))


def ranges_of(text: str) -> Ranges:
    """The set of the characters of a text."""
    return normalise((ord(c), ord(c)) for c in set(text))


def contains(ranges: Ranges, code: int) -> bool:
    """Is the code point a member? Linear; meant for tests and messages, not for inner loops."""
    return any(low <= code <= high for low, high in ranges)


def character_class(ranges: Iterable[tuple[int, int]], negated: bool = False) -> CharacterClass:
    """The expression for one character out of the ranges, or out of all others.

    >>> character_class([(48, 57), (55, 60)])
    CharacterClass(ranges=((48, 60),))
    """
    return CharacterClass(complement(ranges) if negated else normalise(ranges))
