"""What all modules have: a start state, and outcomes where one value is tested against several schemas at once."""

from __future__ import annotations

from ..errors import BudgetError

__all__ = ["Module", "Outcomes"]


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
    """start: its first state, which reads the first byte of a value. outcomes: None where there is only one."""

    start: int
    outcomes: Outcomes | None = None

    def __init__(self, start: int, outcomes: Outcomes | None = None) -> None:
        self.start = start
        self.outcomes = outcomes
