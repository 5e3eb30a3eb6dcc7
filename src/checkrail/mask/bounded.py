"""Masks of places in strings of bounded length, from those of the same places without the bound.

With room for `room` more characters a place allows what it allows without the bound, but for the tokens with which too
many characters begin, or so many that what then has to follow has no room. Where no place of a pattern needs more than
`slack` characters to end, the tokens with at most room - slack characters fit all, those with more than `room` do not,
and the few between are tried one by one. So neither a walk nor a state is needed for each length that is left.

How many characters begin with a token is known for all strings (`counted`). Close to the end of the room, where many
tokens are between, and where a token that closes the string could be too long, nothing is answered.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..ondemand.language import ENDLESS_RUN
from .kernel import Kernel

if TYPE_CHECKING:
    from ..ondemand.bounded_strings import Unbounded
    from .token_tables import TokenTables

__all__ = ["BoundedMasks"]

_LEAST_ROOM = 12  # characters: most tokens have fewer
_KEPT = 128  # sets of tokens of 1/8 byte each
_MASK_BYTES = 1024
_BACKSLASH = 0x5C


class BoundedMasks:
    """Makes such masks for one vocabulary."""

    def __init__(self, tables: TokenTables, kernel: Kernel) -> None:
        self._tables = tables
        self._kernel = kernel
        self._longer: OrderedDict[tuple[str, int], int] = OrderedDict()
        self._closed: dict[str, int] = {}
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<BoundedMasks {len(self._longer)} sets of tokens>"

    def make(self, mask: Any, place: Unbounded) -> tuple[Any, int] | None:
        """The mask of a place, and its bytes. mask: that of the same place without the bound. None: not known."""
        if place.room >= ENDLESS_RUN:  # a bound that no token comes to
            return mask, 0
        sure = place.room - place.slack
        if sure < _LEAST_ROOM or place.room < self._longest_closed(place.place):
            return None
        places, words, rests, exits = mask.parts()
        allowed = _dense(places, words, self._tables.word_count)
        over = allowed & self._tokens_longer(place.place, sure)
        if not over:
            return mask, 0
        between = over & ~self._tokens_longer(place.place, place.room)
        allowed ^= over
        row = array("I", allowed.to_bytes(4 * self._tables.word_count, "little"))
        for token in self._each(between):
            data = self._bytes_of(token)
            if place.fits(data, self._count(place.place, token, data, sure)):
                row[token >> 5] |= 1 << (token & 31)
        made = self._kernel.machine.LocalMask(array("i"), row, rests, exits)
        return made, _MASK_BYTES + 4 * len(row)

    def _longest_closed(self, place: str) -> int:
        known = self._closed.get(place)
        if known is None:
            known = self._closed[place] = self._tables.survey(place).longest_closed
        return known

    def _bytes_of(self, token: int) -> bytes:
        starts = self._tables.token_starts
        return bytes(self._tables.token_bytes[starts[token] : starts[token + 1]])

    def _each(self, tokens: int) -> Iterator[int]:
        """The tokens of a set."""
        size = self._tables.word_count
        words = array("I", tokens.to_bytes(4 * size, "little"))
        places, values = array("i", bytes(4 * size)), array("I", bytes(4 * size))
        found = self._kernel.walker.take_sparse(words, places, values, size)
        for place, word in zip(places[:found], values[:found], strict=True):
            while word:
                yield 32 * place + (word & -word).bit_length() - 1
                word &= word - 1

    def _count(self, place: str, token: int, data: bytes, least: int) -> int:
        """The characters that begin with a token, which are more than `least`."""
        if not place and _BACKSLASH not in data:
            return sum(byte & 0xC0 != 0x80 for byte in data)
        count = least + 1
        while self._tokens_longer(place, count) >> token & 1:
            count += 1
        return count

    def _tokens_longer(self, place: str, count: int) -> int:
        """Tokens that stay in the string and begin more than so many characters, as bits."""
        with self._lock:
            known = self._longer.get((place, count))
            if known is None:
                known = self._longer[place, count] = self._made(place, count)
                if len(self._longer) > _KEPT:
                    self._longer.popitem(last=False)
            else:
                self._longer.move_to_end((place, count))
            return known

    def _made(self, place: str, count: int) -> int:
        words = array("I", bytes(4 * self._tables.word_count))
        self._tables.survey(place).add_longer(words, count, self._kernel.walker)
        found = int.from_bytes(words.tobytes(), "little")
        if not place:
            plain = self._tables.plain
            if plain.longest > count:
                shorter = plain.up_to(count)
                found |= _bits(plain.words[-1]) & ~(_bits(shorter) if shorter else 0)
        return found


def _bits(words: array[int]) -> int:
    return int.from_bytes(words.tobytes(), "little")


def _dense(places: memoryview, words: memoryview, count: int) -> int:
    """The bits of a mask's words."""
    if len(places) == 0:
        return int.from_bytes(bytes(words), "little")
    row = array("I", bytes(4 * count))
    for place, word in zip(places, words, strict=True):
        row[place] = word
    return _bits(row)
