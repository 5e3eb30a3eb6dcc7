"""Strings of a pattern with a bound on their length: the pattern's language, and a count of characters beside it.

A state is one of the language without the bound and two counts, and a move is allowed where some word of a fitting
length remains. The fewest and the most characters that are left of a pattern are known in each of its states, for each
way to go on by itself, since there may be gaps between them (`x|abcd` has one and four). So the language itself is
shared by all bounds, and what is known of its places (the masks of formats, kept on disk) serves bounded ones too:
`unbounded` says how.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from ..limits import Limits
from .language import ENDLESS_RUN, LONGEST_TOKEN, UNKNOWN_RUN, KeyedLanguage, Language
from .strings import SpelledLanguage

__all__ = ["BoundedLanguage", "Unbounded", "bounded"]

_NO_BOUND = -1

_Key = tuple[int, int, int]
"""A state of the language without bounds, the fewest and the most characters that must still begin (-1: no bound)."""


class Unbounded(NamedTuple):
    """What a bounded state is without its bound.

    state: that state. room: how many more characters may begin. slack: no state needs more characters to end. place:
    where in a character it is, as `mask.counted.Place` says it. fits(text, count): whether a text, with which `count`
    more characters begin, may follow; it is known that it may without the bound.
    """

    state: int
    room: int
    slack: int
    place: str
    fits: Callable[[bytes, int], bool]


def bounded(language: Language | None, low: int, high: int, limits: Limits) -> Language | None:
    """The texts of a language with `low` to `high` characters (-1: no bound); None where there are none, or where this
    module cannot tell which lengths its words have."""
    if not isinstance(language, SpelledLanguage) or not language.tells_lengths(gaps=low <= 0 or high < 0):
        return None
    if not _fit(language.spans(0), low, high):
        return None
    return BoundedLanguage(language, low, high, limits)


def _fit(spans: frozenset[tuple[int, int]], need: int, room: int) -> bool:
    """Whether one of some stretches of lengths has one that fits."""
    return any(most >= need and (room < 0 or fewest <= room) for fewest, most in spans)


class BoundedLanguage(KeyedLanguage):
    """The words of `inner` in which `low` to `high` characters are spelled."""

    def __init__(self, inner: SpelledLanguage, low: int, high: int, limits: Limits) -> None:
        super().__init__(inner.class_map, inner.width, limits, (0, low, high))
        self.inner = inner

    @property
    def is_large(self) -> bool:
        """Whether it, or what it counts beside, has so many states that the next to use it should begin with none."""
        return super().is_large or self.inner.is_large

    def accepting(self, state: int) -> bool:
        return self.inner.accepting(self._key(state)[0])

    def _key(self, state: int) -> _Key:
        key = self._keys[state]
        assert isinstance(key, tuple)
        return key

    def _made(self, key: Hashable) -> list[int]:
        assert isinstance(key, tuple)
        here, need, room = key
        inner = self.inner
        begins = inner.begins_character(here)
        left = (max(need - 1, 0), room - 1 if room > 0 else room) if begins else (need, room)
        row = inner.row(here)
        numbers: dict[int, int] = {}
        for target in dict.fromkeys(row):
            if target < 0:
                numbers[target] = -1
            elif inner.accepting(target):
                numbers[target] = -1 if need else self._number((target, 0, _NO_BOUND))
            else:
                numbers[target] = -1 if begins and room == 0 else self._target(target, *left)
        return [numbers[target] for target in row]

    def _target(self, target: int, need: int, room: int) -> int:
        fits, least, longest = False, need, 0
        for fewest, most in self.inner.spans(target):
            if most >= need and (room < 0 or fewest <= room):
                fits = True
            least, longest = min(least, fewest), max(longest, most)
        if not fits:
            return -1
        return self._number((target, 0 if least >= need else need, _NO_BOUND if longest <= room else room))

    def plain_run(self, state: int) -> int:
        here, need, room = self._key(state)
        if room == _NO_BOUND or (need == 0 and room > LONGEST_TOKEN + self.inner.slack):
            return self.inner.plain_run(here)
        run = self.inner.plain_run(here)
        if run == 0:
            return 0
        return room if run >= ENDLESS_RUN and self.inner.slack == 0 else UNKNOWN_RUN

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        here, need, room = self._key(state)
        name = self.inner.name_of(here, longest)
        if name is None or (need == 0 and (room == _NO_BOUND or room > longest + self.inner.slack)):
            return name  # no token can tell
        return "bounded", name, need, room

    def unbounded(self, state: int) -> Unbounded | None:
        """What a state is without the bound, as a state of `inner`; None where it has no bound, or a lower one too."""
        here, need, room = self._key(state)
        place = self.inner.place_of(here)
        if need > 0 or room == _NO_BOUND or place is None:
            return None

        def fits(text: bytes, count: int) -> bool:
            inner, after = self.inner, here
            for byte in text:
                after = inner.row(after)[inner.class_map[byte]]
            return _fit(inner.spans(after), 0, room - count)

        return Unbounded(here, room, self.inner.slack, place, fits)
