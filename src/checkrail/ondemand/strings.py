"""JSON strings made on demand: an automaton over characters, spelled in bytes.

A state is a place in a character: before one, after the backslash of an escape, or within the digits of one. What the
places look like is said by `places`; here are the states that they lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from ..limits import Limits
from ..regular.texts import Pattern, TextAutomaton
from .alphabet import Spelling
from .language import LONGEST_TOKEN, OnDemandLanguage
from .places import places_of
from .spelled import END, START, SpelledRows, made_by

__all__ = ["ONE_END", "Ends", "SpelledLanguage"]

Ends = tuple[int, Callable[[int], int] | None, Callable[[int], int] | None]
"""How many outcomes texts end with, which one in a state of theirs, and where escapes are read: see `SpelledRows`."""

ONE_END: Ends = (0, None, None)
_NOTHING_LEFT = frozenset({(0, 0)})


class SpelledLanguage(OnDemandLanguage):
    """The JSON spellings of some texts.

    opened: the start is behind the opening quote. ends: of several kinds, for `SortedLanguage`. Keys: a state of the
    texts' automaton (before a character), START, END, or (shape of the place, the states that it leads to).
    """

    def __init__(
        self, texts: TextAutomaton, spelling: Spelling, limits: Limits, *, opened: bool = False, ends: Ends = ONE_END
    ) -> None:
        characters, places = texts.characters, places_of(texts.partition, spelling)
        alphabet = places.alphabet
        super().__init__(alphabet.class_map, alphabet.width, limits)
        self._characters = characters
        self._partition = texts.partition
        self._alphabet = alphabet
        self._rows: SpelledRows = made_by.SpelledRows(
            characters, alphabet, places.characters, places.work_out, limits.states, self._lock, opened, *ends
        )
        self._key = self._rows.key
        self.place = self._rows.place
        self.row = self._rows.row
        self.accepting = self._rows.is_end
        self._spans: dict[int, frozenset[tuple[int, int]]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    # By characters, whatever their spelling

    @property
    def first(self) -> int:
        """The state of the texts before the first character."""
        return self._characters.start

    @property
    def sizes(self) -> list[int]:
        """How many characters have each letter."""
        return [sum(high - low + 1 for low, high in ranges) for ranges in self._partition.ranges_by_letter()]

    def row_of_letters(self, state: int) -> list[int]:
        """The next state of the texts by letter."""
        with self._lock:
            return self._characters.row(state)

    def before(self, texts: int) -> int:
        """The state before a character in a state of the texts."""
        with self._lock:
            return self._rows.before(texts)

    def texts_at(self, state: int) -> tuple[int, ...]:
        """The states of the texts that a place may lead to, that before a character alone; none outside of the
        quotes."""
        key = self._key(state)
        if isinstance(key, int):
            return (key,) if key >= 0 else ()
        return tuple(key[1])

    # Lengths

    def tells_lengths(self, *, gaps: bool) -> bool:
        """Whether `spans` tells which lengths words have. gaps: also where some lengths between are missing."""
        characters = self._characters
        return isinstance(characters, Pattern) and (gaps or characters.even)

    @property
    def slack(self) -> int:
        """No state needs more characters to end. Only where `tells_lengths`."""
        assert isinstance(self._characters, Pattern)
        return self._characters.peak

    def begins_character(self, state: int) -> bool:
        """Whether the next byte begins a character, or ends the string."""
        key = self._key(state)
        return isinstance(key, int) and key >= 0

    def spans(self, state: int) -> frozenset[tuple[int, int]]:
        """The fewest and the most characters that may begin from here, for each way to go on.

        Only where `tells_lengths`.
        """
        known = self._spans.get(state)
        if known is None:
            key, characters = self._key(state), self._characters
            assert isinstance(characters, Pattern)
            if key == END:
                known = _NOTHING_LEFT
            elif isinstance(key, int):
                known = characters.spans(key if key >= 0 else characters.start)
            else:
                known = frozenset().union(*map(characters.spans, key[1]))
            self._spans[state] = known
        return known

    def place_of(self, state: int) -> str | None:
        """Where in a character a state is, as `mask.counted.Place` says it; None for all other places."""
        key = self._key(state)
        if isinstance(key, int):
            return {START: "start", END: None}.get(key, "")
        return "escape" if key[0].is_escape else None

    # What is known of states

    def plain_run(self, state: int) -> int:
        return self._rows.plain_run(state)

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        key = self._key(state)
        characters, alphabet = self._characters, self._alphabet
        spelling = alphabet.spelling.value
        with self._lock:  # names of texts number what was not met before
            if isinstance(key, int):
                if key == START:
                    return spelling, "start", characters.name_of(characters.start, longest)
                return spelling, characters.name_of(key, longest) if key >= 0 else key
            shape, states = key
            return spelling, shape.name, tuple([characters.name_of(target, longest) for target in states])
