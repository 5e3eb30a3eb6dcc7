"""Languages side by side, as one: a word belongs to it that belongs to any of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ..limits import Limits
from .language import LONGEST_TOKEN, Language, OnDemandLanguage
from .spelled import side_by_side

__all__ = ["UnionLanguage"]


class UnionLanguage(OnDemandLanguage):
    """A state is a place of the parts side by side."""

    row: Callable[[int], list[int]]

    def __init__(self, parts: Sequence[Language], limits: Limits) -> None:
        self._parts = parts
        self._sides = side_by_side(parts, limits.states)
        super().__init__(self._sides.class_map, self._sides.width, limits)
        self.row = self._sides.row
        self._known: dict[int, tuple[list[int], bool]] = {}

    def __len__(self) -> int:
        return len(self._sides)

    def _alive(self, state: int) -> list[tuple[Language, int]]:
        return [pair for pair in zip(self._parts, self._sides.places(state), strict=True) if pair[1] >= 0]

    def accepting(self, state: int) -> bool:
        return any(part.accepting(place) for part, place in self._alive(state))

    def place(self, state: int) -> tuple[list[int], bool]:
        place = self._known.get(state)
        if place is None:
            place = self._known[state] = self.row(state), self.accepting(state)
        return place

    def plain_run(self, state: int) -> int:
        alive = self._alive(state)
        return alive[0][0].plain_run(alive[0][1]) if len(alive) == 1 else -1

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        alive = self._alive(state)
        return alive[0][0].name_of(alive[0][1], longest) if len(alive) == 1 else (self.name, state)
