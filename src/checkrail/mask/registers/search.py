"""Whether a text can be completed, where what may follow was written before.

The automaton says that some end is possible, not that one is left which differs from all that was written: of `a|bx*`
nothing is left but `bx*` once "a" was. So a way out is looked for: bytes that the automaton takes, to a place from
which the value can be none of those that were written, or from which more follow than can have been. Mostly the first
byte is one. Depth first; a search that finds nothing has tried every value that is left.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from ...errors import MaskError
from .paths import beginning_of, likely, may_repeat
from .reading import Reading
from .register import Register, chain
from .runs import Digits, Runs

__all__ = ["Search", "is_open"]

_MOST_STEPS = 50_000
_SHORT_SEARCH = 300
_SHORTEST_SEARCH = 8  # mostly two bytes do
_MOST_REMEMBERED = 65_536
_MOST_BETWEEN = 64  # they hold what texts have written; the tokens of one mask ask for a few again and again
_OPEN_RUN = 4  # any so many plain characters: 80 million strings
_BLANKS = b" \t\n\r"
_FIRST = b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"-:,]}_.[{'
_ORDER = bytes([*_FIRST, *(b for b in range(0x21, 0x100) if b not in _FIRST and b != 0x5C), 0x5C, *_BLANKS])
_SHORT_ESCAPES = b'"\\bfnrtu'
_LONG_ESCAPES = {b"\\u": b"0", b"\\u0": b"0", b"\\u00": b"01"}


def is_open(source: Runs, state: int) -> bool:
    """Whether more strings can follow than any text holds."""
    return source.plain_run(state) >= _OPEN_RUN


def is_settled(cursor: Any, source: Runs, digits: Digits) -> bool:
    """Whether a way to an end is seen at once."""
    for here in chain(cursor.register):
        if here.reading is not None:
            if here.has_way_out or here.leaves_listed() or (here.reading.in_string and is_open(source, cursor.state)):
                continue
            if may_repeat(here.reading) and not digits.may_go_on(here.reading, cursor):
                return False
        elif here.wants and len(here.seen) and not here.unit.is_roomy:
            return False
    return True


class Search:
    """Looks for ends in one source.

    Where it has come to a place from which any string can follow within the values that are open, there is an end
    whatever was written. Such places are remembered by the kernel's numbers of state and stack; the answers between
    values, with what was written, only as long as the tokens of a mask ask for them.
    """

    def __init__(self, source: Runs, digits: Digits) -> None:
        self._source = source
        self._digits = digits
        self._machine: object = None
        self._open: dict[tuple[int, int], bool] = {}
        self._between: dict[Hashable, bool] = {}

    def has_end(self, cursor: Any) -> bool:
        """Whether some end is possible in which all differ that must. cursor: of the kernel; it stays where it is.

        Raises MaskError MASK_DIFFERENT where that takes too many steps to find out.
        """
        if is_settled(cursor, self._source, self._digits):
            return True
        registers = chain(cursor.register)
        if any(here.is_over for here in registers):
            return False
        if any(here.reading is not None for here in registers):
            return self._finds_end(cursor)
        self._renew(cursor)
        place = cursor.state, cursor.frame, *[(here.depth, here.unit, here.seen, here.wants) for here in registers]
        known = self._between.get(place)
        if known is None:
            known = self._finds_end(cursor)
            if len(self._between) >= _MOST_BETWEEN:
                self._between = {}
            self._between[place] = known
        return known

    def _renew(self, cursor: Any) -> None:
        if cursor.machine is not self._machine or len(self._open) > _MOST_REMEMBERED:
            self._machine, self._open, self._between = cursor.machine, {}, {}

    def _finds_end(self, cursor: Any) -> bool:
        found = _leads_to_difference(cursor, self._source, self._digits, _SHORTEST_SEARCH)
        if found is None and not self._leads_to_open(cursor):
            found = _leads_to_difference(cursor, self._source, self._digits, _MOST_STEPS)
            if found is None:
                raise MaskError("MASK_DIFFERENT", limit=_MOST_STEPS)
        return found is not False

    def _leads_to_open(self, cursor: Any) -> bool:
        self._renew(cursor)
        place = cursor.state, cursor.frame
        known = self._open.get(place)
        if known is None:
            levels = [(here.depth, len(here.seen)) for here in chain(cursor.register)]
            walk = _Walk(cursor, _SHORT_SEARCH)
            known = False
            for child in walk:
                if len(levels) > len(chain(child.register)):
                    walk.back()
                elif _is_within(child, levels) and is_open(self._source, child.state):
                    known = True
                    break
            self._open[place] = known
        return known


def _leads_to_difference(cursor: Any, source: Runs, digits: Digits, most: int) -> bool | None:
    """Whether some place can be come to from which an end is seen at once; None where so many steps do not tell."""
    walk = _Walk(cursor, most)
    for child in walk:
        if any(here.is_over for here in chain(child.register)):
            walk.back()
        elif is_settled(child, source, digits):
            return True
    return None if walk.left < 0 else False


def _is_within(cursor: Any, levels: list[tuple[int, int]]) -> bool:
    """Whether a cursor is in a string which belongs to all values that are being written in these registers."""
    registers = chain(cursor.register)
    inner = registers[0].reading
    if inner is None or not inner.in_string:
        return False
    old = registers[len(registers) - len(levels) :]
    same = [(here.depth, len(here.seen)) for here in old] == levels
    return same and all(here.reading is not None or here.unit.kind == "keys" for here in old)


class _Walk:
    """Bytes that the automaton takes from a place on, depth first; each place is given as a cursor. left: steps that
    are left, below 0 where they were not enough."""

    def __init__(self, cursor: Any, most: int) -> None:
        self.left = most
        self._begun = _scalar(cursor.register)
        self._stack: list[tuple[Any, Iterator[int]]] = []
        self._moved: list[bool] = []
        self._enter(cursor)

    def _enter(self, cursor: Any) -> None:
        values = _bytes_after(cursor, self._begun)
        self._stack.append((cursor.probe(1), iter(values)))
        self._moved.append(False)

    def __iter__(self) -> Iterator[Any]:
        while self._stack:
            here, values = self._stack[-1]
            value = next(values, -1)
            if value < 0 or (self._moved[-1] and value in _BLANKS):
                self.back()
                continue
            self.left -= 1
            if self.left < 0:
                return
            child = here.probe(1)
            if child.accept_bytes(bytes((value,))):
                self._moved[-1] = True
                self._enter(child)
                yield child

    def back(self) -> None:
        """Do not go on from the last place."""
        self._stack.pop()
        self._moved.pop()


def _scalar(register: Register | None) -> bytes:
    """The string that is being read."""
    reading = _reading(register)
    return b"" if reading is None or not reading.in_string else reading.scalar or b""


def _reading(register: Register | None) -> Reading | None:
    return next((here.reading for here in chain(register) if here.reading is not None), None)


def _bytes_after(cursor: Any, begun: bytes) -> list[int]:
    """The bytes to try, in that order: those of the one spelling of each character, and first those that nothing which
    was written goes on with. begun: text that was read before the search, whose last escape may be any."""
    values: bytes = cursor.reads()
    reading = _reading(cursor.register)
    scalar = None if reading is None or not reading.in_string else reading.scalar
    if reading is None or scalar is None:
        return sorted(values, key=_ORDER.index)
    beginning = beginning_of(scalar)
    part = beginning.part
    if part[:1] == b"\\" and not (scalar.startswith(begun) and len(scalar) - len(part) < len(begun)):
        wanted = _SHORT_ESCAPES if part == b"\\" else _LONG_ESCAPES.get(part, b"0123456789abcdef")
        return [value for value in values if value in wanted]
    size = len(beginning.whole)
    written = set() if part else {ord(text[size : size + 1].encode()[:1]) for text in likely(reading, beginning)}
    return sorted(values, key=lambda value: (value in written, _ORDER.index(value)))
