"""What all modules have: a start state, and outcomes where one value is tested against several schemas at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from ..errors import BudgetError

__all__ = ["Alternatives", "Module", "Outcomes"]


_SHARED = 64


class Outcomes:
    """The sets of parts that a module's values can belong to, numbered as they are found. most: how many at most.

    singles: how many outcomes are of one part alone. Of those that parts have in common there may be some more.
    """

    def __init__(self, singles: int) -> None:
        self.most = singles + _SHARED
        self._numbers: dict[tuple[int, ...], int] = {}
        self._parts: list[tuple[int, ...]] = []

    def number(self, parts: tuple[int, ...]) -> int:
        """The number of a set of parts (sorted)."""
        known = self._numbers.get(parts)
        if known is None:
            if len(self._parts) >= self.most:
                what = "ways in which one value can satisfy alternatives"
                raise BudgetError("SCHEMA_BUDGET", pointer="", limit=self.most, what=what, name="counted_states")
            known = self._numbers[parts] = len(self._parts)
            self._parts.append(parts)
        return known

    def parts(self, number: int) -> tuple[int, ...]:
        """The set of a number."""
        return self._parts[number]


class Module:
    """start: its first state, which reads the first byte of a value. outcomes: None where there is only one.

    needs: where it has alternatives that do not all need the same levels of nesting, for each of them its part and
    those levels, inside the value.
    """

    start: int
    outcomes: Outcomes | None = None
    needs: tuple[tuple[int, int], ...] = ()

    def __init__(self, start: int, outcomes: Outcomes | None = None) -> None:
        self.start = start
        self.outcomes = outcomes

    def fitting(self, levels: int) -> Module:
        """The same with the alternatives only that need so many levels at most. Parts keep their numbers."""
        return self


class Alternatives(Module):
    """A module of some records. part_of: which part each of them belongs to. parts: how many there are. rooms: the
    levels that each needs inside the value.

    The start needs the most of these: inside, no record that is still possible is without room, whichever of them the
    text turns out to be. Where that is too much the module that is `fitting` is called in its place.
    """

    def __init__(self, start: int, part_of: Sequence[int], parts: int, rooms: Sequence[int]) -> None:
        super().__init__(start, Outcomes(parts) if parts > 1 else None)
        self._part_of = part_of
        self._parts = parts
        self._fitting: dict[int, Module] = {}
        if len(set(rooms)) > 1:
            self.needs = tuple(zip(part_of, rooms, strict=True))

    def fitting(self, levels: int) -> Module:
        known = self._fitting.get(levels)
        if known is None:
            kept = [i for i, (_, room) in enumerate(self.needs) if room <= levels]
            known = self if len(kept) == len(self.needs) else self._only(kept)
            self._fitting[levels] = known
        return known

    @abstractmethod
    def _only(self, kept: list[int]) -> Module:
        """The module of some of the records."""
