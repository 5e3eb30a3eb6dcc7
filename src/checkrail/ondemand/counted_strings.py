"""Strings of which only the length is bounded: copies of the automaton of any string, one for each length left.

A text of n characters comes to n of them, and they are made some dozens at a time, by copying tables, so a character
costs no more than in a string without a bound.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from .language import ENDLESS_RUN, UNKNOWN_RUN, Language
from .scalars import any_string

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["CountedCopies", "CountedString", "bounds_of"]

_AT_ONCE = 32
_NO_BOUND = -1
_ENDLESS = 2**30


def bounds_of(language: Language) -> tuple[int, int] | None:
    """The fewest and the most characters (-1: no bound) of a language of all strings of such lengths; else None."""
    match language.name_of(0, _ENDLESS):
        case (1, "start", ("text", int(need), int(room))):
            return need, room
    return None


class CountedCopies:
    """Copies in a row: states from `first` to `last`. What is known of their states."""

    def __init__(self, first: int, last: int, need: int, room: int, longest: int, exit: int) -> None:
        self.first = first
        self.last = last
        self._need = need
        self._room = room
        self._longest = longest
        self._exit = exit

    def _base(self, local: int) -> tuple[int, int] | None:
        """The bounds from a state before a character."""
        language = any_string()
        level, place = divmod(local, language.size or 1)
        if place != _base():
            return None
        room = self._room - level if self._room >= 0 else _NO_BOUND
        return _seen(max(self._need - level, 0), room, self._longest)

    def name_of(self, local: int) -> tuple[Hashable, ...] | None:
        """As `Language.name_of`."""
        bounds = self._base(local)
        return None if bounds is None else _name(1, ("text", *bounds), exit=self._exit)

    def plain_run(self, local: int) -> int:
        """As `Language.plain_run`."""
        bounds = self._base(local)
        if bounds is None:
            return UNKNOWN_RUN
        return ENDLESS_RUN if bounds[1] == _NO_BOUND else bounds[1]


def _name(*parts: Hashable, exit: int) -> tuple[Hashable, ...]:
    return parts if exit == 0 else (parts, exit)


def _seen(need: int, room: int, longest: int) -> tuple[int, int]:
    """Bounds as far as a token of `longest` bytes can see them."""
    return min(need, longest), room if room < longest else _NO_BOUND


def _base() -> int:
    language = any_string()
    return language.row(0)[language.class_map[0x22]]


class CountedString:
    """The states of one such string; `start` reads the opening quote."""

    def __init__(self, owner: OnDemand, need: int, room: int, exit: int) -> None:
        self._owner = owner
        self._exit = exit
        self._language = any_string()
        self._base = _base()
        self._map = owner.languages.place_of_map(self._language.class_map)
        self.start = owner.new_state(0, self._make_start, need, room, exit=exit)
        seen = _seen(need, room, owner.longest_token)
        owner.languages.name(self.start, _name(1, "start", ("text", *seen), exit=exit))

    def _make_start(self, state: int, need: int, room: int) -> None:
        tables, width = self._owner.tables, self._language.width
        row = tables.add_row(width, -1)
        tables.put(row + self._language.class_map[0x22], self._before_character(need, room))
        tables.expand(state, row, self._map, 0, 0, 0)

    def _before_character(self, need: int, room: int) -> int:
        """The state before a character, with its copy and some more after it."""
        owner, language = self._owner, self._language
        if room == _NO_BOUND and need <= 0:
            return owner.languages.join(language, self._exit).state(self._base)
        left = need if room == _NO_BOUND else room + 1
        levels = min(_AT_ONCE, left)
        if levels == left and room >= 0:
            after = -1
        else:
            following = need - levels, room - levels if room >= 0 else _NO_BOUND
            after = owner.new_state(0, self._make_later, *following)
            seen = _seen(*following, owner.longest_token)
            run = ENDLESS_RUN if seen[1] == _NO_BOUND else seen[1]
            owner.languages.name(after, _name(1, ("text", *seen), exit=self._exit), run)
        end = language.row(self._base)[language.class_map[0x22]]
        first = owner.tables.copy_counted(
            language.rows, language.width, self._map, self._base, end, levels, need, room, after,
            owner.end(self._exit),
        )  # fmt: skip
        last = first + levels * (language.size or 0)
        owner.languages.register(CountedCopies(first, last, need, room, owner.longest_token, self._exit))
        return first + self._base

    def _make_later(self, state: int, need: int, room: int) -> None:
        self._owner.become(state, self._before_character(need, room))
