"""One kind of value out of several alternatives, and what is left of them where there is less room.

A value may nest so deep and no deeper. Alternatives need different numbers of levels, and which of them a text has
chosen may show late (`{"kind": "and"` now needs a list of further objects, `"eq"` needs none). So a call of a module
with alternatives has room for all of them, or it is not made: then a call stands in for it with those only that fit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .module import Module

if TYPE_CHECKING:
    from .keys import Rest

__all__ = ["Calls", "Fewer", "Kind", "Starts", "items_of"]

Calls: TypeAlias = tuple[list[tuple[int, int]], tuple[int, int]]
"""Moves and edges, as `OnDemand.lay` takes them."""

Starts: TypeAlias = list[tuple[int, list[int], int]]
"""What a value may be: class of the first byte, starts, of which each further one stands in for those before it where
there is less room, and levels of nesting."""


class Kind(NamedTuple):
    """One kind of value out of some cases. letter: the class of its first byte. make: the module of some parts. items:
    for each part what it stands for. nest: levels of nesting that such a value adds. module: that of all parts."""

    letter: int
    make: Callable[[tuple[Any, ...]], Module | None]
    parts: tuple[Any, ...]
    items: tuple[tuple[Hashable, ...], ...]
    nest: int
    module: Module

    def levels(self, room_after: Callable[..., int] | None) -> list[int]:
        """The levels of nesting that its alternatives need, with what follows them, from the most to the least."""
        module = self.module
        if room_after is None:
            return sorted({self.nest + room for _, room in module.needs}, reverse=True)
        if module.outcomes is None and not module.needs:
            return []  # what follows is one state, which has its room
        needs = module.needs or [(part, 0) for part in range(len(self.parts))]
        found = {max(self.nest + room, room_after(item)) for part, room in needs for item in self.items[part]}
        return sorted(found, reverse=True)


class Fewer:
    """What is left of a kind of value where there are no more than `most` levels of nesting, with what follows."""

    __slots__ = ("_kind", "_left", "_most")

    def __init__(self, kind: Kind, most: int, room_after: Callable[..., int] | None) -> None:
        self._kind = kind
        self._most = most
        self._left: list[tuple[Any, tuple[Hashable, ...]]] = []
        for part, items in zip(kind.parts, kind.items, strict=True):
            fit = items if room_after is None else tuple(item for item in items if room_after(item) <= most)
            if fit:
                self._left.append((part, fit))

    @property
    def items(self) -> list[tuple[Hashable, ...]]:
        """For each part that is left what it stands for."""
        return [items for _, items in self._left]

    @property
    def module(self) -> Module | None:
        """Their module; None where it would have no values."""
        module = self._kind.make(tuple(part for part, _ in self._left))
        return module and module.fitting(self._most - self._kind.nest)


def items_of(module: Module | Rest, outcome: int, items: Sequence[tuple[Hashable, ...]]) -> tuple[Hashable, ...]:
    """What the values with an outcome stand for. items: for each part."""
    if module.outcomes is None:
        return items[0]
    return tuple(item for part in module.outcomes.parts(outcome) for item in items[part])
