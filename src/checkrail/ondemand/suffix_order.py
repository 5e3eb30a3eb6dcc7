"""The suffixes of a text in order: a suffix array.

All places where a string occurs are neighbours in it, so a set of places is two numbers. By doubling (Manber and Myers,
"Suffix arrays", 1993), where only what is still equal is sorted again (Larsson and Sadakane, 2007): O(n log n) look-ups
for any text, those of one letter included. A suffix automaton would have fewer states; but copies may begin only at
some places of a text, and then it is neither small nor quickly made. You need it for `copied`.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

__all__ = ["suffix_order", "suffixes_from"]

_FIRST = 8  # bytes that the first sort looks at
_SHORT = 64  # bytes in which the suffixes of a text without long repetitions differ


def suffixes_from(data: bytes, starts: Collection[int]) -> list[int]:
    """Those suffixes that begin at `starts`, in order. One sort where no two of them begin with the same 64 bytes."""
    order = sorted(starts, key=lambda at: data[at : at + _SHORT])
    if all(data[a : a + _SHORT] != data[b : b + _SHORT] for a, b in pairwise(order)):
        return order
    wanted = frozenset(starts)
    return [at for at in suffix_order(data) if at in wanted]


def suffix_order(data: bytes) -> list[int]:
    """The offsets of all suffixes, in the order of the suffixes.

    >>> suffix_order(b"banana")
    [5, 3, 1, 0, 4, 2]
    """
    size = len(data)
    order = sorted(range(size), key=lambda at: data[at : at + _FIRST])
    rank = [0] * size + [-1]  # of a suffix: where its group ends; behind the text is before everything
    seen = _FIRST
    groups = _regroup(order, rank, 0, size, [data[at : at + _FIRST] for at in order])
    while groups:
        left = []
        for low, high in groups:
            group = sorted(order[low:high], key=lambda at: rank[min(at + seen, size)])
            order[low:high] = group
            left += _regroup(order, rank, low, high, [rank[min(at + seen, size)] for at in group])
        groups, seen = left, 2 * seen
    return order


def _regroup(
    order: list[int], rank: list[int], low: int, high: int, keys: list[bytes] | list[int]
) -> list[tuple[int, int]]:
    """Rank a sorted part of the order by its keys; the groups of several that are still equal."""
    groups = []
    begin = low
    for at in range(low + 1, high + 1):
        if at == high or keys[at - low] != keys[begin - low]:
            for place in range(begin, at):
                rank[order[place]] = at
            if at - begin > 1:
                groups.append((begin, at))
            begin = at
    return groups
