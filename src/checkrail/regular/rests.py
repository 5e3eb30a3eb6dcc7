"""What `_rests`, of which two twins exist, looks like to the rest of the package: rests of expressions and sets of
them. `derivatives` and `subsets` say what these are."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Protocol

from .._twins import load
from ..limits import Limits

if TYPE_CHECKING:
    from .derivatives import Table

__all__ = ["END", "ENDLESS", "NO_BOUND", "Node", "Rests", "Subsets", "made_by"]

made_by: Any = load("regular/_rests")
"""The twin of this process."""

END: int = made_by.END
ENDLESS: int = made_by.ENDLESS
"""No longest word; also the length of the shortest word where there is none."""

NO_BOUND = -1

TABLE: int = made_by.TABLE
AND: int = made_by.AND
OR: int = made_by.OR
NOT: int = made_by.NOT
"""Kinds of nodes: a complete automaton, and combinations, which are higher numbers than all others."""


class Node(Protocol):
    """See `_rests.Node`, which documents the fields."""

    kind: int
    number: int
    low: int
    high: int
    peak: int
    even: bool
    parts: tuple[Node, ...]
    letters: tuple[int, ...]
    lows: tuple[tuple[int, int], ...]
    least: int
    most: int
    table: Table | None
    everything: int


class Rests(Protocol):
    """See `_rests.Rests`, which documents the methods."""

    universal: int
    count: int
    limits: Limits

    def node(self, kind: int, low: int, high: int, peak: int, even: bool, /) -> Node: ...
    def text(self, letters: tuple[int, ...], /) -> Node: ...
    def letter(self, letters: int, /) -> Node: ...
    def nothing(self) -> Node: ...
    def sequence(self, parts: list[Node], /) -> Node: ...
    def choice(self, parts: list[Node], /) -> Node: ...
    def repeat(self, item: Node, minimum: int, maximum: int | None, /) -> Node: ...
    def set_of(self, letters: tuple[int, ...], /) -> int: ...
    def start(self, node: Node, /) -> int: ...
    def low(self, rest: int, /) -> int: ...
    def high(self, rest: int, /) -> int: ...
    def moves(self, rest: int, /) -> tuple[list[tuple[tuple[int, ...], int]], bool]: ...
    def repeated(self, rest: int, /) -> tuple[tuple[int, ...], int, int] | None: ...
    def takes(self, rest: int, letters: frozenset[int], /) -> bool: ...
    def family(self, rest: int, /) -> int: ...
    def rounds_of(self, rest: int, /) -> tuple[int, ...]: ...


class Subsets(Protocol):
    """See `_rests.Subsets`, which documents the methods."""

    width: int

    def __len__(self) -> int: ...
    def start(self, node: Node, low: int = 0, high: int = NO_BOUND, /) -> int: ...
    def row(self, state: int, /) -> list[int]: ...
    def accepting(self, state: int, /) -> bool: ...
    def members(self, state: int, /) -> list[int]: ...
    def spans(self, state: int, /) -> frozenset[tuple[int, int]]: ...
    def run(self, state: int, letters: frozenset[int], /) -> int: ...
    def name(self, state: int, longest: int, owner: int, peak: int, even: bool, /) -> Hashable: ...
    def window(self, state: int, /) -> tuple[frozenset[int], int, int]: ...
    def takes_all(self, state: int, /) -> bool: ...
