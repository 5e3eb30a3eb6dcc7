"""A cursor of the interpreted kernel that threads may use beside one another, each its own.

The machine below it is shared and works in shared arrays. The compiled kernel sees to that by itself; interpreted,
a thread may be interrupted between any two lines, so each call holds the lock of the machine.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

__all__ = ["ExclusiveCursor"]


class ExclusiveCursor:
    """The same cursor, under a lock."""

    __slots__ = ("_cursor", "_lock")

    def __init__(self, cursor: Any, lock: AbstractContextManager[Any]) -> None:
        self._cursor = cursor
        self._lock = lock

    def accept_token(self, token: int, /) -> bool:
        with self._lock:
            accepted: bool = self._cursor.accept_token(token)
        return accepted

    def accept_bytes(self, data: bytes, /) -> bool:
        with self._lock:
            accepted: bool = self._cursor.accept_bytes(data)
        return accepted

    def fill_row(self, row: memoryview, /) -> None:
        with self._lock:
            self._cursor.fill_row(row)

    def fill(self, bitmask: Any, index: int, /) -> None:
        with self._lock:
            self._cursor.fill(bitmask, index)

    def copy(self) -> ExclusiveCursor:
        with self._lock:
            return ExclusiveCursor(self._cursor.copy(), self._lock)

    def rollback(self, count: int, /) -> None:  # what follows reads frames, which never change, and its own steps
        self._cursor.rollback(count)

    def is_accepting(self) -> bool:
        with self._lock:
            accepting: bool = self._cursor.is_accepting()
        return accepting

    def position(self) -> tuple[int, list[tuple[int, int]]]:
        """The state and the pending calls, as the kernel's cursor says them."""
        found: tuple[int, list[tuple[int, int]]] = self._cursor.position()
        return found
