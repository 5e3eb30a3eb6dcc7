"""A text on its way through an automaton that may be ambiguous: the configuration after each step.

The general counterpart of the kernel's `VisibleCursor`, with the same methods; `engine` chooses between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from .configuration import Configuration, Stepper
from .slow import advance_bytes

__all__ = ["Cursor", "GeneralCursor", "fill_batch"]

_MAXIMUM_SIZE = 1 << 19  # of the configurations of one text that are kept
_RECENT = 8  # that are kept whatever their size


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
    """A text as its steps, and the configurations after them; the functions come from the engine.

    Configurations of a hostile grammar may be large. So not all are kept once they are: older ones are left out, every
    other one, and found again from the one before, by reading the steps between, when a rollback comes to them.
    """

    __slots__ = ("_advance", "_fill", "_kept", "_size", "_stepper", "_taken")

    def __init__(
        self,
        stepper: Stepper,
        advance: Callable[[Configuration, int], Configuration | None],
        fill: Callable[[Configuration, memoryview], None],
    ) -> None:
        self._stepper = stepper
        self._advance = advance
        self._fill = fill
        self._taken: list[int | bytes] = []
        self._kept: list[tuple[int, Configuration]] = [(0, stepper.start)]  # by the number of steps before
        self._size = 0

    @property
    def configuration(self) -> Configuration:
        """What the text so far can mean."""
        return self._kept[-1][1]

    def accept_token(self, token: int, /) -> bool:
        return self._accept(token)

    def accept_bytes(self, data: bytes, /) -> bool:
        return self._accept(bytes(data))

    def _accept(self, step: int | bytes) -> bool:
        following = self._after(self.configuration, step)
        if following is None:
            return False
        self._taken.append(step)
        self._keep(len(self._taken), following)
        if self._size > _MAXIMUM_SIZE:
            self._thin()
        return True

    def _after(self, here: Configuration, step: int | bytes) -> Configuration | None:
        if isinstance(step, int):
            return self._advance(here, step)
        return advance_bytes(self._stepper, here, step)

    def _keep(self, position: int, configuration: Configuration) -> None:
        if configuration is not self.configuration:
            self._size += configuration.size
        self._kept.append((position, configuration))

    def _thin(self) -> None:
        kept = self._kept[:-_RECENT:2] + self._kept[-_RECENT:]
        self._kept, self._size = kept[:1], 0
        for position, configuration in kept[1:]:
            self._keep(position, configuration)

    def fill_row(self, row: memoryview, /) -> None:
        self._fill(self.configuration, row)

    def fill(self, bitmask: Any, index: int, /) -> None:
        raise TypeError("a general cursor fills rows only")

    def rollback(self, count: int, /) -> None:
        position = len(self._taken) - count
        last = len(self._kept)
        while self._kept[last - 1][0] > position:
            last -= 1
        start, here = self._kept[last - 1]
        for step in self._taken[start:position]:
            following = self._after(here, step)
            assert following is not None  # it was taken before
            here = following
        while len(self._kept) > last:
            _, dropped = self._kept.pop()
            self._size -= dropped.size if dropped is not self.configuration else 0
        del self._taken[position:]
        if start < position:
            self._keep(position, here)

    def is_accepting(self) -> bool:
        return self.configuration.accepting

    def copy(self) -> GeneralCursor:
        other = GeneralCursor(self._stepper, self._advance, self._fill)
        other._taken = list(self._taken)
        other._kept = list(self._kept)
        other._size = self._size
        return other
