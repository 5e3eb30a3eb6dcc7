"""Copies from a text: the strings that stand in a document, and no others.

    CopyIndex([Piece("Acme Ltd, 41.50 EUR", starts, ends)])      once for a document
    Copies(index, low=1, high=40)                                 a filler for a slot

A place in a copy is the set of places of the document where what was copied so far can have been: an interval of the
suffix array, and how far into those suffixes. So nothing is made but what a text comes to, and no document makes more
than its suffix array: some 13 bytes for each of its own. The texts that a suffix automaton (Blumer et al., 1985) has
would be the same; copies that may begin and end at some characters only (the edges of words) would cost it its bound.

Lengths are counted in characters, beside the interval; what a pattern, a format or an enumeration says of the copy is
an automaton that walks along. Whether a place is alive is then asked of the document: of the next place where a copy
may end, or, with an automaton, by walking on from each place, which is remembered and bounded.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, cast

from ..errors import BudgetError
from ..json_schema.literals import quote
from .suffix_order import suffixes_from

__all__ = ["MOST_STEPS", "Copies", "CopyIndex", "Guide", "Piece"]

MOST_STEPS = 400_000
"""Places of a document with states of an automaton that are looked at to know where a copy can end."""

_BEHIND = b"\0"  # a piece; no JSON string holds this byte
_FAR = 2**30


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, and the offsets at which copies may begin and end, ascending."""

    text: str
    starts: Collection[int]
    ends: Collection[int]


class Guide(Protocol):
    """An automaton over the bytes between the quotes: what a copy must be besides a copy."""

    @property
    def start(self) -> int:
        """The state behind the opening quote."""

    def step(self, state: int, byte: int, /) -> int:
        """The state after a byte; -1 for none."""

    def accepts(self, state: int, /) -> bool:
        """Whether the closing quote may follow."""


class CopyIndex:
    """Some pieces of a document, ready to be copied from. Immutable; built in O(n log n).

    data: the pieces spelled as JSON in UTF-8, each cut where its last copy ends, with a zero byte behind it. ends: 1
    where a copy may end, by offset. order: where copies may begin, in the order of what follows. counts: how many
    characters begin before an offset. next_end: the next end at or after a character, as a count.
    """

    def __init__(self, pieces: Sequence[Piece], limit: int, name: str = "document") -> None:
        """limit: bytes of all pieces as they are spelled. Raises BudgetError COPY_BUDGET beyond it. name: for that."""
        spelled, ends, counts = bytearray(), bytearray(), array("i")
        starts: list[int] = []
        count = 0
        self._lasts: list[int] = []  # offsets of the last ends
        self._last_counts: list[int] = []
        for piece in pieces:
            last = max(piece.ends, default=0)
            offsets = []
            for character in piece.text[:last]:
                offsets.append(len(spelled))
                text = _spell(character)
                counts.append(count)
                count += 1
                counts.extend([count] * (len(text) - 1))
                spelled += text
            offsets.append(len(spelled))
            if len(spelled) > limit:
                raise BudgetError("COPY_BUDGET", name=name, limit=limit, what="bytes, spelled as JSON")
            ends.extend(bytes(len(spelled) + 1 - len(ends)))
            for end in piece.ends:
                ends[offsets[end]] = 1
            starts += [offsets[start] for start in piece.starts if start < last]
            self._lasts.append(len(spelled))
            self._last_counts.append(count)
            counts.append(count)
            count += 1
            spelled += _BEHIND
        self.data, self.ends, self.counts = bytes(spelled), bytes(ends), counts
        self.order = array("i", suffixes_from(self.data, starts))
        self.alphabet = bytes(sorted(set(self.data) - {0}))
        self.next_end = array("i", [_FAR]) * (count + 1)
        for at in range(len(self.data) - 1, -1, -1):
            number = counts[at]
            if at + 1 == len(self.data) or counts[at + 1] > number:  # a character begins here
                self.next_end[number] = number if self.ends[at] else self.next_end[number + 1]

    @property
    def memory(self) -> int:
        """Bytes held."""
        return 2 * len(self.data) + 4 * (len(self.order) + len(self.counts) + len(self.next_end))

    def last_count(self, at: int) -> int:
        """The last end of the piece in which an offset is, as a count of characters."""
        return self._last_counts[bisect_left(self._lasts, at)]

    def __repr__(self) -> str:
        return f"<CopyIndex {len(self.data)} bytes, {len(self.order)} beginnings>"


@lru_cache(maxsize=4096)
def _spell(character: str) -> bytes:
    """A character as it stands in a JSON string."""
    return quote(character)[1:-1].encode("utf-8")


_Place = tuple[int, int, int, int, int]


