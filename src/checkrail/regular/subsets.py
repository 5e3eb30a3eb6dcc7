"""Subset construction on demand: sets of rests, and how many letters their words may still have.

A state is a set of rests (`derivatives.py`) with a window: at least `need` and at most `room` letters follow (-1: no
bound). Rests without a word in the window are left out, so every state is alive, and a window that no word of the
state can miss is dropped, so `[a-z]+` of 3 to 20 letters is no larger than its counts. A row costs its moves.

Bounded by `limits.states`; the members of all sets by a multiple of it.
"""

from __future__ import annotations

from operator import le

from ..errors import BudgetError
from .derivatives import ENDLESS, Derivatives, Node
from .lengths import WordLengths

__all__ = ["NO_BOUND", "Subsets"]

NO_BOUND = -1
_MEMBERS_PER_STATE = 8

_Key = tuple[frozenset[int], int, int]


class Subsets:
    """The states that were met so far, numbered from 0."""

    def __init__(self, derivatives: Derivatives) -> None:
        self.width = derivatives.width
        self._derivatives = derivatives
        self._most = derivatives.limits.states
        self._members_left = derivatives.limits.states * _MEMBERS_PER_STATE
        self._numbers: dict[_Key, int] = {}
        self._keys: list[_Key] = []
        self._rows: list[list[int] | None] = []
        self._single: dict[int, int] = {}  # states of one rest without a window
        self._lengths: WordLengths | None = None

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"<Subsets {len(self)} states so far>"

    def start(self, node: Node, low: int = 0, high: int = NO_BOUND) -> int:
        """The state of all words of a node with `low` to `high` letters; -1 where there is none."""
        rest = self._derivatives.start(node)
        if rest < 0:
            return -1
        if self._derivatives.low[rest] >= low:
            low = 0  # no word is shorter
        if not node.even and low > 0 and high >= 0 and not self._always_fits(frozenset((rest,)), low, high):
            self._lengths = WordLengths(self._derivatives, rest, high)
        return self._state([rest], low, high) if self._fits(rest, low, high) else -1

    def accepting(self, state: int) -> bool:
        """Whether a word may end here."""
        members, need, _ = self._keys[state]
        return need == 0 and any(self._derivatives.moves(rest)[1] for rest in members)

    def window(self, state: int) -> tuple[frozenset[int], int, int]:
        """The rests of a state, and the fewest and the most letters that may follow (-1: no bound)."""
        return self._keys[state]

    def takes_all(self, state: int) -> bool:
        """Whether all words may follow."""
        members, need, room = self._keys[state]
        return need == 0 and room < 0 and self._derivatives.universal in members

    def row(self, state: int) -> list[int]:
        """The next state by letter, -1 for none."""
        row = self._rows[state]
        if row is None:
            row = self._rows[state] = self._made(state)
        return row

    def _made(self, state: int) -> list[int]:
        members, need, room = self._keys[state]
        row = [-1] * self.width
        if room == 0:
            return row
        need, room = max(need - 1, 0), max(room - 1, NO_BOUND)
        bounded = need > 0 or room >= 0
        if not bounded and len(members) == 1:
            (rest,) = members
            moves = self._derivatives.moves(rest)[0]
            if len(moves) == 1:
                letters, target = moves[0]
                number = self._state([target], 0, NO_BOUND)
                for letter in letters:
                    row[letter] = number
                return row
        groups: dict[tuple[int, ...], list[int]] = {}  # targets by the letters that lead to them
        for rest in members:
            for letters, target in self._derivatives.moves(rest)[0]:
                if bounded and not self._fits(target, need, room):
                    continue
                group = groups.get(letters)
                if group is None:
                    groups[letters] = [target]
                else:
                    group.append(target)
        if len(groups) == 1:
            ((letters, group),) = groups.items()
            number = self._state(group, need, room)
            for letter in letters:
                row[letter] = number
            return row
        self._join(row, groups, need, room)
        return row

    def _join(self, row: list[int], groups: dict[tuple[int, ...], list[int]], need: int, room: int) -> None:
        """Fill a row where letters may be in several groups: a letter leads to the union of its groups."""
        of_letter = [0] * self.width  # as bits
        bit = 1
        for letters in groups:
            for letter in letters:
                of_letter[letter] |= bit
            bit <<= 1
        targets = list(groups.values())
        known = {0: -1}
        for letter, bits in enumerate(of_letter):
            number = known.get(bits)
            if number is None:
                left = bits
                union: list[int] = []
                while left:
                    lowest = left & -left
                    union += targets[lowest.bit_length() - 1]
                    left ^= lowest
                number = known[bits] = self._state(union, need, room)
            row[letter] = number

    def _state(self, rests: list[int], need: int, room: int) -> int:
        if len(rests) == 1 and need == 0 and room < 0:
            number = self._single.get(rests[0])
            if number is None:
                number = self._single[rests[0]] = self._numbered((frozenset(rests), 0, NO_BOUND))
            return number
        universal = self._derivatives.universal
        members = frozenset((universal,)) if universal in rests else frozenset(rests)
        if len(members) > 1:
            members = self._without_covered(members)
        if (need or room >= 0) and self._always_fits(members, need, room):
            need, room = 0, NO_BOUND
        return self._numbered((members, need, room))

    def _without_covered(self, members: frozenset[int]) -> frozenset[int]:
        """Leave out rests all of whose words are among those of another one, as far as counts show it.

        Of `a{3}.*` and `a{5}.*` the first says it all. So a pattern that may begin anywhere, such as `[a-z]{162}`, is
        in two rests at a time and not in 162.
        """
        family = self._derivatives.family
        by_family: dict[int, list[int]] = {}
        for rest in members:
            by_family.setdefault(family[rest], []).append(rest)
        if len(by_family) == len(members):
            return members
        rounds = self._derivatives.rounds
        kept: list[int] = []
        for rests in by_family.values():
            if len(rests) == 1:
                kept += rests
                continue
            widest: list[tuple[int, ...]] = []
            for rest in sorted(rests, key=rounds.__getitem__):
                counts = rounds[rest]
                if not any(all(map(le, wide, counts)) for wide in widest):
                    widest.append(counts)
                    kept.append(rest)
        return frozenset(kept)

    def _numbered(self, key: _Key) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = len(self._keys)
            self._members_left -= len(key[0])
            if number >= self._most or self._members_left < 0:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._most, reached=number)
            self._numbers[key] = number
            self._keys.append(key)
            self._rows.append(None)
        return number

    def _always_fits(self, members: frozenset[int], need: int, room: int) -> bool:
        low, high = self._derivatives.low, self._derivatives.high
        return all(low[rest] >= need for rest in members) and (room < 0 or all(high[rest] <= room for rest in members))

    def _fits(self, rest: int, need: int, room: int) -> bool:
        low, high = self._derivatives.low[rest], self._derivatives.high[rest]
        if high < need or (0 <= room < low):
            return False
        if need == 0 or room < 0 or self._lengths is None:
            return True
        return self._lengths.any_within(rest, need, room)


assert ENDLESS > 2**32  # windows are below it
