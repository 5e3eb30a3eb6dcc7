"""Tokens that are seen to write nothing twice, by a look at their text: most of those that could.

What a token may do is told from its bytes and from what was written, without taking it: 1 us, where to try it takes 50.

- In a string to which any characters may be added, one that does not end it does no harm.
- Where all that must differ are objects which may always have one more member, one does no harm that closes nothing
  and writes no whole key.
- In an array of which there are always more items, while a scalar is read, or between items, one does harm only if it
  completes an item that was written, or two equal ones.
"""

from __future__ import annotations

import re
from typing import Any

from .reading import AFTER_SCALAR, Reading, string_end
from .register import NotedSource, Register, chain
from .search import is_open
from .values import canonical

__all__ = ["Harmless"]

_QUOTE, _CLOSE = 0x22, 0x5D
_BETWEEN = b" \t\n\r,"
_CLOSING = re.compile(rb"[\]}\\]")
_VALUE = re.compile(rb'["0-9a-z]')


class Harmless:
    """Tells the tokens of one mask."""

    def __init__(self, cursor: Any, source: NotedSource) -> None:
        registers = chain(cursor.register)
        self._reading = next((here.reading for here in registers if here.reading is not None), None)
        self._in_string = self._reading is not None and self._reading.in_string
        self._is_open = self._in_string and is_open(source, cursor.state)
        self._has_ways_out = bool(registers) and all(map(_has_way_out, registers))
        in_key = source.key_before(cursor.state) is not None or any(
            here.reading is not None and here.unit.kind == "keys" for here in registers[:1]
        )
        self._quotes = (
            0 if in_key else 2 if self._in_string else 1
        )  # those that a token may have and write no whole key
        self._items = registers[0] if registers and _is_of_scalars(registers[0]) else None
        self._ends: dict[bytes, str | None] = {}  # the item that is read, by how it ends; None where it was written

    def includes(self, data: bytes) -> bool:
        """Whether a token is one of them; False where it is not seen. data: of a token that the mask has."""
        reading = self._reading
        if self._in_string and reading is not None and string_end(data, 0, escaped=reading.escaped) < 0:
            return self._is_open
        if self._has_ways_out:
            return data.count(b'"') <= self._quotes and _CLOSING.search(data) is None
        return self._items is not None and self._is_new(data, self._items)

    def _is_new(self, data: bytes, items: Register) -> bool:
        """Whether nothing was written before that a token completes."""
        place, written = 0, set[str]()
        if items.reading is not None:
            place = _end(data, 0, items.reading)
            key = None if place < 0 else self._ended(items, items.reading, data[:place])
            if key is None:
                return False
            written.add(key)
        while place < len(data):
            byte = data[place]
            if byte in _BETWEEN:
                place += 1
                continue
            if byte == _CLOSE:
                return _VALUE.search(data, place) is None
            start = place
            place = string_end(data, place + 1, escaped=False) if byte == _QUOTE else _end(data, place, None)
            if place < 0:
                return byte == _QUOTE and items.unit.free
            if place == start:
                return False
            key = canonical(data[start:place])
            if key in items.seen or key in written:
                return False
            written.add(key)
        return True

    def _ended(self, items: Register, reading: Reading, end: bytes) -> str | None:
        if end not in self._ends:
            key = canonical(reading.text() + end)
            self._ends[end] = None if key in items.seen else key
        return self._ends[end]


def _has_way_out(register: Register) -> bool:
    if register.unit.kind == "keys":
        return register.unit.is_plain and register.has_way_out
    return register.reading is not None and register.has_way_out


def _is_of_scalars(register: Register) -> bool:
    """Whether there are always more items, and a scalar is read, or nothing; and no value around it must differ."""
    if register.unit.kind != "items" or not register.unit.is_roomy:
        return False
    if register.parent is not None and register.parent.watchful:
        return False
    reading = register.reading
    return reading is None or (not reading.is_container and (reading.in_string or bool(reading.scalar)))


def _end(data: bytes, place: int, reading: Reading | None) -> int:
    """Where the scalar ends that is read, -1 where it does not; `place` where something else begins there."""
    if reading is not None and reading.in_string:
        return string_end(data, place, escaped=reading.escaped)
    match = AFTER_SCALAR.search(data, place)
    return match.start() if match else -1
