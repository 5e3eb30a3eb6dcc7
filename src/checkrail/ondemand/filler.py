"""What stands in a slot: a language of strings that is known only when a text is about to be written.

A slot is a string in a grammar that was compiled before anyone knew what it may say: a copy from a document that comes
later (`copied`), or a result that follows from what the text says before it. The grammar is compiled once with a mark
in each slot (`json_schema.slots`); `mask.slotted_source` puts a filler in its place for each text, state by state.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

__all__ = ["Filler"]


class Filler(Protocol):
    """A deterministic language of JSON strings, without their quotes. Every place is alive: some text follows.

    start: the place behind the opening quote. alphabet: all bytes that `moves` can name. branches: no two texts lead
    to one place, so that there is nothing to be gained from remembering places.
    """

    branches: bool

    @property
    def start(self) -> Hashable:
        """The first place."""

    @property
    def alphabet(self) -> bytes:
        """All bytes that occur."""

    def moves(self, place: Hashable, /) -> Sequence[tuple[int, Hashable]]:
        """The bytes that may follow, each with the place that it leads to. Equal places, equal texts to come."""

    def ends(self, place: Hashable, /) -> bool:
        """Whether the closing quote may follow."""
