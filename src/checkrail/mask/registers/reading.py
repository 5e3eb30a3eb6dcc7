"""A value that must differ from others, while it is being written.

What is kept of it is what can still make it equal to one of those: the scalar that is being read, and the others that
agree so far. Once none does, only its text is kept, as chunks that the steps of a text share.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TypeAlias

from .seen import Container, Seen
from .values import canonical, scalars_of

__all__ = ["AFTER_SCALAR", "Chunks", "Reading", "begin", "joined", "string_end"]

Chunks: TypeAlias = "tuple[Chunks | None, bytes]"

_QUOTE, _BACKSLASH = 0x22, 0x5C
_IN_STRING = re.compile(rb'["\\]')
AFTER_SCALAR = re.compile(rb"[^0-9a-zA-Z.+-]")
_BLANKS = b" \t\n\r"


class Reading:
    """Immutable: `read` returns the next one.

    seen: what the value must differ from. alike: the containers among them that agree with it so far, where it is one.
    levels: of containers that are open in it. in_string, escaped: where in a scalar it is. scalar: the text of the
    scalar that is being read, empty between scalars; None in a string that is known to be another one than those.
    chunks: the text so far, shared with the readings before.
    """

    __slots__ = ("_read", "alike", "chunks", "escaped", "in_string", "levels", "scalar", "seen")

    def __init__(
        self,
        seen: Seen,
        chunks: Chunks | None,
        alike: tuple[Container, ...],
        read: Counter[str] | None,
        levels: int,
        scalar: bytes | None,
        *,
        in_string: bool,
        escaped: bool,
    ) -> None:
        self.seen = seen
        self.chunks = chunks
        self.alike = alike
        self._read = read
        self.levels = levels
        self.scalar = scalar
        self.in_string = in_string
        self.escaped = escaped

    def __repr__(self) -> str:
        return f"<Reading {self.text()!r}>"

    @property
    def is_container(self) -> bool:
        """Whether the value is an object or an array."""
        return self._read is not None

    def text(self) -> bytes:
        """All of it so far."""
        return joined(self.chunks)

    def key(self) -> str:
        """The one spelling of the value, which is complete."""
        return canonical(self.text())

    def container(self) -> Container | None:
        """What the value is, where it is no scalar."""
        text = self.text()
        return Container(canonical(text), Counter(scalars_of(text))) if text[:1] in b"[{" else None

    def read(self, data: bytes, start: int) -> tuple[Reading, int]:
        """Go on from `start`. The reading, and where the value has ended; -1 where it has not."""
        place, end = start, -1
        levels, in_string, escaped, scalar = self.levels, self.in_string, self.escaped, self.scalar
        read, alike = self._read, self.alike
        size = len(data)
        first = not self.chunks
        while place < size:
            if in_string:
                after = string_end(data, place, escaped=escaped)
                if after < 0:
                    escaped = _ends_escaped(data, place, escaped=escaped)
                    scalar = None if scalar is None else scalar + data[place:]
                    place = size
                    break
                scalar = None if scalar is None else scalar + data[place:after]
                in_string = escaped = False
                place = after
            elif scalar:
                match = AFTER_SCALAR.search(data, place)
                after = match.start() if match else size
                scalar += data[place:after]
                place = after
                if match is None:
                    break
            else:
                byte = data[place]
                if byte == _QUOTE:
                    in_string, scalar = True, b'"'
                elif byte in b"[{":
                    levels += 1
                    if first:
                        read, alike = Counter(), self.seen.containers(chr(byte))
                elif byte in b"]}":
                    levels -= 1
                elif byte not in b",: \t\n\r":
                    scalar = data[place : place + 1]
                first = False
                place += 1
                if not levels and byte in b"]}":
                    end = place
                    break
                continue
            first = False
            if alike:
                read, alike = (read, ()) if scalar is None else _agreeing(read, alike, scalar)
            scalar = b""
            if not levels:
                end = place
                break
        chunks = (self.chunks, data[start:place]) if place > start else self.chunks
        made = Reading(self.seen, chunks, alike, read, levels, scalar, in_string=in_string, escaped=escaped)
        return made, end

    def without_scalar(self) -> Reading:
        """The same, known to be in a string that none of the others has at this place."""
        return Reading(
            self.seen, self.chunks, self.alike, self._read, self.levels, None, in_string=True, escaped=self.escaped
        )


def joined(chunks: Chunks | None) -> bytes:
    """The text that chunks are of."""
    parts: list[bytes] = []
    while chunks is not None:
        chunks, part = chunks
        parts.append(part)
    return b"".join(reversed(parts))


def begin(seen: Seen, text: bytes) -> Reading:
    """A value of which some text was read already, within one string."""
    empty = Reading(seen, None, (), None, 0, b"", in_string=False, escaped=False)
    return empty.read(text, 0)[0] if text else empty


def _agreeing(
    read: Counter[str] | None, alike: tuple[Container, ...], scalar: bytes
) -> tuple[Counter[str] | None, tuple[Container, ...]]:
    """The same once one more scalar was read in a container."""
    assert read is not None
    key = canonical(scalar)
    found = Counter(read)
    found[key] += 1
    return found, tuple([other for other in alike if other.scalars[key] >= found[key]])


def string_end(data: bytes, place: int, *, escaped: bool) -> int:
    """Where a string is over; -1 where it is not."""
    if escaped:
        place += 1
    while True:
        match = _IN_STRING.search(data, place)
        if match is None:
            return -1
        if data[match.start()] == _QUOTE:
            return match.end()
        place = match.start() + 2


def _ends_escaped(data: bytes, place: int, *, escaped: bool) -> bool:
    """Whether a string that is not over ends with a backslash whose letter is still to come."""
    if escaped:
        place += 1
    while True:
        match = _IN_STRING.search(data, place)
        if match is None:
            return False
        place = match.start() + 2
        if place > len(data):
            return True
