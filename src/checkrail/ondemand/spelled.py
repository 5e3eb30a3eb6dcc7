"""What `_spelled`, of which two twins exist, looks like to the rest of the package: rows of languages on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from .._twins import load

if TYPE_CHECKING:
    from .places import Shape

__all__ = ["END", "START", "JoinedStates", "Layout", "SideBySide", "SpelledRows", "made_by", "side_by_side"]

made_by: Any = load("ondemand/_spelled")
"""The twin of this process."""

START: int = made_by.START
END: int = made_by.END
"""Keys of states: before the opening quote, and behind the closing one."""


class Layout(Protocol):
    """See `_spelled.Layout`, which documents the methods."""

    shape: Shape
    ready: bool

    def lay_out(self, index: Sequence[int], ways: Sequence[tuple[Layout | None, Sequence[int]]], /) -> None: ...


class SpelledRows(Protocol):
    """See `_spelled.SpelledRows`, which documents the methods."""

    def __len__(self) -> int: ...
    def key(self, state: int, /) -> int | tuple[Shape, tuple[int, ...]]: ...
    def is_end(self, state: int, /) -> bool: ...
    def before(self, state: int, /) -> int: ...
    def place(self, state: int, /) -> tuple[list[int], bool]: ...
    def row(self, state: int, /) -> list[int]: ...
    def plain_run(self, state: int, /) -> int: ...


class JoinedStates(Protocol):
    """See `_spelled.JoinedStates`, which documents the methods."""

    def state(self, local: int, /) -> int: ...


class SideBySide(Protocol):
    """See `_spelled.SideBySide`, which documents the methods."""

    class_map: bytes
    width: int

    def __len__(self) -> int: ...
    def places(self, place: int, /) -> tuple[int, ...]: ...
    def row(self, place: int, /) -> list[int]: ...


def side_by_side(parts: Sequence[Any], most: int) -> SideBySide:
    """Languages, or what else has a `class_map` and rows, side by side. most: places that there may be."""
    return cast(SideBySide, made_by.SideBySide([part.class_map for part in parts], [part.row for part in parts], most))
