"""The matcher of a run without a grammar: any text, ended by the model.

It allows every token that writes at least one byte, and the end tokens. Special tokens, holes and padding stay
closed, so that free text cannot forge the structure of a conversation either.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import Any

from ..mask.bitmask import bitmask_row, words_for
from ..vocabulary.vocabulary import Vocabulary

__all__ = ["FreeText"]


@lru_cache(maxsize=4)
def _row(vocabulary: Vocabulary) -> memoryview:
    """The mask, always the same one: tens of milliseconds for a large vocabulary, so it is kept."""
    words = array("I", bytes(4 * words_for(vocabulary.size)))
    for identifier, token in enumerate(vocabulary.tokens):
        if token:
            words[identifier >> 5] |= 1 << (identifier & 31)
    for identifier in vocabulary.eos:
        words[identifier >> 5] |= 1 << (identifier & 31)
    return memoryview(words).toreadonly()


class FreeText:
    """A `TokenMatcher` for free text. It has no state: every text is whole, every token may follow."""

    __slots__ = ("_row",)

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._row = _row(vocabulary)

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        """Write the row `index`."""
        row = bitmask_row(bitmask, index, len(self._row))
        row[: len(self._row)] = self._row
        return True

    def accept_token(self, token_id: int, /) -> bool:
        """Every token is accepted; the mask has kept out what is not text."""
        return True

    def is_completed(self) -> bool:
        """Always: free text may end anywhere."""
        return True
