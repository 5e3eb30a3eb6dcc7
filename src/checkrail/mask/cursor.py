"""A text on its way through an automaton that may be ambiguous: the configuration after each step.

The general counterpart of the kernel's `VisibleCursor`, with the same methods; `engine` chooses between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from .configuration import Configuration, Stepper

__all__ = ["Cursor", "GeneralCursor", "fill_batch"]


class Cursor(Protocol):
    """What a matcher needs of a text's position. A step is one token or one run of bytes."""

    def accept_token(self, token: int, /) -> bool:
        """Take a token; False, and no change, where it does not fit."""

    def accept_bytes(self, data: bytes, /) -> bool:
        """Take bytes as one step; False, and no change, where they do not fit."""

    def fill_row(self, row: memoryview, /) -> None:
        """Write the allowed tokens into a row of unsigned words."""

    def fill(self, bitmask: Any, index: int, /) -> None:
        """The same for row `index` of a two-dimensional int32 buffer; TypeError or ValueError for any other."""

    def rollback(self, count: int, /) -> None:
        """Undo steps, as many as were taken at most."""

    def is_accepting(self) -> bool:
        """Whether the text may end here."""

    def copy(self) -> Cursor:
        """An independent cursor in the same place."""


def fill_batch(cursors: Sequence[Cursor], bitmask: Any, indices: Sequence[int]) -> bool:
    """Write the masks of many cursors into rows of a two-dimensional int32 buffer, in one call of the compiled kernel.

    False, and nothing is written, where one of them is not of that kernel: then each is to fill its row by itself.
    TypeError or ValueError for any other buffer, or where it has not these rows.
    """
    kind = type(cursors[0]) if cursors else None
    batch = getattr(kind, "fill_batch", None)
    if batch is None or any(type(cursor) is not kind for cursor in cursors):
        return False
    batch(list(cursors), bitmask, list(indices))
    return True


class GeneralCursor:
    """A list of configurations; the functions come from the engine."""

    __slots__ = ("_advance", "_fill", "_history", "_stepper")

    def __init__(
        self,
        stepper: Stepper,
        advance: Callable[[Configuration, int], Configuration | None],
        fill: Callable[[Configuration, memoryview], None],
    ) -> None:
        self._stepper = stepper
        self._advance = advance
        self._fill = fill
        self._history = [stepper.start]

    @property
    def configuration(self) -> Configuration:
        """What the text so far can mean."""
        return self._history[-1]

    def accept_token(self, token: int, /) -> bool:
        following = self._advance(self._history[-1], token)
        if following is not None:
            self._history.append(following)
        return following is not None

    def accept_bytes(self, data: bytes, /) -> bool:
        here: Configuration | None = self._history[-1]
        for byte in data:
            here = self._stepper.step(here, byte) if here is not None else None
        if here is not None:
            self._history.append(here)
        return here is not None

    def fill_row(self, row: memoryview, /) -> None:
        self._fill(self._history[-1], row)

    def fill(self, bitmask: Any, index: int, /) -> None:
        raise TypeError("a general cursor fills rows only")

    def rollback(self, count: int, /) -> None:
        if count:
            del self._history[-count:]

    def is_accepting(self) -> bool:
        return self._history[-1].accepting

    def copy(self) -> GeneralCursor:
        other = GeneralCursor(self._stepper, self._advance, self._fill)
        other._history = list(self._history)
        return other