class Copies:
    """The copies of `low` to `high` characters (None: no bound), never the empty one, that the guide accepts too.

    A place is (first, last, depth, length, state): an interval of the order and how far into those suffixes, or
    (-1, offset, 0, ...) where only one place of the document is left; the characters so far, where they are counted;
    the guide's state.
    """

    branches = False

    def __init__(
        self,
        index: CopyIndex,
        *,
        low: int = 1,
        high: int | None = None,
        guide: Guide | None = None,
        name: str = "document",
    ) -> None:
        """name: of the document, for errors. Raises BudgetError COPY_BUDGET (`MOST_STEPS`)."""
        self._index = index
        self._low = max(low, 1)
        self._high = _FAR if high is None else high
        self._is_counted = self._low > 1 or high is not None
        self._guide = guide
        self._name = name
        self._known: dict[tuple[int, int, int], bool] = {}
        self._order = index.order
        first = 0 if guide is None else guide.start
        if self._is_counted or guide is not None:
            data = index.data
            self._order = array("i", [at for at in index.order if self._leads_on(at, data[at], first)])
        self.start: _Place = (0, len(self._order), 0, 0, first)
        self.alphabet = index.alphabet

    def __repr__(self) -> str:
        return f"<Copies from {len(self._order)} beginnings>"

    @property
    def is_empty(self) -> bool:
        """Whether there is no copy at all."""
        return not self._order

    def moves(self, place: Hashable) -> list[tuple[int, Hashable]]:
        """The bytes that may follow, each with the place that it leads to."""
        low, high, depth, length, state = cast(_Place, place)
        data, order = self._index.data, self._order
        if low < 0:
            found = self._next(low, high, depth, length, state, data[high])
            return [] if found is None else [(data[high], found)]
        moves: list[tuple[int, Hashable]] = []
        while low < high:
            byte = data[order[low] + depth]
            end = bisect_right(order, byte, low, high, key=lambda at: data[at + depth])
            found = self._next(low, end, depth, length, state, byte)
            if found is not None:
                moves.append((byte, found))
            low = end
        return moves

    def ends(self, place: Hashable) -> bool:
        """Whether the closing quote may follow."""
        low, high, depth, length, state = cast(_Place, place)
        if low >= 0 and not depth:
            return False
        if self._is_counted and not self._low <= length <= self._high:
            return False
        if self._guide is not None and not self._guide.accepts(state):
            return False
        ends, order = self._index.ends, self._order
        return bool(ends[high]) if low < 0 else any(ends[order[i] + depth] for i in range(low, high))

    def _next(self, low: int, high: int, depth: int, length: int, state: int, byte: int) -> _Place | None:
        """The place after a byte, which stands at all places of the interval; None where no copy goes on there."""
        if not byte:
            return None
        if self._guide is not None:
            state = self._guide.step(state, byte)
            if state < 0:
                return None
        counts, order = self._index.counts, self._order
        at = high if low < 0 else order[low] + depth
        if self._is_counted:
            length += counts[at + 1] - counts[at]
            if self._high == _FAR:
                length = min(length, self._low)
        if low < 0:
            return (-1, at + 1, 0, length, state) if self._is_alive(at + 1, length, state) else None
        if not any(self._is_alive(order[i] + depth + 1, length, state) for i in range(low, high)):
            return None
        return (-1, at + 1, 0, length, state) if high - low == 1 else (low, high, depth + 1, length, state)

    def _leads_on(self, at: int, byte: int, state: int) -> bool:
        """Whether a copy begins at an offset."""
        return self._next(-1, at, 0, 0, state, byte) is not None

    def _is_alive(self, at: int, length: int, state: int) -> bool:
        """Whether a copy that has come to an offset can end."""
        if self._guide is not None:
            return self._walks_to_end(at, length, state)
        if not self._is_counted:
            return True  # pieces are cut at their last end
        index = self._index
        here = index.counts[at]
        wanted = here + max(0, self._low - length)
        return wanted <= index.last_count(at) and index.next_end[wanted] <= here + self._high - length

    def _walks_to_end(self, at: int, length: int, state: int) -> bool:
        index, guide, known = self._index, self._guide, self._known
        assert guide is not None
        path = []
        while (found := known.get((at, length, state))) is None:
            if (
                self._low <= (length if self._is_counted else 1) <= self._high
                and index.ends[at]
                and guide.accepts(state)
            ):
                found = True
                break
            path.append((at, length, state))
            byte = index.data[at]
            state = guide.step(state, byte) if byte else -1
            if self._is_counted:
                length += index.counts[at + 1] - index.counts[at] if byte else 0
                length = min(length, self._low) if self._high == _FAR else length
            at += 1
            if state < 0 or length > self._high:
                found = False
                break
        if len(known) + len(path) > MOST_STEPS:
            raise BudgetError("COPY_BUDGET", name=self._name, limit=MOST_STEPS, what="steps beside its pattern")
        known.update(dict.fromkeys(path, found))
        return found
