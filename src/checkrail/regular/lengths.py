"""Which lengths the words of a rest have, where they leave gaps: `(ab)*` has even ones only.

S(n), the rests with a word of exactly n letters, follows from S(n - 1) by going back along the moves; the sequence
comes to a cycle, so finitely many of these sets tell all (the rests are the states of an automaton over one letter:
Chrobak 1986). A set is the bits of an integer. Only needed where a shortest *and* a longest length are asked for of
an expression whose lengths may leave gaps; in all other cases the shortest and the longest word tell.
"""

from __future__ import annotations

from ..errors import BudgetError
from .rests import END, Rests

__all__ = ["WordLengths"]

_WORK_PER_STATE = 16


class WordLengths:
    """The lengths of the words of all rests that `start` leads to, up to `most`.

    Raises BudgetError GRAMMAR_BUDGET_STATES where there are too many rests, or too long cycles.
    """

    def __init__(self, rests: Rests, start: int, most: int) -> None:
        limit = rests.limits.states
        self._work = limit * _WORK_PER_STATE
        self._limit = limit
        self._bits: dict[int, int] = {}
        before, ends = self._explore(rests, start)
        self._sets: list[int] = [ends]
        self._cycle_start = -1
        self._windows: dict[tuple[int, int], int] = {}
        known = {ends: 0}
        while len(self._sets) <= most:
            following = self._step(before, self._sets[-1])
            if following in known:
                self._cycle_start = known[following]
                break
            known[following] = len(self._sets)
            self._sets.append(following)

    def __repr__(self) -> str:
        return f"<WordLengths of {len(self._bits)} rests, {len(self._sets)} sets>"

    def any_within(self, rest: int, low: int, high: int) -> bool:
        """Whether a rest has a word of `low` to `high` letters."""
        window = self._windows.get((low, high))
        if window is None:
            window = self._windows[low, high] = self._union(low, high)
        return bool(window >> self._bits[rest] & 1)

    def _union(self, low: int, high: int) -> int:
        sets = self._sets
        found = 0
        for length in range(low, min(high + 1, len(sets))):
            found |= sets[length]
        if self._cycle_start >= 0 and high >= len(sets):
            first = max(low, len(sets))
            period = len(sets) - self._cycle_start
            for length in range(first, min(high + 1, first + period)):
                found |= sets[self._cycle_start + (length - self._cycle_start) % period]
        return found

    def _explore(self, rests: Rests, start: int) -> tuple[list[int], int]:
        """For each rest the bits of those with a move to it; and the bits of those where a word may end."""
        order = [start]
        bits = self._bits
        bits[start] = 0
        before: list[int] = [0]
        ends = 0
        for rest in order:
            moves, accepts = rests.moves(rest)
            if accepts:
                ends |= 1 << bits[rest]
            for target in {target for _, target in moves}:
                if target not in bits:
                    bits[target] = len(order)
                    order.append(target)
                    before.append(0)
                    if len(order) > self._limit:
                        raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._limit, reached=len(order))
                before[bits[target]] |= 1 << bits[rest]
            self._spend(len(moves) + (len(order) >> 6))
        return before, ends

    def _step(self, before: list[int], members: int) -> int:
        found = 0
        self._spend(members.bit_count() + (len(before) >> 6) + 1)
        while members:
            lowest = members & -members
            found |= before[lowest.bit_length() - 1]
            members ^= lowest
        return found

    def _spend(self, work: int) -> None:
        self._work -= work
        if self._work < 0:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._limit, reached=len(self._bits))


assert END == 0
