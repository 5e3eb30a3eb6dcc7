"""Texts that are in some regular expressions and not in others, on demand: a product of subset automata.

`combinations.py` explores a product in full, which is best where it is small. This one makes the states that texts come
to. Whether a text can be completed from a state is then a search of its own, nearest ends first, which ends at the
first state from which that is known; mostly after a few steps. Bounded by `limits.states`, in work.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from heapq import heappop, heappush
from itertools import count

from ..errors import BudgetError
from .derivatives import Derivatives, Node
from .subsets import subsets_of

__all__ = ["Conjunction"]

_WORK_SHARE = 8  # of the states that are allowed, one in so many may be looked at: each costs a row of every part
_SERIAL = count()

_Places = tuple[int, ...]


class Conjunction:
    """The texts with `low` to `high` characters that are in all of `inside` and in none of `outside`.

    A state is a place in each: first those of `inside`, then those of `outside`, where -1 says that it is out of play.
    start: -1 where there are no such texts.
    """

    def __init__(
        self, derivatives: Derivatives, inside: Sequence[Node], outside: Sequence[Node], low: int, high: int
    ) -> None:
        self._subsets = subsets_of(derivatives)
        self._least = derivatives.low
        self._limit = derivatives.limits.states
        self._work = self._limit // _WORK_SHARE
        self._inside = len(inside)
        self._name = next(_SERIAL)
        self._numbers: dict[_Places, int] = {}
        self._keys: list[_Places] = []
        self._rows: list[list[int] | None] = []
        self._alive: dict[_Places, bool] = {}
        self._targets: dict[_Places, list[_Places | None]] = {}
        starts = [self._subsets.start(inside[0], low, high)]
        starts += [self._subsets.start(node) for node in (*inside[1:], *outside)]
        self.start = -1
        if self._is_open(tuple(starts)) and self._can_end(tuple(starts)):
            self.start = self._number(tuple(starts))

    def __repr__(self) -> str:
        return f"<Conjunction {len(self._keys)} states so far>"

    def _number(self, places: _Places) -> int:
        number = self._numbers.get(places)
        if number is None:
            number = self._numbers[places] = len(self._keys)
            self._keys.append(places)
            self._rows.append(None)
        return number

    def _is_open(self, places: _Places) -> bool:
        """Whether no part alone forbids every text from here on."""
        takes_all = self._subsets.takes_all
        inside = self._inside
        return min(places[:inside]) >= 0 and not any(place >= 0 and takes_all(place) for place in places[inside:])

    def _accepts(self, places: _Places) -> bool:
        accepting = self._subsets.accepting
        inside = self._inside
        return all(map(accepting, places[:inside])) and not any(
            place >= 0 and accepting(place) for place in places[inside:]
        )

    def _following(self, places: _Places) -> list[_Places | None]:
        """The places after each letter; None where a part alone forbids it."""
        known = self._targets.get(places)
        if known is None:
            self._work -= 1
            if self._work < 0:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=self._limit, reached=len(self._targets))
            row = self._subsets.row
            out = [-1] * self._subsets.width
            columns = zip(*[row(place) if place >= 0 else out for place in places], strict=True)
            open_: dict[_Places, bool] = {}
            known = []
            for column in columns:
                is_open = open_.get(column)
                if is_open is None:
                    is_open = open_[column] = self._is_open(column)
                known.append(column if is_open else None)
            self._targets[places] = known
        return known

    def _can_end(self, places: _Places) -> bool:
        """Whether some text can be completed from here."""
        alive = self._alive
        known = alive.get(places)
        if known is not None:
            return known
        before: dict[_Places, _Places | None] = {places: None}
        heap = [(self._letters_left(places), 0, places)]
        while heap:
            here: _Places | None = heappop(heap)[2]
            assert here is not None
            if alive.get(here) or self._accepts(here):
                while here is not None:
                    alive[here] = True
                    here = before[here]
                return True
            for target in self._following(here):
                if target is not None and target not in before and alive.get(target) is not False:
                    before[target] = here
                    heappush(heap, (self._letters_left(target), len(before), target))
        alive.update(dict.fromkeys(before, False))
        return False

    def _letters_left(self, places: _Places) -> int:
        """No text that is completed from here has fewer letters left."""
        least, members = self._least, self._subsets.members
        return max(min(map(least, members(place))) for place in places[: self._inside])

    def row(self, state: int) -> list[int]:
        row = self._rows[state]
        if row is None:
            known: dict[_Places | None, int] = {None: -1}
            row = []
            for target in self._following(self._keys[state]):
                number = known.get(target)
                if number is None:
                    assert target is not None
                    number = known[target] = self._number(target) if self._can_end(target) else -1
                row.append(number)
            self._rows[state] = row
        return row

    def accepting(self, state: int) -> bool:
        return self._accepts(self._keys[state])

    def run(self, state: int, letters: frozenset[int]) -> int:
        return -1

    def name_of(self, state: int, longest: int) -> Hashable:
        return self._name, state
