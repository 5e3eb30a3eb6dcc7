"""Plain text: what a JSON string takes as it is, prepared once for a vocabulary.

A plain character is any but the controls, the quote, the backslash, DEL, and the line ends U+2028 and U+2029 (which `.`
in a pattern refuses). A state inside a string takes every
plain character and comes to one next state, a loop or the next place of a length-bounded string. Of the tokens that
are made of whole plain characters such a state allows exactly those that are no longer than its run, so they need no
walk: a bitset for each length holds them, and only the other tokens, a tenth of a vocabulary, are walked. This is
llguidance's slicer for one slice, with its condition read off the automaton. UTF-8 is part of the condition; tokens
that begin or end inside a character are among the others.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..automaton.pushdown import PushdownAutomaton
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for

__all__ = ["PlainRuns", "PlainTokens", "split_plain"]

_NOT_PLAIN = re.compile(r'[\x00-\x1f"\\\x7f\u2028\u2029]')
_TAIL = range(0x80, 0xC0)
# The encodings of all plain characters, as sequences of byte sets.
_SEQUENCES: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(part) for part in parts)
    for parts in (
        [[b for b in range(0x20, 0x7F) if b not in b'"\\']],
        [range(0xC2, 0xE0), _TAIL],
        [[0xE0], range(0xA0, 0xC0), _TAIL],
        [[0xE1, *range(0xE3, 0xED), 0xEE, 0xEF], _TAIL, _TAIL],
        [[0xE2], [0x80], [b for b in _TAIL if b not in (0xA8, 0xA9)]],
        [[0xE2], _TAIL[1:], _TAIL],
        [[0xED], range(0x80, 0xA0), _TAIL],
        [[0xF0], range(0x90, 0xC0), _TAIL, _TAIL],
        [range(0xF1, 0xF4), _TAIL, _TAIL, _TAIL],
        [[0xF4], range(0x80, 0x90), _TAIL, _TAIL],
    )
)


def split_plain(vocabulary: Vocabulary) -> tuple[dict[int, list[int]], dict[bytes, list[int]]]:
    """The tokens of whole plain characters by their number of characters, and all others by their bytes."""
    plain: dict[int, list[int]] = {}
    others: dict[bytes, list[int]] = {}
    for token, data in enumerate(vocabulary.tokens):
        if not data:
            continue
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = ""
        if text and not _NOT_PLAIN.search(text):
            plain.setdefault(len(text), []).append(token)
        else:
            others.setdefault(data, []).append(token)
    return plain, others


class PlainTokens:
    """The plain tokens of a vocabulary by their number of characters.

    lengths: the numbers that occur, ascending. words: for each, the tokens of at most so many characters, as words.
    longest: characters of the longest one.
    """

    def __init__(self, lengths: Sequence[int], words: Sequence[array[int]]) -> None:
        self.lengths = lengths
        self.words = words
        self.longest = lengths[-1] if lengths else 0

    @classmethod
    def of(cls, by_length: Mapping[int, Iterable[int]], vocabulary_size: int) -> PlainTokens:
        """The tokens of each length."""
        lengths = sorted(by_length)
        cumulative: list[array[int]] = []
        words = array("I", [0]) * words_for(vocabulary_size)
        for length in lengths:
            for token in by_length[length]:
                words[token >> 5] |= 1 << (token & 31)
            cumulative.append(array("I", words))
        return cls(lengths, cumulative)

    def up_to(self, characters: int) -> array[int] | None:
        """The words; None where there are no such tokens."""
        count = bisect_right(self.lengths, characters)
        return self.words[count - 1] if count else None


class PlainRuns:
    """For the states of one automaton: how many plain characters can be read in a row, whatever they are."""

    def __init__(self, automaton: PushdownAutomaton, longest: int) -> None:
        self._automaton = automaton
        self._longest = longest
        self._known: dict[int, int] = {}
        self._classes: dict[int, list[list[set[int]]]] = {}

    def length(self, state: int) -> int:
        """The run from a state, at most the length of the longest plain token.

        -1 where that is not known, or where what comes after it might take some plain characters and not others.
        """
        path: list[int] = []
        here = state
        while here not in self._known and len(path) <= self._longest:
            following = self._after_plain(here)
            if following is None:
                self._known[here] = 0 if self._takes_none(here) else -1
            elif following == here:
                self._known[here] = self._longest
            else:
                path.append(here)
                here = following
        run = self._known.get(here)
        if run is None:  # longer than any token
            return self._longest
        for before in reversed(path):
            run = -1 if run < 0 else min(run + 1, self._longest)
            self._known[before] = run
        return run

    def _after_plain(self, state: int) -> int | None:
        """The state to which every plain character leads, None where they differ or need more room."""
        automaton = self._automaton
        room = automaton.room[state]
        found: set[int] = set()
        for sets in self._classes_of(automaton.module_of[state]):
            here = state
            for classes in sets:
                row = automaton.row_of[here]
                targets = {automaton.next_state[row + c] for c in classes}
                here = targets.pop()
                if targets or here < 0 or automaton.room[here] > room:
                    return None
            found.add(here)
            if len(found) > 1:
                return None
        return found.pop()

    def _takes_none(self, state: int) -> bool:
        """Whether no plain character can follow, here or by returning or calling."""
        automaton = self._automaton
        if automaton.accepting[state] or automaton.calls[state]:
            return False
        row = automaton.row_of[state]
        firsts = self._first_classes(automaton.module_of[state])
        return all(automaton.next_state[row + c] < 0 for c in firsts)

    def _first_classes(self, module: int) -> Iterator[int]:
        for sets in self._classes_of(module):
            yield from sets[0]

    def _classes_of(self, module: int) -> list[list[set[int]]]:
        """The sequences of byte sets in the module's byte classes."""
        found = self._classes.get(module)
        if found is None:
            class_of = self._automaton.class_maps[module]
            found = [[{class_of[b] for b in part} for part in parts] for parts in _SEQUENCES]
            self._classes[module] = found
        return found
