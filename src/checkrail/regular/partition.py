"""Letters: the coarsest partition of an integer alphabet that a set of edge labels cannot tell apart.

Two values that lie in exactly the same labels behave alike in every state, so an automaton needs one column
for both. The sweep over range borders costs O(r log r) for r ranges, plus one operation on integers a border.

The set of labels that holds a value is named by a sum without carry of a number for each label. For most automata
these are powers of two, so that the name is the set. For n labels that would take n bits at each border, so many
labels have random numbers of 128 bits each (Zobrist 1970): two sets have one name with a chance of 2**-128, which
nobody can choose labels for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import urandom

__all__ = ["Partition", "Ranges"]

Ranges = tuple[tuple[int, int], ...]
"""Inclusive ranges of integers: sorted, disjoint."""

_MOST_NAMED_EXACTLY = 1_024


@dataclass(frozen=True, slots=True)
class Partition:
    """Interval i holds the values from starts[i] to starts[i + 1] - 1; letters[i] is its letter, -1 for none.

    width: number of letters. Letters are numbered by their smallest value, so equal label sets give equal
    partitions.
    """

    starts: tuple[int, ...]
    letters: tuple[int, ...]
    width: int

    @classmethod
    def of(cls, labels: Iterable[Ranges]) -> Partition:
        """The partition that separates exactly what the labels separate."""
        flips: dict[int, int] = {0: 0}
        distinct = dict.fromkeys(labels)
        exact = len(distinct) <= _MOST_NAMED_EXACTLY
        for number, ranges in enumerate(distinct):
            bit = 1 << number if exact else int.from_bytes(urandom(16), "little")
            for low, high in ranges:
                flips[low] = flips.get(low, 0) ^ bit
                flips[high + 1] = flips.get(high + 1, 0) ^ bit
        numbers: dict[int, int] = {0: -1}
        starts: list[int] = []
        letters: list[int] = []
        inside = 0
        for start in sorted(flips):
            inside ^= flips[start]
            letter = numbers.setdefault(inside, len(numbers) - 1)
            if not letters or letters[-1] != letter:
                starts.append(start)
                letters.append(letter)
        return cls(tuple(starts), tuple(letters), len(numbers) - 1)

    def letter(self, value: int) -> int:
        """The letter of a value, -1 where no label holds it."""
        return self.letters[bisect_right(self.starts, value) - 1]

    def letters_of(self, ranges: Ranges) -> tuple[int, ...]:
        """The letters that make up a label (one of those the partition was made from)."""
        found: dict[int, None] = {}
        starts, letters = self.starts, self.letters
        for low, high in ranges:
            i = bisect_right(starts, low)
            found.update(dict.fromkeys(letters[i - 1 : bisect_right(starts, high, i)]))
        return tuple(found)

    def ranges_by_letter(self) -> list[Ranges]:
        """For each letter its values."""
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.width)]
        for i, letter in enumerate(self.letters[:-1]):
            if letter >= 0:
                found[letter].append((self.starts[i], self.starts[i + 1] - 1))
        return [tuple(r) for r in found]


def join_ranges(parts: Sequence[Ranges]) -> Ranges:
    """The union of disjoint range tuples, sorted, with touching neighbours merged."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(r for part in parts for r in part):
        if merged and merged[-1][1] + 1 == low:
            merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)
