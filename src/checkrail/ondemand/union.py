"""Languages side by side, as one: a word belongs to it that belongs to any of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ..limits import Limits
from .language import LONGEST_TOKEN, Language, OnDemandLanguage

__all__ = ["UnionLanguage"]


class UnionLanguage(OnDemandLanguage):
    """A key is a state of each part, -1 for those that are out."""

    def __init__(self, parts: Sequence[Language], limits: Limits) -> None:
        self._parts = parts
        numbers: dict[tuple[int, ...], int] = {}
        columns = zip(*(part.class_map for part in parts), strict=True)
        class_map = bytes([numbers.setdefault(column, len(numbers)) for column in columns])
        self._columns = list(numbers)
        super().__init__(class_map, len(numbers), limits, (0,) * len(parts))

    def _alive(self, state: int) -> list[tuple[Language, int]]:
        key = self._keys[state]
        assert isinstance(key, tuple)
        return [pair for pair in zip(self._parts, key, strict=True) if pair[1] >= 0]

    def accepting(self, state: int) -> bool:
        return any(part.accepting(place) for part, place in self._alive(state))

    def _made(self, key: Hashable) -> list[int]:
        assert isinstance(key, tuple)
        dead: dict[int, list[int]] = {}
        rows = [
            part.row(place) if place >= 0 else dead.setdefault(part.width, [-1] * part.width)
            for part, place in zip(self._parts, key, strict=True)
        ]
        found = [tuple([row[c] for row, c in zip(rows, column, strict=True)]) for column in self._columns]
        return [self._number(targets) if max(targets) >= 0 else -1 for targets in found]

    def plain_run(self, state: int) -> int:
        alive = self._alive(state)
        return alive[0][0].plain_run(alive[0][1]) if len(alive) == 1 else -1

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        alive = self._alive(state)
        return alive[0][0].name_of(alive[0][1], longest) if len(alive) == 1 else (self.name, state)
