"""The registers of a text: for each open array or object in which something must differ, what was written there.

They are a chain from the innermost one outwards, immutable, and part of each step of a text, so that rollbacks and
forks cost nothing. `read` is the step: it goes on reading, and says whether something was written twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

from ...ondemand.noted import Unit
from .paths import is_over, strings_like
from .reading import Reading, begin
from .runs import Runs
from .seen import NONE_SEEN, Seen
from .token_index import TokenIndex

__all__ = ["ENOUGH", "Context", "Note", "NotedSource", "Register", "chain", "read"]

Note = tuple[int, int, int, int, int]
"""Of a noted call: index of the byte, call edge, state that calls, levels open around the value, and the fewest levels
that were open since the note before."""

_BLANKS = b" \t\n\r"
_COMMA = 0x2C
_VALUE_ENDS = b",:]} \t\n\r"
_NOTHING_READ = begin(NONE_SEEN, b"")
ENOUGH = 4  # bytes of a string, to ask whether it is still like any other


class NotedSource(Runs, Protocol):
    """A source with noted calls."""

    @property
    def units(self) -> Mapping[int, Unit]:
        """What they are about, by call edge; more may come while a text goes on."""

    def call_for_units(self, call: Callable[[Unit], None], /) -> None:
        """Have `call` called with each unit, those that come later too."""

    def key_before(self, state: int, /) -> bytes | None:
        """What a state has read of a key behind its opening quote; None where it stands before the quote."""


class Context:
    """What reading needs to know of a source, and of a vocabulary."""

    __slots__ = ("index", "source")

    def __init__(self, source: NotedSource, index: TokenIndex) -> None:
        self.source = source
        self.index = index

    def is_near(self, key: str, reach: int) -> bool:
        """Whether some token may write a key again as a whole, from its beginning or from a place among the names that
        it has in common with them: in `reach` bytes."""
        text = key[1:-1].encode()
        heads = self.index.heads
        return key in self.index.full or text in heads or any(text[start:] in heads for start in range(1, reach + 1))


class Register:
    """One open array or object. depth: levels open inside it. seen: what was written. reading: what is being written.
    wants: whether a comma was read that an item or a key must follow. between: of few keys, what was read since a key.

    reach: bytes of the key that is being read which it has in common with declared names.
    is_trap: whether a beginning of some key that was written may have no end that was not. is_near: whether some token
    may write such a key as a whole, or what is left of it behind a beginning of names. watchful: whether it must
    read on. hot: whether some tokens may have to go from the mask. is_plain: whether it and those around it are about
    keys that always have other ends (`plain_keys`).
    """

    __slots__ = (
        "between",
        "depth",
        "hot",
        "is_near",
        "is_plain",
        "is_trap",
        "parent",
        "reach",
        "reading",
        "seen",
        "unit",
        "wants",
        "watchful",
    )

    def __init__(
        self,
        parent: Register | None,
        depth: int,
        unit: Unit,
        seen: Seen,
        reading: Reading | None,
        *,
        wants: bool = False,
        between: Reading | None = None,
        reach: int = 0,
        is_trap: bool = False,
        is_near: bool = False,
    ) -> None:
        self.parent = parent
        self.depth = depth
        self.unit = unit
        self.seen = seen
        self.reading = reading
        self.wants = wants
        self.between = between
        self.reach = reach
        self.is_trap = is_trap
        self.is_near = is_near
        self.is_plain: bool = unit.is_plain and not is_trap and (parent is None or parent.is_plain)
        watchful = reading is not None or (not unit.is_plain and (unit.kind == "items" or unit.few))
        self.watchful: bool = watchful or (parent is not None and parent.watchful)
        self.hot = False

    @property
    def has_way_out(self) -> bool:
        """Whether what is being read is a key, and each beginning of those that were written has other ends; or an
        object that may always have one more member, with any key."""
        return self.unit.open if self.unit.kind == "items" else not self.is_trap

    @property
    def is_listed(self) -> bool:
        """Whether a string out of a list is being read."""
        return self.unit.listed is not None and self.reading is not None and self.reading.in_string

    def leaves_listed(self, more: bytes = b"") -> bool | None:
        """Of a string out of a list that is being read: whether one is left that goes on so. None where it is another
        value, or is known to differ."""
        listed, reading = self.unit.listed, self.reading
        if listed is None or reading is None or not reading.in_string or reading.scalar is None:
            return None
        return _begins_one_of(reading.seen.left_of(listed), reading.scalar + more)

    @property
    def is_over(self) -> bool:
        """Whether it is seen at once that what is being read can only become what was written."""
        return self.reading is not None and (self.leaves_listed() is False or is_over(self.reading))

    def __repr__(self) -> str:
        return f"<Register of {self.unit.kind}, {len(self.seen)} written>"


def _begins_one_of(strings: Sequence[bytes], beginning: bytes) -> bool:
    """Whether one of some sorted strings begins so."""
    place = bisect_left(strings, beginning)
    return place < len(strings) and strings[place].startswith(beginning)


def chain(register: Register | None) -> list[Register]:
    """The registers from the innermost one outwards."""
    found: list[Register] = []
    while register is not None:
        found.append(register)
        register = register.parent
    return found


def read(
    register: Register | None,
    data: bytes,
    notes: tuple[Note, ...],
    low: int,
    context: Context,
) -> Register | Literal[False] | None:
    """The registers after more of a text, False where something was written twice.

    notes: of the noted calls. low: the fewest levels open since the last of them.
    """
    place = 0
    for index, edge, state, depth, before in notes:
        after = _on(register, data[place:index], context)
        if after is False:
            return False
        register = _within(after, before)
        unit = context.source.units[edge]
        parent, seen = register, NONE_SEEN
        if register is not None and register.depth == depth:
            parent, seen = register.parent, register.seen
        text = context.source.key_before(state) if unit.kind == "keys" else None
        reading = begin(seen, b"" if text is None else b'"' + text)
        is_trap = is_near = False
        if register is not None and register.depth == depth:
            is_trap, is_near = register.is_trap, register.is_near
        register = Register(
            parent, depth, unit, seen, reading, reach=len(text or b""), is_trap=is_trap, is_near=is_near
        )
        place = index
    rest = _on(register, data[place:], context)
    return False if rest is False else _within(rest, low)


def _within(register: Register | None, levels: int) -> Register | None:
    """Without those of containers that were closed."""
    while register is not None and register.depth > levels:
        register = register.parent
    return register


def _on(register: Register | None, data: bytes, context: Context) -> Register | Literal[False] | None:
    """All registers after more bytes, in which no noted value begins."""
    if register is None or not data or not register.watchful:
        return register
    after: Register | None = None
    for here in reversed(chain(register)):
        moved = _step(here, after, data, context)
        if moved is False:
            return False
        after = moved
    return after


def _step(here: Register, parent: Register | None, data: bytes, context: Context) -> Register | Literal[False] | None:
    """One register after more bytes, in which no noted value begins; its parent where it is over."""
    reading, seen, wants, place, between = here.reading, here.seen, here.wants, 0, here.between
    is_trap, is_near = here.is_trap, here.is_near
    if reading is not None:
        reading, end = reading.read(data, 0)
        if end < 0:
            kept = _forgetting(reading)
            return Register(
                parent, here.depth, here.unit, seen, kept, reach=here.reach, is_trap=is_trap, is_near=is_near
            )
        key = reading.key()
        if key in seen:
            return False
        if here.unit.kind == "keys":
            is_trap = is_trap or not here.unit.has_many(key[1:-1].encode())
            is_near = is_near or context.is_near(key, here.reach)
        seen, reading, wants, place, between = seen.with_one(key, reading.container()), None, False, end, _NOTHING_READ
    if here.unit.kind == "items":
        for byte in data[place:]:
            if byte == _COMMA:
                wants = True
            elif byte not in _BLANKS:  # the array is over, or an item is not noted, and then none after it is
                return parent
    elif here.unit.few and between is not None:
        between, wants = _members(between, data, place, wants=wants)
    return Register(
        parent, here.depth, here.unit, seen, reading, wants=wants, between=between, is_trap=is_trap, is_near=is_near
    )


def _members(between: Reading, data: bytes, place: int, *, wants: bool) -> tuple[Reading, bool]:
    """Go on between keys: what is open, and whether a key is wanted."""
    while place < len(data):
        is_open = between.levels or between.in_string or between.scalar
        if not is_open and data[place] in _VALUE_ENDS:
            wants = data[place] == _COMMA or (wants and data[place] in _BLANKS)
            place += 1
            continue
        between, end = between.read(data, place)
        if end < 0:
            break
        between, wants, place = _NOTHING_READ, False, end
    return between, wants


def _forgetting(reading: Reading) -> Reading:
    """A reading without the scalar that it is in, where no other value has such a one."""
    scalar = reading.scalar
    if scalar is None or not reading.in_string or len(scalar) < ENOUGH or strings_like(reading):
        return reading
    return reading.without_scalar()
