"""The tokens of a mask that may write something twice, or lead to where nothing is left: those that are to be tried.

A mask knows nothing of what was written. Most of its tokens can do no harm: they go on in another way than all that
was written. What is left is found from what was written, and not by trying all:

- in a string: the tokens along a string that begins as this one does, and those that close it there; where any
  characters may follow, only the latter;
- between values, in numbers and words: masks are small there, and each token is looked at;
- anywhere: tokens that end a value and go on behind a comma.

Too many may be found, too few never.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .paths import Beginning, beginning_of, likely, may_repeat, number_may_repeat
from .reading import Reading
from .register import NotedSource, Register, chain
from .runs import Digits
from .search import is_open
from .token_index import TokenIndex, bits_of

__all__ = ["at_names", "doomed", "ending", "is_hot", "suspects", "whole_strings"]

_MOST_BETWEEN = 4_096  # tokens, between values or in a number
_NUMBER_BYTES = frozenset(b"0123456789+-.eE")


def is_hot(register: Register) -> bool:
    """Whether there may be any because of this register, without regard to those around it, and to `doubles`."""
    if register.unit.kind == "items":
        return register.reading is not None or len(register.seen) > 0
    if register.reading is not None:
        return may_repeat(register.reading)
    if not len(register.seen):
        return False
    return register.is_trap or register.is_near or register.unit.few


def suspects(cursor: Any, row: array[int], index: TokenIndex, source: NotedSource, digits: Digits) -> Iterator[int]:
    """The tokens, each once or more often. row: the mask, as words."""
    registers = chain(cursor.register)
    reading = next((here.reading for here in registers if here.reading is not None), None)
    if reading is not None and reading.in_string:
        yield from _in_string(registers, row, index, is_free=is_open(source, cursor.state))
        yield from _crossing(registers, index)
        if registers[0].reading is None:  # the string may be a key of an object that is an item
            yield from whole_strings(registers[:1], index)
            yield from at_names(registers[0], cursor.state, index, source)
        return
    if all(_is_calm(here) for here in registers):
        yield from _crossing(registers, index)
        yield from whole_strings(registers, index)
        if registers:
            yield from at_names(registers[0], cursor.state, index, source)
        return
    yield from _Between(registers, cursor, index, source, digits).among(row)


def doomed(cursor: Any, index: TokenIndex) -> Iterator[int]:
    """The tokens of which it is known without trying: those that end a string which was written, and those that go on
    as none does which is left of a list."""
    register = cursor.register
    reading = None if register is None else register.reading
    if reading is None or reading.is_container or not reading.in_string or reading.scalar is None:
        return
    scalar = reading.scalar
    left = reading.seen.left_of(register.unit.listed) if register.is_listed else None
    beginning = beginning_of(scalar)
    if not beginning.part:
        for text in reading.seen.ending_at(beginning.whole, index):
            yield from index.heads.get(text[len(beginning.whole) : -1].encode(), ())
    if left is None:
        return
    for text in likely(reading, beginning):
        spelled = text.encode()
        if spelled[len(beginning.whole.encode()) : -1].startswith(beginning.part):
            rest = spelled[len(scalar) : -1]
            for end in range(_shared(left, spelled) - len(scalar) + 1, min(len(rest), index.longest) + 1):
                yield from index.exact.get(rest[:end], ())


def _common(one: bytes, other: bytes) -> int:
    return next((i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))


def _shared(strings: Sequence[bytes], text: bytes) -> int:
    """How many bytes a text has in common with that of some sorted strings which shares most with it."""
    place = bisect_left(strings, text)
    nearest = strings[max(place - 1, 0) : place + 1]
    return max((_common(text, string) for string in nearest), default=0)


def _is_calm(register: Register) -> bool:
    """Whether only tokens with a good part of a value or a key can do harm."""
    if register.reading is None:
        return not register.unit.few and (register.unit.free or register.unit.kind == "keys")
    return _is_unlike(register)


def _is_unlike(register: Register) -> bool:
    """Whether a value is open in it that is known to be another one, whatever becomes of it."""
    reading = register.reading
    return reading is not None and reading.levels > 0 and not reading.alike


def at_names(register: Register, state: int, index: TokenIndex, source: NotedSource) -> Iterator[int]:
    """Behind a beginning of declared names, tokens that go on with a key that was written."""
    begun = source.key_before(state)
    if begun is None:
        return
    text = '"' + begun.decode("utf-8", "ignore")
    for key in register.seen.strings(text) if register.is_trap else register.seen.ending_at(text, index):
        rest = key.encode()[1 + len(begun) : -1]
        yield from index.heads.get(rest, ())
        if register.is_trap:
            for end in range(1, min(len(rest), index.longest) + 1):
                yield from index.exact.get(rest[:end], ())


def _opening(register: Register, index: TokenIndex) -> Iterator[int]:
    """Tokens that go some way into a key that was written, or that have an escape in one."""
    yield from index.tails_with_escapes
    for text in register.seen.strings('"'):
        key = text[1:-1].encode()
        for end in range(1, min(len(key), index.longest) + 1):
            yield from index.tails.get(key[:end], ())


def _crossing(registers: list[Register], index: TokenIndex) -> Iterator[int]:
    """Tokens that end the string that is open, and more. Those that end a key are tried anyway (`Follower.doubles`)."""
    for here in registers:
        if here.reading is None:
            continue
        if here.reading.levels:
            yield from index.closing.get(here.reading.levels, ())
        elif here.unit.kind == "items":
            yield from index.far_crossing if here.unit.free else index.crossing


def whole_strings(registers: list[Register], index: TokenIndex) -> Iterator[int]:
    """Tokens with a whole string in them that was written."""
    for here in registers:
        if here.reading is not None:
            continue
        if here.unit.kind == "items":
            yield from index.far_crossing
        full = index.full
        for text in full if len(full) < len(here.seen) else here.seen.strings('"'):
            if text in full and text in here.seen:
                yield from full[text]
        if here.is_trap:
            yield from _opening(here, index)


def _in_string(registers: list[Register], row: array[int], index: TokenIndex, *, is_free: bool) -> Iterator[int]:
    for here in registers:
        if here.reading is None or here.reading.scalar is None or not len(here.seen):
            continue
        beginning = beginning_of(here.reading.scalar)
        if beginning.part and not here.is_listed:
            yield from _within_character(here.reading, beginning, row, index)
            continue
        open_ended = is_free or here.has_way_out
        yield from _along(here.reading, beginning, index, is_free=open_ended or here.is_listed)
        if not here.unit.one_spelling:
            slashed, reach = (index.slashed_heads, index.slash_reach) if open_ended else (index.slashed, index.longest)
            ending_only = open_ended and not here.reading.is_container
            for text in (
                here.reading.seen.ending_at(beginning.whole, index) if ending_only else likely(here.reading, beginning)
            ):
                yield from _escaped(text[len(beginning.whole) : -1].encode(), slashed, reach)


def ending(rest: bytes, index: TokenIndex, *, one_spelling: bool) -> Sequence[int]:
    """Tokens that end a string so that it is one of which so much is left, and some that look like it."""
    found = index.heads.get(rest, ())
    if one_spelling or not (index.has_numbered_heads or b"\\" in rest or b"/" in rest):
        return found
    return [*found, *_escaped(rest, index.slashed_heads, index.slash_reach)]


def _escaped(rest: bytes, slashed: Mapping[bytes, list[int]], reach: int) -> Iterator[int]:
    """Tokens that go on with what is left of a string as far as their first escape, which is one of what comes then.

    slashed: those to look at, by what they begin with; the escape comes within `reach` bytes.
    """
    for end in range(min(len(rest), reach)):
        letters = [b"", b"u", rest[end : end + 1]]
        if letters[2] == b"\\":
            letters[2] = rest[end + 1 : end + 2]
        for letter in letters:
            yield from slashed.get(rest[:end] + b"\\" + letter, ())
        if rest[end : end + 1] == b"\\":
            break  # its other spellings were looked at


def _along(reading: Reading, beginning: Beginning, index: TokenIndex, *, is_free: bool) -> Iterator[int]:
    """Tokens that are spelled as what is left of a string, or as a part of it."""
    size = len(beginning.whole)
    if is_free and not reading.is_container:
        return
    for text in dict.fromkeys(likely(reading, beginning)):
        rest = text[size:-1].encode()
        if reading.is_container:
            yield from index.heads.get(rest, ())
        if not is_free:
            for end in range(1, min(len(rest), index.longest) + 1):
                yield from index.exact.get(rest[:end], ())


def _within_character(reading: Reading, beginning: Beginning, row: array[int], index: TokenIndex) -> Iterator[int]:
    if next(likely(reading, beginning), None) is None:
        return
    for token in _tokens(row):
        if _is_along(reading, index.tokens[token] or b""):
            yield token


def _is_along(reading: Reading, data: bytes) -> bool:
    """Whether a token closes the string, or goes on as a string that was written does."""
    if b'"' in data:
        return True
    assert reading.scalar is not None
    return next(likely(reading, beginning_of(reading.scalar + data)), None) is not None


def _tokens(row: array[int]) -> Iterator[int]:
    return bits_of(int.from_bytes(row.tobytes(), "little"))


class _Between:
    """Tokens at a place that is not in a string which was noted."""

    def __init__(
        self, registers: list[Register], cursor: Any, index: TokenIndex, source: NotedSource, digits: Digits
    ) -> None:
        self._registers = registers
        self._cursor = cursor
        self._index = index
        self._source = source
        self._digits = digits
        self._open: dict[bytes, bool | Register] = {}
        readings = [here.reading for here in registers if here.reading is not None]
        self._alike = any(reading.alike for reading in readings)
        self._reading = inner = readings[0] if readings else None
        self._number = (inner.scalar or b"").decode() if inner is not None and not inner.is_container else ""
        self._few = any(here.unit.few for here in registers)

    def among(self, row: array[int]) -> Iterator[int]:
        """Those of a mask."""
        found = list(bits_of(int.from_bytes(row.tobytes(), "little") & ~self._open_digits()))
        if len(found) > _MOST_BETWEEN:  # in a string that nobody notes
            found = [token for tokens in self._index.heads.values() for token in tokens]
        for token in found:
            data = self._index.tokens[token]
            if data and self._may_repeat(data):
                yield token

    def _open_digits(self) -> int:
        """The tokens of digits that write no more than a part of a number which any digits may follow."""
        digits, reading = self._index.digits, self._reading
        if reading is not None and reading.scalar:
            return sum(digits.values()) if self._digits.may_go_on(reading, self._cursor) else 0
        found = 0
        for first, tokens in digits.items():
            probe = self._cursor.probe(1)
            if probe.accept_bytes(bytes([first])) and self._digits.may_follow(probe):
                found |= tokens
        return found

    def _may_repeat(self, data: bytes) -> bool:
        head, quoted, rest = data.partition(b'"')
        if self._few and quoted:
            return True
        if not data.strip():  # at most the end of a number
            return self._alike or bool(self._number)
        if not quoted:
            return self._alike or not _NUMBER_BYTES.issuperset(data) or self._number_may_repeat(data.decode())
        if head.strip() or b'"' in rest:
            return True
        opened = self._opens(head)
        if opened is True or (opened and b"\\" not in rest and opened.leaves_listed(rest)):
            return False
        return self._string_may_repeat(b'"' + rest)

    def _number_may_repeat(self, text: str) -> bool:
        return any(number_may_repeat(here.seen, self._number + text) for here in self._registers)

    def _opens(self, head: bytes) -> bool | Register:
        """Whether any characters may follow the quote; or where a string out of a list must, the register behind it,
        unless the string is also part of another value that must differ."""
        known = self._open.get(head)
        if known is None:
            probe = self._cursor.probe(1)
            if not probe.accept_bytes(head + b'"'):
                known = False
            else:
                inner = probe.register
                is_alone = inner is not None and all(
                    here.reading is None or _is_unlike(here) for here in chain(inner.parent)
                )
                known = inner if is_alone and inner.unit.listed else is_open(self._source, probe.state)
            self._open[head] = known
        return known

    def _string_may_repeat(self, scalar: bytes) -> bool:
        whole = beginning_of(scalar).whole
        for here in self._registers:
            if next(here.seen.strings(whole), None) is not None:
                return True
            reading = here.reading
            if reading is not None and any(s.startswith(whole) for other in reading.alike for s in other.scalars):
                return True
        return False
