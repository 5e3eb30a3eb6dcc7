"""Places in spelled texts, but for the states that they lead to.

Most states of a pattern look alike: some letters lead on, the others do not, and with them the escapes and the bytes
of UTF-8 that spell them. A `Shape` says that once, with the states by index; a place is a shape and its states. So
what is worked out for one state (which bytes lead where, what is left after each digit) serves all that look like it.

Within digits (of UTF-8, of `\\uXXXX`) what matters is the state that each way to go on leads to, so a shape there
is made of those stretches: where all ways lead to one state, they share their places. Such shapes are the same for all
patterns, and remembered for all; linear in their stretches.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import count, pairwise
from typing import Any

from ..regular.partition import Partition
from .alphabet import Alphabet, Runs, Spelling, leads_of, units_beyond_ascii
from .spelled import Layout, made_by

__all__ = ["Places", "Shape", "places_of"]

_CHARACTER, _ESCAPE, _TAIL, _DIGITS, _SECOND, _SECOND_U = "character", "escape", "tail", "digits", "second", "second u"
_KINDS: dict[str, int] = {
    _CHARACTER: made_by.BY_CLASS,
    _ESCAPE: made_by.BY_CLASS,
    _TAIL: made_by.BY_TAIL,
    _DIGITS: made_by.BY_DIGIT,
    _SECOND: made_by.BY_BACKSLASH,
    _SECOND_U: made_by.BY_U,
}
_BASES = {_TAIL: 64, _DIGITS: 16}

_Stretches = tuple[tuple[int, int | Runs], ...]
"""(first value, what follows: the index of a state, -1 for nothing, or what follows after a second code unit)."""

_SERIAL = count()
_MOST = 1024  # shapes of one alphabet that are remembered


class Shape:
    """What a place looks like. size: number of states. name: equal names, equal shapes. layout: as `_spelled.Layout`;
    `Places.work_out` lays it out when a text first comes to such a place."""

    __slots__ = ("kind", "layout", "letters", "name", "places", "size", "stretches")

    def __init__(self, kind: str, name: tuple[Hashable, ...], size: int, letters: tuple[int, ...] = ()) -> None:
        self.kind = kind
        self.name = name
        self.size = size
        self.letters = letters  # before characters and in escapes: the state by letter
        self.places = 0  # within digits: how many are left, and what they lead to
        self.stretches: _Stretches = ()
        self.layout: Layout = made_by.Layout(self, next(_SERIAL), _KINDS[kind])

    @property
    def is_escape(self) -> bool:
        """Whether it is behind the backslash of an escape."""
        return self.kind == _ESCAPE

    def __repr__(self) -> str:
        return f"<Shape of {self.kind}, {self.size} states>"


_Way = tuple[Shape | None, tuple[int, ...] | None]
"""(shape of the place that follows, which of the states are its states, None for all), or (None, the state that
follows)."""


def _before(letters: tuple[int, ...], size: int) -> Layout:
    """The layout of a place before a character. letters: the index of a state by letter, -1 for none."""
    return Shape(_CHARACTER, letters, size, letters).layout


class Places:
    """The places in texts of one alphabet. Threads may share it.

    characters: the layouts of places before characters, as `_spelled.Layouts`.
    """

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self._serial = next(_SERIAL)
        self.characters: Any = made_by.Layouts(alphabet, _before, _MOST)

    def work_out(self, layout: Layout) -> None:
        """Lay out what a text has come to."""
        shape = layout.shape
        if shape.kind == _CHARACTER:
            index, ways = self._character(shape.letters, shape.size)
        elif shape.kind == _ESCAPE:
            index, ways = self._escape(shape.letters, shape.size)
        else:
            index, ways = _worked_out(shape)
        every = tuple(range(shape.size))
        layout.lay_out(
            index,
            [
                (None if following is None else following.layout, every if picks is None else picks)
                for following, picks in ways
            ],
        )

    def _character(self, letters: tuple[int, ...], size: int) -> tuple[list[int], list[_Way]]:
        alphabet = self.alphabet
        index = [letters[letter] + 1 for letter in alphabet.letters]
        ways: list[_Way] = [(None, (state,)) for state in range(size)]
        for number, way in _ways_beyond_ascii(alphabet.runs_beyond, self._beyond(letters), size):
            ways.append(way)
            index[alphabet.leads + number] = len(ways)
        if self._has_escape(letters):
            # What the letters are is told by the alphabet, unless all characters lead to one state.
            everything = size == 1 and alphabet.is_complete and min(letters[:-1]) == 0
            name: tuple[Hashable, ...] = (_ESCAPE,) if everything else (_ESCAPE, letters, self._serial)
            ways.append((Shape(_ESCAPE, name, size, letters), None))
            index[alphabet.backslash] = len(ways)
        return index, ways

    def _has_escape(self, letters: tuple[int, ...]) -> bool:
        alphabet = self.alphabet
        if alphabet.spelling is Spelling.ANY:
            return max(letters) >= 0
        if alphabet.spelling is Spelling.RAW:
            return False
        return any(letters[letter] >= 0 for _, letter in (*alphabet.units, *alphabet.escapes))

    def _beyond(self, letters: tuple[int, ...]) -> tuple[int, ...]:
        """The states of the letters beyond ASCII, and for none."""
        return (*[letters[letter] for letter in self.alphabet.beyond], -1)

    def _escape(self, letters: tuple[int, ...], size: int) -> tuple[list[int], list[_Way]]:
        alphabet = self.alphabet
        index = [0] * alphabet.width
        ways: list[_Way] = [(None, (state,)) for state in range(size)]
        for number, letter in alphabet.escapes:
            index[number] = letters[letter] + 1
        units: list[tuple[int, int | Runs]] = []
        last: int | Runs | None = None
        for first, letter in alphabet.units:
            if letters[letter] != last:
                last = letters[letter]
                units.append((first, last))
        if alphabet.spelling is Spelling.ANY:
            beyond = _units_beyond(alphabet.runs_beyond, self._beyond(letters))
            units += beyond[1:] if beyond[0][1] == last else beyond
            last = units[-1][1]
        if len(units) > 1 or last != -1:
            ways.append(_part(_DIGITS, 4, tuple(units), size))
            index[alphabet.u] = len(ways)
        return index, ways


# Beyond ASCII


@lru_cache(maxsize=1024)
def _ways_beyond_ascii(runs: Runs, states: tuple[int, ...], size: int) -> list[tuple[int, _Way]]:
    """What the bytes lead to that begin characters beyond ASCII, by the numbers of their classes.

    runs: the letters. states: that of each letter, and -1. size: how many states there are."""
    found: list[tuple[int, _Way]] = []
    for number, places, letters in leads_of(runs):
        spread = _spread(letters, states)
        if spread is not None:
            found.append((number, _part(_TAIL, places, spread, size)))
    return found


@lru_cache(maxsize=1024)
def _units_beyond(runs: Runs, states: tuple[int, ...]) -> list[tuple[int, int | Runs]]:
    """What the code units from 0x80 on stand for, neighbours joined."""
    found: list[tuple[int, int | Runs]] = []
    for first, unit in units_beyond_ascii(runs)[0]:
        target: int | Runs = states[unit] if isinstance(unit, int) else _spread(unit, states) or -1
        if not found or target != found[-1][1]:
            found.append((first, target))
    return found


# Within digits


def _part(kind: str, places: int, stretches: _Stretches, size: int) -> _Way:
    """The way to a place that some stretches are left in. size: how many states they are taken from."""
    if size == 1:
        return _within(kind, places, stretches, 1), None
    numbers = {-1: -1}
    for _, target in stretches:
        for state in (target,) if isinstance(target, int) else [state for _, state in target]:
            numbers.setdefault(state, len(numbers) - 1)
    picks = tuple(numbers)[1:]
    if picks == tuple(range(size)):
        return _within(kind, places, stretches, size), None
    renumbered = [
        (first, numbers[target] if isinstance(target, int) else tuple([(low, numbers[state]) for low, state in target]))
        for first, target in stretches
    ]
    return _within(kind, places, tuple(renumbered), len(picks)), picks


@lru_cache(maxsize=4096)
def _within(kind: str, places: int, stretches: _Stretches, size: int) -> Shape:
    """The shape of a place within digits, or before the second one of two code units."""
    shape = Shape(kind, (kind, places, stretches), size)
    shape.places, shape.stretches = places, stretches
    return shape


def _worked_out(shape: Shape) -> tuple[list[int], list[_Way]]:
    """The index and the ways of what `_within` makes."""
    kind, places, stretches, size = shape.kind, shape.places, shape.stretches, shape.size
    if kind == _SECOND:
        return [], [(_within(_SECOND_U, 0, stretches, size), None)]
    if kind == _SECOND_U:
        units = ((0, -1), *[(0xDC00 + first, target) for first, target in stretches], (0xE000, -1))
        return [], [(_within(_DIGITS, 4, units, size), None)]
    base = _BASES[kind]
    unit = base ** (places - 1)
    firsts = [first for first, _ in stretches]
    borders = {0, base}
    for first in firsts:
        borders.add(first // unit)
        borders.add(-(-first // unit))
    ordered = sorted(border for border in borders if border <= base)
    index = [0] * base
    ways: list[_Way] = []
    known: dict[_Stretches, int] = {}
    for digit, end in pairwise(ordered):
        part = _stretch(stretches, firsts, digit * unit, unit)
        if part is None:
            continue
        way = known.get(part)
        if way is None:
            target = part[0][1]
            if places > 1:
                ways.append(_part(kind, places - 1, part, size))
            elif isinstance(target, int):
                ways.append((None, (target,)))
            else:
                ways.append(_part(_SECOND, 0, target, size))
            way = known[part] = len(ways)
        index[digit:end] = [way] * (end - digit)
    return index, ways


def _spread(runs: Runs, letters: Sequence[int]) -> Runs | None:
    """The states that stretches of letters lead to, neighbours joined; None where there are none."""
    if len(runs) == 1:
        state = letters[runs[0][1]]
        return None if state < 0 else ((0, state),)
    found: list[tuple[int, int]] = []
    last = -2
    for first, letter in runs:
        state = letters[letter]
        if state != last:
            found.append((first, state))
            last = state
    return None if last < 0 and len(found) == 1 else tuple(found)


def _stretch(stretches: _Stretches, firsts: list[int], low: int, size: int) -> _Stretches | None:
    """The part of stretches from `low` on, counted from there; None where nothing follows in it."""
    i = bisect_right(firsts, low) - 1
    end = low + size
    first, target = stretches[i]
    found: list[tuple[int, int | Runs]] = [(0, target)]
    i += 1
    while i < len(stretches) and firsts[i] < end:
        first, target = stretches[i]
        found.append((first - low, target))
        i += 1
    return None if len(found) == 1 and target == -1 else tuple(found)


@lru_cache(maxsize=256)
def places_of(partition: Partition, spelling: Spelling) -> Places:
    """The places in texts over the letters of a partition."""
    return Places(Alphabet(partition, spelling))
