"""The values that a text has written in one place: sets that share what they have in common.

A text adds to the end of a log, and a set is so many of the first entries. So the set after each item is kept for
rollbacks at the cost of a few references. The last values of a set are not in the log yet but beside it: tokens of a
mask are tried, and what they would write must not get into the log. Where a text went back over many values and writes
something else, or two forks write on, one of them copies the log.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Protocol, TypeAlias

from .values import plain_number

__all__ = ["NONE_SEEN", "Container", "Ends", "Seen"]


class Container:
    """An object or array that was written. scalars: those in it, with how many there are of each."""

    __slots__ = ("key", "scalars")

    def __init__(self, key: str, scalars: Counter[str]) -> None:
        self.key = key
        self.scalars = scalars


_Value: TypeAlias = "tuple[str, Container | None]"
_Left: TypeAlias = tuple[Sequence[bytes], int, Sequence[bytes]]

_MOST_BESIDE = 16  # values beside a log; when there are so many, half of them are added to it
_FEW = 8  # strings that are looked at one by one


class Ends(Protocol):
    """What a vocabulary's tokens can write up to the end of a string."""

    @property
    def reach(self) -> int:
        """At least as many as their characters."""

    def may_end(self, rest: bytes, /) -> bool:
        """Whether a token may write this, and end the string."""


class _Log:
    """places: the number of each value. strings, numbers: of those kinds, sorted; numbers as plain decimals. ends: for
    beginnings of the strings those of them that a token may end; once `Seen.ending_at` has asked, and for whom."""

    __slots__ = ("containers", "ends", "ends_of", "lock", "numbers", "places", "strings")

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.strings: list[str] = []
        self.numbers: list[tuple[str, str]] = []
        self.containers: list[Container] = []
        self.ends: dict[str, list[str]] = {}
        self.ends_of: Ends | None = None
        self.lock = Lock()

    def add(self, key: str, container: Container | None) -> None:
        self.places[key] = len(self.places)
        if container is not None:
            self.containers.append(container)
        elif key[0] == '"':
            insort(self.strings, key)
            if self.ends_of is not None:
                _add_ends(self.ends, key, self.ends_of)
        elif key[0] not in "tfn":
            insort(self.numbers, (plain_number(key), key))

    def ends_at(self, beginning: str, ends: Ends) -> Sequence[str]:
        """The strings that begin so, which a token may end."""
        if self.ends_of is not ends:
            with self.lock:
                found: dict[str, list[str]] = {}
                for key in self.strings:
                    _add_ends(found, key, ends)
                self.ends = found
                self.ends_of = ends  # last, because forks in other threads do not wait for the lock
        return self.ends.get(beginning, ())


def _add_ends(found: dict[str, list[str]], key: str, ends: Ends) -> None:
    for place in range(max(1, len(key) - 1 - ends.reach), len(key)):
        if ends.may_end(key[place:-1].encode()):
            found.setdefault(key[:place], []).append(key)


class Seen:
    """A set of values in their one spelling. Immutable; threads may share it."""

    __slots__ = ("_beside", "_left", "_log", "_plain", "_size")

    def __init__(self, log: _Log, size: int, beside: tuple[_Value, ...] = (), left: _Left | None = None) -> None:
        """The first values of a log, and those beside it, which came later. left: a list of strings, how many of the
        first values were taken out of it, and what is left of it then."""
        self._log = log
        self._size = size
        self._beside = beside
        self._left = left
        self._plain: list[str] | None = None  # the numbers beside the log, as plain decimals

    def __repr__(self) -> str:
        return f"<Seen {len(self)} values>"

    def __len__(self) -> int:
        return self._size + len(self._beside)

    def __eq__(self, other: object) -> bool:
        """Whether both are of one log: equal ones have the same values, but not the other way round."""
        if not isinstance(other, Seen):
            return NotImplemented
        return self._log is other._log and self._size == other._size and self._beside == other._beside

    def __hash__(self) -> int:
        return hash((id(self._log), self._size, self._beside))

    def __contains__(self, key: str) -> bool:
        return self._is_logged(key) or any(key == known for known, _ in self._beside)

    def _is_logged(self, key: str) -> bool:
        return self._log.places.get(key, self._size) < self._size

    def with_one(self, key: str, container: Container | None = None) -> Seen:
        """The set with one more, which is not in it. container: what it is, where it is no scalar."""
        beside = (*self._beside, (key, container))
        if len(beside) < _MOST_BESIDE:
            return Seen(self._log, self._size, beside, self._left)
        older, newer = beside[: _MOST_BESIDE // 2], beside[_MOST_BESIDE // 2 :]
        log = self._log
        with log.lock:
            known = range(self._size, len(log.places))  # what texts that came here before have added
            if not self._size or any(log.places.get(key) != at for at, (key, _) in zip(known, older, strict=False)):
                log = self._copy()
            for key, value in older[len(log.places) - self._size :]:
                log.add(key, value)
        return Seen(log, self._size + len(older), newer, self._left)

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
        place = bisect_left(found, beginning) if self._size else len(found)
        while place < len(found) and found[place].startswith(beginning):
            if self._is_logged(found[place]):
                yield found[place]
            place += 1
        for key, _ in self._beside:
            if key.startswith(beginning):
                yield key

    def ending_at(self, beginning: str, ends: Ends) -> Iterator[str]:
        """Those of them that a token may end, and others of them, if there are not many."""
        found = self._log.strings
        place = bisect_left(found, beginning) if self._size else len(found)
        if place + _FEW >= len(found) or not found[place + _FEW].startswith(beginning):
            yield from self.strings(beginning)
            return
        for key in self._log.ends_at(beginning, ends):
            if self._is_logged(key):
                yield key
        for key, _ in self._beside:
            if key.startswith(beginning):
                yield key

    def left_of(self, strings: Sequence[bytes]) -> Sequence[bytes]:
        """The strings of a list that are not among them. strings: in their one spelling; kept, not to be changed."""
        of, size, left = self._left or ((), 0, ())
        if of is not strings:
            size, left = 0, strings
        if size < len(self):
            written = {key.encode() for key, _ in self._beside[max(0, size - self._size) :]}
            if size < self._size:
                with self._log.lock:  # a fork in another thread may be writing
                    written.update(key.encode() for key, at in self._log.places.items() if size <= at < self._size)
            left = [string for string in left if string not in written]
            self._left = strings, len(self), left
        return left

    def has_number(self, digits: str) -> bool:
        """Whether a number, as a plain decimal with any zeros at its end, begins so."""
        if digits[:1] == "-" and not digits.strip("-0.") and "0" in self:
            return True
        trimmed = digits.rstrip("0").rstrip(".") if "." in digits else digits
        found = self._log.numbers
        for beginning in (digits, trimmed) if self._size else ():
            place = bisect_left(found, (beginning, ""))
            while place < len(found) and found[place][0].startswith(beginning):
                plain, key = found[place]
                if self._is_logged(key) and (beginning == digits or plain == beginning):
                    return True
                place += 1
        if self._plain is None:
            self._plain = [plain_number(key) for key, value in self._beside if value is None and key[0] not in '"tfn']
        return any(plain.startswith(digits) or plain == trimmed for plain in self._plain)

    def containers(self, opening: str) -> tuple[Container, ...]:
        """Those that begin with this bracket."""
        logged = [c for c in self._log.containers if c.key[0] == opening and self._is_logged(c.key)]
        return (*logged, *[c for _, c in self._beside if c is not None and c.key[0] == opening])


NONE_SEEN = Seen(_Log(), 0)
"""The set of a place in which nothing was written."""
