"""A bounded memory of compiled automata: what was used longest ago goes first, counted in states.

`functools.lru_cache` counts entries; a hundred large automata would then fill the memory that a hundred small ones
do not notice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Remembered"]

T = TypeVar("T")


class Remembered(Generic[T]):
    """At most `bound` states in all, of values whose states `size` tells. Threads may share it."""

    def __init__(self, bound: int, size: Callable[[T], int]) -> None:
        self._bound = bound
        self._size = size
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()
        self.states = 0

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of `key`, made where it is not remembered. Two threads may make it at once; one is kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self.states += self._size(value)
            while self.states > self._bound:
                self.states -= self._size(self._values.popitem(last=False)[1])
        return value
