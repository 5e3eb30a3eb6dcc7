"""The matcher of a run without a grammar: any text, ended by the model.

It allows every token that writes at least one byte, and the end tokens. Special tokens, holes and padding stay
closed, so that free text cannot forge the structure of a conversation either.

Text is UTF-8, so a token is allowed where its bytes go on well-formed, and the end where no character is open. That is
an automaton of eight states (`utf8`), each with a mask that is always the same: they are made when first needed, some
tens of milliseconds for a large vocabulary, and kept. Where a vocabulary lacks bytes, no character may be begun that no
token can end; such states are taken out, from the end backwards.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..mask.bitmask import bitmask_row, words_for
from ..vocabulary.vocabulary import Vocabulary
from .utf8 import REJECT, START, STATES, state_after

__all__ = ["FreeText"]

_CONTINUING = range(0x80, 0xC0)  # the bytes that a character goes on with, and no other begins with


@lru_cache(maxsize=4)
def _rows(vocabulary: Vocabulary) -> tuple[memoryview, ...]:
    """The mask of each state of UTF-8; empty, but for the end tokens in START, for a state that nothing ends."""
    tokens = [(identifier, token) for identifier, token in enumerate(vocabulary.tokens) if token]
    inner = [each for each in tokens if each[1][0] in _CONTINUING]
    targets = [_targets(tokens if state == START else inner, state) for state in range(STATES)]
    live = {START}
    while grown := {s for s in range(STATES) if s not in live and not live.isdisjoint(targets[s].values())}:
        live |= grown
    ends = vocabulary.eos
    allowed = ([token for token, target in found.items() if target in live] for found in targets)
    return tuple(_row(vocabulary, [*found, *ends] if state == START else found) for state, found in enumerate(allowed))


def _targets(tokens: Iterable[tuple[int, bytes]], state: int) -> dict[int, int]:
    """The tokens that go on well-formed from a state, and the state after each."""
    found = {}
    for identifier, token in tokens:
        target = START if state == START and token.isascii() else state_after(state, token)
        if target != REJECT:
            found[identifier] = target
    return found


@lru_cache(maxsize=4)
def _any_row(vocabulary: Vocabulary) -> memoryview:
    """The mask of every token that writes, and of the end tokens."""
    return _row(vocabulary, [*(i for i, token in enumerate(vocabulary.tokens) if token), *vocabulary.eos])


def _row(vocabulary: Vocabulary, tokens: Iterable[int]) -> memoryview:
    words = array("I", bytes(4 * words_for(vocabulary.size)))
    for identifier in tokens:
        words[identifier >> 5] |= 1 << (identifier & 31)
    return memoryview(words).toreadonly()


class FreeText:
    """A `TokenMatcher` for free text. well_formed: whether bytes that are not UTF-8 stay closed.

    Its state is the open character. Without `well_formed` there is none: every text is whole, every token may follow.
    """

    __slots__ = ("_state", "_vocabulary", "_well_formed")

    def __init__(self, vocabulary: Vocabulary, *, well_formed: bool = True) -> None:
        self._vocabulary = vocabulary
        self._well_formed = well_formed
        self._state = START

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        """Write the row `index`."""
        source = _rows(self._vocabulary)[self._state] if self._well_formed else _any_row(self._vocabulary)
        row = bitmask_row(bitmask, index, len(source))
        row[: len(source)] = source
        return True

    def accept_token(self, token_id: int, /) -> bool:
        """Move past a token. False, and no move, if its bytes are not text here; the mask has kept those out."""
        if self._well_formed:
            state = state_after(self._state, self._vocabulary.token_bytes(token_id) or b"")
            if state == REJECT:
                return False
            self._state = state
        return True

    def is_completed(self) -> bool:
        """Free text may end anywhere but within a character."""
        return self._state == START
