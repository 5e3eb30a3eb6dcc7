"""The values that a text has written in one place: sets that share what they have in common.

A text adds to the end of a log, and a set is so many of the first entries. So the set after each item is kept for
rollbacks at the cost of two references. Where a text went back and writes something else, or two forks write on, one
of them copies the log.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator, Sequence
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
    """places: the number of each value. strings, numbers: of those kinds, sorted; numbers as plain decimals. left: a
    list of strings, how many of the first values were taken out of it, and what is left of it then."""

    __slots__ = ("containers", "left", "lock", "numbers", "places", "strings")

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.strings: list[str] = []
        self.numbers: list[tuple[str, str]] = []
        self.containers: list[Container] = []
        self.left: tuple[Sequence[bytes], int, Sequence[bytes]] | None = None
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

    def __eq__(self, other: object) -> bool:
        """Whether both are of one log: equal ones have the same values, but not the other way round."""
        return isinstance(other, Seen) and self._log is other._log and self._size == other._size

    def __hash__(self) -> int:
        return hash((id(self._log), self._size))

    def __contains__(self, key: str) -> bool:
        return self._log.places.get(key, self._size) < self._size

    def with_one(self, key: str, container: Container | None = None) -> Seen:
        """The set with one more. container: what it is, where it is no scalar."""
        with self._log.lock:
            if self._log.places.get(key) == self._size:
                return Seen(self._log, self._size + 1)  # a text that went back and came here again
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

    def left_of(self, strings: Sequence[bytes]) -> Sequence[bytes]:
        """The strings of a list that are not among them. strings: in their one spelling; kept, not to be changed."""
        with self._log.lock:  # a fork in another thread may be writing
            of, size, left = self._log.left or ((), 0, ())
            if of is not strings or size > self._size:
                size, left = 0, strings
            if size < self._size:
                written = {key.encode() for key, place in self._log.places.items() if size <= place < self._size}
                left = [string for string in left if string not in written]
                self._log.left = strings, self._size, left
            return left

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
