"""Strings of which only the length is bounded: copies of the automaton of any string, one for each length left.

A text of n characters comes to n of them, and they are made some dozens at a time, by copying tables, so a character
costs no more than in a string without a bound. What lies within a character, an escape or the bytes of one beyond
ASCII, is copied when a text comes to it.

Far from its bounds a string is read in chunks: calls of one module that reads so many characters and no more, and ends
with outcome 0 where it has, with outcome 1 where the string was closed. Its copies serve all chunks, so a text of any
length comes to a few thousand of them and one state more for each chunk: a counter of two digits, the lower one in the
module, the upper one in the state that it returns to.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple

from ..json_schema.algebra.conjunctions import is_length
from ..json_schema.algebra.texts import Texts
from .bounded_strings import Unbounded
from .language import ENDLESS_RUN, UNKNOWN_RUN
from .module import Module
from .scalars import any_string

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["CountedCopies", "CountedString", "as_in", "bounds_of"]

_AT_ONCE = 32
_NO_BOUND = -1
_ENDLESS = 2**30
_LEAST_CHUNK = 1_024  # characters
_TOKENS_OF_CHUNK = 4  # of the longest: a chunk holds one at least, or no token could leave it into the next one
_MANY_CHUNKS = 2  # so far from its bounds that behind one chunk and one token a string is still far from them


def bounds_of(texts: Texts) -> tuple[int, int] | None:
    """The fewest and the most characters (-1: no bound) of a set of all texts of such lengths; None for other sets, and
    for all texts."""
    shape = texts.shape
    if texts.members is not None or texts.without or texts.plain or not is_length(shape):
        return None
    need, room = shape.minimum, _NO_BOUND if shape.maximum is None else shape.maximum
    return (need, room) if room >= max(need, 1) or (room == _NO_BOUND and need > 0) else None


class _Chunk(NamedTuple):
    """Where copies are in a chunk, as `CountedCopies` says it."""

    ahead: int
    start: int


class CountedCopies:
    """Copies in a row. What is known of their states, which are numbered from 0.

    bounds: the fewest characters that must follow the first copy, and the most that may. In a chunk, ahead: characters
    from there to its end; start: its first state. What a token does that leaves the chunk is what it does there, since
    the next part of the string is as far from its bounds as a token can see.
    """

    def __init__(self, bounds: tuple[int, int], longest: int, exit: int, chunk: _Chunk | None = None) -> None:
        self._need, self._room = bounds
        self._longest = longest
        self._exit = exit
        self._chunk = chunk

    def _base(self, local: int) -> tuple[int, int] | None:
        """The bounds from a state before a character."""
        language = any_string()
        level, place = divmod(local, language.size or 1)
        if place != _base() or (self._chunk is not None and self._chunk.ahead - level <= self._longest):
            return None
        room = self._room - level if self._room >= 0 else _NO_BOUND
        return _seen(max(self._need - level, 0), room, self._longest)

    def unbounded(self, local: int) -> Unbounded | None:
        """For a state near the end of a chunk, its first one."""
        level, place = divmod(local, any_string().size or 1)
        if self._chunk is None or place != _base() or self._chunk.ahead - level > self._longest:
            return None
        return as_in(self._chunk.start)

    def name_of(self, local: int) -> tuple[Hashable, ...] | None:
        """As `Language.name_of`."""
        bounds = self._base(local)
        if bounds is None:
            return None
        name = 1, ("text", *bounds)
        return name if self._exit == 0 else (name, self._exit)

    def plain_run(self, local: int) -> int:
        """As `Language.plain_run`."""
        bounds = self._base(local)
        if bounds is None:
            return UNKNOWN_RUN
        return ENDLESS_RUN if bounds[1] == _NO_BOUND else bounds[1]


def as_in(state: int) -> Unbounded:
    """What a state is from which the same may follow as from another one, as far as a token can see."""
    return Unbounded(state, ENDLESS_RUN, 0, "", _fits)


def _fits(_text: bytes, _count: int) -> bool:
    return True


def _seen(need: int, room: int, longest: int) -> tuple[int, int]:
    """Bounds as far as a token of `longest` bytes can see them."""
    return min(need, longest), room if room < longest else _NO_BOUND


def _base() -> int:
    language = any_string()
    return language.row(0)[language.class_map[0x22]]


class CountedString:
    """The states of one such string; `start` reads the opening quote."""

    def __init__(self, owner: OnDemand, need: int, room: int) -> None:
        self._owner = owner
        self._language = any_string()
        self._base = _base()
        self._map = owner.languages.place_of_map(self._language.class_map)
        self.start = owner.new_state(0, self._make_start, need, room)
        owner.languages.name(self.start, (1, "start", ("text", *_seen(need, room, owner.longest_token))))

    def _make_start(self, state: int, need: int, room: int) -> None:
        tables, width = self._owner.tables, self._language.width
        row = tables.add_row(width, -1)
        tables.put(row + self._language.class_map[0x22], self._before_character(need, room))
        tables.expand(state, row, self._map, 0, 0, 0)

    def _before_character(self, need: int, room: int) -> int:
        """The state before a character."""
        if room == _NO_BOUND and need <= 0:
            return self._owner.languages.join(self._language).state(self._base)
        many = _MANY_CHUNKS * self._chunk
        if need > many or (need <= 0 and room > many):
            return self._owner.new_state(0, self._make_call, need, room)
        left = need if room == _NO_BOUND or (need > 0 and room - need > many) else room + 1
        return self._copies((need, room), left, self._after_copies, 0)

    def _after_copies(self, need: int, room: int) -> int:
        after = self._owner.new_state(0, self._make_later, need, room)
        seen = _seen(need, room, self._owner.longest_token)
        run = ENDLESS_RUN if seen[1] == _NO_BOUND else seen[1]
        self._owner.languages.name(after, (1, ("text", *seen)), run)
        return after

    def _copies(
        self,
        bounds: tuple[int, int],
        left: int,
        after: Callable[[int, int], int],
        exit: int,
        start: int | None = None,
    ) -> int:
        """The first state of some copies. left: how many there are to come in all. after: the state behind them.

        start: in a chunk, its first state; below 0 where that is this one.
        """
        owner, language = self._owner, self._language
        need, room = bounds
        levels = min(_AT_ONCE, left)
        is_last = levels == left and room >= 0 and left == room + 1
        following = -1 if is_last else after(need - levels, room - levels if room >= 0 else _NO_BOUND)
        size = language.size or 0
        how = levels, need, min(room, _ENDLESS), following, owner.end(exit)
        first = owner.new_block(levels * size, self._make_in_copy, how)
        self._lay(first, how, -1)
        here = first + self._base
        chunk = None if start is None else _Chunk(left, start if start >= 0 else here)
        owner.languages.register(first, first + levels * size, CountedCopies(bounds, owner.longest_token, exit, chunk))
        return here

    def _lay(self, first: int, how: tuple[int, int, int, int, int], inside: int) -> None:
        language = self._language
        closing = language.row(self._base)[language.class_map[0x22]]
        self._owner.tables.lay_counted(
            first, language.rows, language.width, self._map, self._base, closing, *how, inside
        )

    def _make_in_copy(self, state: int, number: int, how: tuple[int, int, int, int, int]) -> None:
        """Make a state within a character, with all others of its copy: few texts come to one."""
        self._lay(state - number, how, number // (self._language.size or 1))

    def _make_later(self, state: int, need: int, room: int) -> None:
        self._owner.become(state, self._before_character(need, room))

    # Chunks

    @property
    def _chunk(self) -> int:
        """Characters of one chunk."""
        return max(_LEAST_CHUNK, _TOKENS_OF_CHUNK * self._owner.longest_token)

    def _make_call(self, state: int, need: int, room: int) -> None:
        """Call the module of a chunk, in which the string may end or must not."""
        owner, language = self._owner, self._language
        may_end = need <= 0
        module = self._module(may_end)
        left = need - self._chunk, room - self._chunk if room >= 0 else _NO_BOUND
        edge = owner.tables.add_edge(module.start, owner.new_block(2, self._make_return, *left), 0, 0)
        quote = language.class_map[0x22]
        row = [
            -2 - edge if target >= 0 and (may_end or letter != quote) else -1
            for letter, target in enumerate(language.row(self._base))
        ]
        owner.tables.expand(state, owner.tables.append_row(array("i", row)), self._map, 4, edge, 1)

    def _make_return(self, state: int, outcome: int, need: int, room: int) -> None:
        after = self._owner.end() if outcome == 1 else self._before_character(need, room)
        self._owner.become(state, after)

    def _module(self, may_end: bool) -> Module:
        """That of a chunk in which the string may end, or must not."""
        return self._owner.module(("chunk", may_end), lambda: Module(self._in_chunk(self._chunk, -1, may_end)))

    def _in_chunk(self, ahead: int, start: int, may_end: bool) -> int:
        """The state of a chunk from which so many characters are ahead. start: as in `_copies`."""

        def after(_need: int, _room: int) -> int:
            left = ahead - _AT_ONCE
            if left <= 0:
                return self._owner.end()
            state = self._owner.new_state(0, self._make_in_chunk, left, may_end)
            if start >= 0:
                self._owner.languages.say_as(state, start)
            return state

        need = 0 if may_end else _ENDLESS
        return self._copies((need, _NO_BOUND), ahead, after, 1, start)

    def _make_in_chunk(self, state: int, ahead: int, may_end: bool) -> None:
        self._owner.become(state, self._in_chunk(ahead, self._module(may_end).start, may_end))
