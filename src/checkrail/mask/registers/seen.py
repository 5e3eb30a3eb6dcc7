"""The values that a text has written in one place: sets that share what they have in common.

A text adds to the end of a log, and a set is so many of the first entries. So the set after each item is kept for
rollbacks at the cost of two references. Where a text went back and writes something else, or two forks write on, one
of them copies the log.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator
from threading import Lock

from .values import plain_number

__all__ = ["NONE_SEEN", "Container", "Seen"]


class Container:
    """An object or array that was written. scalars: those in it, with how many there are of each."""

    __slots__ = ("key", "scalars")

    def __init__(self, key: str, scalars: Counter[str]) -> None:
        self.key = key
        self.scalars = scalars


class _Log:
    """places: the number of each value. strings, numbers: of those kinds, sorted; numbers as plain decimals."""

    __slots__ = ("containers", "lock", "numbers", "places", "strings")

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.strings: list[str] = []
        self.numbers: list[tuple[str, str]] = []
        self.containers: list[Container] = []
        self.lock = Lock()

    def add(self, key: str, container: Container | None) -> None:
        self.places[key] = len(self.places)
        if container is not None:
            self.containers.append(container)
        elif key[0] == '"':
            insort(self.strings, key)
        elif key[0] not in "tfn":
            insort(self.numbers, (plain_number(key), key))


class Seen:
    """A set of values in their one spelling. Immutable; threads may share it."""

    __slots__ = ("_log", "_size")

    def __init__(self, log: _Log, size: int) -> None:
        self._log = log
        self._size = size

    def __repr__(self) -> str:
        return f"<Seen {self._size} values>"

    def __len__(self) -> int:
        return self._size

    def __contains__(self, key: str) -> bool:
        return self._log.places.get(key, self._size) < self._size

    def with_one(self, key: str, container: Container | None = None) -> Seen:
        """The set with one more. container: what it is, where it is no scalar."""
        with self._log.lock:
            if len(self._log.places) == self._size:
                log = self._log if self._size else _Log()
                log.add(key, container)
                return Seen(log, self._size + 1)
            log = self._copy()
        log.add(key, container)
        return Seen(log, self._size + 1)

    def _copy(self) -> _Log:
        log = _Log()
        containers = {container.key: container for container in self._log.containers}
        for key, place in self._log.places.items():
            if place < self._size:
                log.add(key, containers.get(key))
        return log

    def strings(self, beginning: str) -> Iterator[str]:
        """Those that begin so, which is with a quote."""
        found = self._log.strings
        place = bisect_left(found, beginning)
        while place < len(found) and found[place].startswith(beginning):
            if found[place] in self:
                yield found[place]
            place += 1

    def has_number(self, digits: str) -> bool:
        """Whether a number, as a plain decimal with any zeros at its end, begins so."""
        found = self._log.numbers
        if digits[:1] == "-" and not digits.strip("-0.") and "0" in self:
            return True
        trimmed = digits.rstrip("0").rstrip(".") if "." in digits else digits
        for beginning in (digits, trimmed):
            place = bisect_left(found, (beginning, ""))
            while place < len(found) and found[place][0].startswith(beginning):
                plain, key = found[place]
                if key in self and (beginning == digits or plain == beginning):
                    return True
                place += 1
        return False

    def containers(self, opening: str) -> tuple[Container, ...]:
        """Those that begin with this bracket."""
        return tuple([c for c in self._log.containers if c.key[0] == opening and c.key in self])


NONE_SEEN = Seen(_Log(), 0)
"""The set of a place in which nothing was written."""
