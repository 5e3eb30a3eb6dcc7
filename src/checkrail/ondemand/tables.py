"""The tables that an automaton on demand grows in: what `_tables`, of which two twins exist, looks like to the rest."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol, cast

__all__ = ["IN_A_ROW", "Names", "States", "Tables", "load", "new_tables"]

IN_A_ROW = 16
"""States of a language made on demand that stand side by side (`Tables.expand_joined`)."""


class Tables(Protocol):
    """See `_tables.Tables`, which documents the methods."""

    states: array[int]
    next_state: array[int]
    class_of: array[int]
    edges: array[int]
    memory: int
    generation: int
    state_count: int
    edge_count: int

    def add_map(self, class_map: bytes, /) -> int: ...
    def new_states(self, count: int, room: int, exit: int, /) -> int: ...
    def is_dead(self, state: int, /) -> bool: ...
    def room_of(self, state: int, /) -> int: ...
    def is_expanded(self, state: int, /) -> bool: ...
    def add_edge(self, start: int, after: int, nest: int, bits: int, /) -> int: ...
    def add_stand_in(self, start: int, after: int, nest: int, bits: int, /) -> int: ...
    def expand(self, state: int, row: int, class_map: int, kind: int, first: int, count: int, /) -> int: ...
    def expand_default(self, state: int, row: int, class_map: int, edge: int, /) -> int: ...
    def new_default(
        self, room: int, live: bytes, live_of: int, edge: int, class_map: int, width: int, /
    ) -> int: ...  # fmt: skip
    def expand_as(self, state: int, other: int, /) -> int: ...
    def add_row(self, width: int, fill: int, /) -> int: ...
    def append_row(self, values: array[int], /) -> int: ...
    def put(self, place: int, target: int, /) -> int: ...
    def copy_language(self, rows: array[int], accepts: bytes, width: int, class_map: int, exit: int, /) -> int: ...
    def expand_joined(
        self, state: int, moves: list[int], firsts: list[int], class_map: int, accepts: bool, /
    ) -> int: ...
    def lay_counted(
        self, first: int, rows: array[int], width: int, class_map: int, base: int, closing: int, levels: int, need: int,
        room: int, after: int, ended: int, inside: int, /,
    ) -> None: ...  # fmt: skip
    def insert(
        self, root: int, text: bytes, leaf: int, room: int, others: int, class_map: bytes, map_place: int, live: bytes,
        live_of: Sequence[int], edge_of: Sequence[int], width: int, own: int, /,
    ) -> int: ...  # fmt: skip
    def insert_all(
        self, root: int, texts: Sequence[bytes], leaves: Sequence[int], rooms: Sequence[int], others: int,
        class_map: bytes, map_place: int, live: bytes, live_of: array[int], edge_of: array[int], width: int, own: int,
        added: list[int], /,
    ) -> int: ...  # fmt: skip
    def insert_words(
        self, text: bytes, ends: array[int], leaf: int, class_map: bytes, map_place: int, width: int, /
    ) -> int: ...  # fmt: skip
    def remove(self, root: int, text: bytes, besides: int, class_map: bytes, width: int, /) -> int: ...


class States(Protocol):
    """See `_tables.States`, which documents the methods."""

    tables: Tables
    class_map: int
    pending: dict[int, Any]
    units: dict[int, Any]
    known_units: dict[Any, None]
    unit_calls: list[Callable[[Any], None]]

    def new_state(self, room: int, make: Callable[..., None], /, *arguments: Any, exit: int = 0) -> int: ...
    def new_block(self, count: int, maker: tuple[Any, ...], room: int, exit: int, /) -> int: ...
    def expand(self, state: int, /) -> None: ...
    def ahead(self, state: int, /) -> int: ...
    def prepare(self, most: int, /) -> None: ...
    def lay(
        self, state: int, blanks: int, moves: Iterable[tuple[int, int]], edges: tuple[int, int] = (0, 0), /
    ) -> None: ...
    def lay_calls(
        self, state: int, blanks: int, calls: list[tuple[int, list[int], int]], after: int, closing: int, end: int, /
    ) -> int: ...
    def end(self, outcome: int, /) -> int: ...
    def add_edges(
        self, calls: Sequence[tuple[int, Sequence[tuple[int, int]], int]], /
    ) -> tuple[list[tuple[int, int]], tuple[int, int]]: ...
    def note(self, edge: int, unit: Any, /) -> None: ...


class Names(Protocol):
    """See `_tables.Names`, which documents the methods."""

    roots: dict[int, int]
    other_end: int


def load(twin: ModuleType | None) -> Any:
    """The module `_tables`. twin: of it, the one to use; None for the ordinary one."""
    return twin or import_module(f"{__package__}._tables")


def new_tables(states: int, entries: int, twin: ModuleType | None) -> Tables:
    """Empty tables. states, entries: bounds. twin: as for `load`."""
    return cast(Tables, load(twin).Tables(states, entries))
