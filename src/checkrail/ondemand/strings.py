"""JSON strings made on demand: an automaton over characters, spelled in bytes.

A state is a place in a character: before one, after the backslash of an escape, or within the digits of one. What the
places look like is said by `places`; here are the states that they lead to.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..limits import Limits
from ..regular.texts import Pattern, TextAutomaton
from .alphabet import Spelling
from .language import ENDLESS_RUN, LONGEST_TOKEN, UNKNOWN_RUN, OnDemandLanguage
from .places import places_of
from .spelled import END, START, SpelledRows, made_by

__all__ = ["SpelledLanguage"]

_NOTHING_LEFT = frozenset({(0, 0)})
_LONGEST_CHAIN = 24  # states that are made to find out how many plain characters can follow


class SpelledLanguage(OnDemandLanguage):
    """The JSON spellings of some texts.

    opened: the start is behind the opening quote. Keys: a state of the texts' automaton (before a character), START,
    END, or (shape of the place, the states that it leads to).
    """

    def __init__(self, texts: TextAutomaton, spelling: Spelling, limits: Limits, *, opened: bool = False) -> None:
        characters, places = texts.characters, places_of(texts.partition, spelling)
        alphabet = places.alphabet
        super().__init__(alphabet.class_map, alphabet.width, limits)
        self._characters = characters
        self._alphabet = alphabet
        self._rows: SpelledRows = made_by.SpelledRows(
            characters, alphabet, places.characters, places.work_out, limits.states, self._lock, opened
        )
        self._key = self._rows.key
        self.place = self._rows.place
        self.row = self._rows.row
        self.accepting = self._rows.is_end
        self._runs: dict[int, int] = {}
        self._spans: dict[int, frozenset[tuple[int, int]]] = {}

    def __len__(self) -> int:
        return len(self._rows)

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
        key = self._key(state)
        if not isinstance(key, int) or key < 0:
            return 0 if key == START else UNKNOWN_RUN
        with self._lock:
            return self._run_from(key)

    def _run_from(self, state: int) -> int:
        run = self._chain_from(state)
        if run == UNKNOWN_RUN:
            run = self._runs[state] = ENDLESS_RUN if self._takes_all(state) else UNKNOWN_RUN
        return run

    def _takes_all(self, state: int) -> bool:
        """Whether every plain character can follow, for ever, whatever states they lead to."""
        letters = self._alphabet.plain
        pending, reached = [state], {state}
        for here in pending:
            row = self._characters.row(here)
            for target in {row[letter] if letter >= 0 else -1 for letter in letters}:
                if target < 0 or len(reached) > _LONGEST_CHAIN:
                    return False
                if target not in reached and self._runs.get(target) != ENDLESS_RUN:
                    reached.add(target)
                    pending.append(target)
        self._runs.update(dict.fromkeys(reached, ENDLESS_RUN))
        return True

    def _chain_from(self, state: int) -> int:
        """The same where every state leads to one state only."""
        path: list[int] = []
        here = state
        run = UNKNOWN_RUN
        letters = self._alphabet.plain
        while len(path) <= _LONGEST_CHAIN:
            if here in self._runs:
                run = self._runs[here]
                break
            run = min(self._characters.run(here, letters), ENDLESS_RUN)
            if run >= 0:
                self._runs[here] = run
                break
            row = self._characters.row(here)
            targets = {row[letter] if letter >= 0 else -1 for letter in letters}
            target = targets.pop()
            if targets or target < 0:
                run = UNKNOWN_RUN if targets else 0
                if run == 0:
                    self._runs[here] = 0
                break
            if target == here or target in path:
                run = self._runs[here] = ENDLESS_RUN
                break
            path.append(here)
            here = target
        else:
            run = UNKNOWN_RUN
        if run != UNKNOWN_RUN:
            for before in reversed(path):
                run = min(run + 1, ENDLESS_RUN)
                self._runs[before] = run
        return run

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        key = self._key(state)
        characters, alphabet = self._characters, self._alphabet
        spelling = alphabet.spelling.value
        if isinstance(key, int):
            if key == START:
                return spelling, "start", characters.name_of(characters.start, longest)
            return spelling, characters.name_of(key, longest) if key >= 0 else key
        shape, states = key
        names = tuple([characters.name_of(target, longest) for target in states])
        return spelling, shape.name, names
