"""A cursor that begins anew with fresh tables when those that it walks have grown large.

A source that makes states as texts come to them keeps them all: the ones that a mask looked at and that no text will
come to again, too. Where nearly every state is new (the places of an equation), one text could fill the memory. So the
cursor reads its steps again with a new source once the old one is large; that costs a step each and no masks. You need
it for such sources only: others begin anew with the next text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .cursor import Cursor

__all__ = ["RenewingCursor", "Tables"]


class Tables(Protocol):
    """What a cursor walks on, which may grow large."""

    @property
    def is_large(self) -> bool:
        """Whether to begin anew."""

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text."""


class RenewingCursor:
    """A text over tables that are replaced. fresh: gives tables that are not large."""

    __slots__ = ("_cursor", "_fresh", "_tables", "_taken")

    def __init__(self, fresh: Callable[[], Tables]) -> None:
        self._fresh = fresh
        self._taken: list[int | bytes] = []
        self._tables = fresh()
        self._cursor = self._tables.cursor()

    @property
    def tables(self) -> Tables:
        """The tables that `position` is about."""
        return self._tables

    def _here(self) -> Cursor:
        """The cursor, on tables that are not large."""
        if self._tables.is_large:
            tables = self._fresh()
            cursor = tables.cursor()
            for step in self._taken:
                if isinstance(step, int):
                    cursor.accept_token(step)
                else:
                    cursor.accept_bytes(step)
            self._tables, self._cursor = tables, cursor
        return self._cursor

    def accept_token(self, token: int, /) -> bool:
        if not self._here().accept_token(token):
            return False
        self._taken.append(token)
        return True

    def accept_bytes(self, data: bytes, /) -> bool:
        if not self._here().accept_bytes(data):
            return False
        self._taken.append(bytes(data))
        return True

    def fill_row(self, row: memoryview, /) -> None:
        self._here().fill_row(row)

    def fill(self, bitmask: Any, index: int, /) -> None:
        self._here().fill(bitmask, index)

    def rollback(self, count: int, /) -> None:
        self._cursor.rollback(count)
        if count:
            del self._taken[-count:]

    def is_accepting(self) -> bool:
        return self._cursor.is_accepting()

    def copy(self) -> RenewingCursor:
        other = RenewingCursor.__new__(RenewingCursor)
        other._fresh, other._tables = self._fresh, self._tables
        other._taken = list(self._taken)
        other._cursor = self._cursor.copy()
        return other

    def position(self) -> tuple[int, list[tuple[int, int]]]:
        """The state, and the pending calls, as the kernel's cursor gives them."""
        visible: Any = self._cursor
        state, calls = visible.position()
        return state, calls
