"""The walk through a trie in the kernel: `mask_by_flat_trie` over a table of numbers.

Readings are numbered as they are met. Cell (reading, class of a byte) of the table is the number of the reading after
such a byte, or -1 where there is none. Which bytes end everything is plain from the lexer when a reading is numbered;
the other cells are filled when a walk first comes to them. So a walk costs a step of the parser for each cell that is
new, and some nanoseconds for each node of the trie.
"""

from __future__ import annotations

from array import array
from typing import Any

from ..errors import MaskError
from ..mask.kernel import Kernel
from ..vocabulary.trie import Trie
from .lexer import LexerState
from .readings import Reading, Readings

__all__ = ["ReadingWalker"]

_UNKNOWN = -2
_MAXIMUM_CELLS = 1 << 22  # when a walk begins
_MAXIMUM_SIZE = 1 << 19  # of the readings in the table and their lexer states, when a walk begins
_MAXIMUM_IN_WALK = 4 * _MAXIMUM_SIZE


class ReadingWalker:
    """Walks tries from the readings of one grammar. One walk at a time: callers hold a lock."""

    def __init__(self, readings: Readings, kernel: Kernel) -> None:
        self._readings = readings
        self._kernel = kernel.walker
        self._width = len(readings.lexer.sample)
        self._walkers: dict[int, tuple[Trie, Any]] = {}  # by the identity of the trie, which is kept with it
        self.forget()

    def __repr__(self) -> str:
        return f"<ReadingWalker {len(self._met)} readings>"

    def forget(self) -> None:
        """Begin with an empty table."""
        self._numbers: dict[Reading, int] = {}
        self._met: list[Reading] = []
        self._lexer_states: set[LexerState] = set()
        self._new_rows: dict[frozenset[int], array[int]] = {}
        self._size = 0
        self._generation = self._readings.generation
        self._rows = array("i")
        self._leaves = array("B")
        self._grow(64)

    @property
    def memory(self) -> int:
        """Bytes of the table."""
        return self._rows.itemsize * len(self._rows) + len(self._leaves)

    @property
    def size(self) -> int:
        """Threads, pairs and places of the readings in the table."""
        return self._size

    def walk(self, trie: Trie, reading: Reading, words: array[int]) -> None:
        """Set the bits of the tokens in `trie` that may follow. Raises MaskError MASK_BUDGET, MASK_CHART."""
        stale = self._generation != self._readings.generation
        if stale or len(self._rows) > _MAXIMUM_CELLS or self._size > _MAXIMUM_SIZE:
            self.forget()
        walker = self._walker(trie)
        try:
            walker.walk(0, self._number(reading), words, 0)
        except BaseException:
            self.forget()
            raise

    def _walker(self, trie: Trie) -> Any:
        known = self._walkers.get(id(trie))
        if known is None:
            depth = trie.max_depth + 2
            walker = self._kernel.TrieWalker(
                trie.byte, trie.token, trie.end, trie.same, self._readings.lexer.class_of, self._width,
                array("i", [0]) * depth, array("i", [0]) * depth, array("i", [0]), self._resolve,
            )  # fmt: skip
            walker.set_rows(self._rows, self._leaves)
            known = self._walkers[id(trie)] = (trie, walker)
        return known[1]

    def _grow(self, capacity: int) -> None:
        rows = array("i", [_UNKNOWN]) * (capacity * self._width)
        rows[: len(self._rows)] = self._rows
        self._rows, self._leaves = rows, array("B", [0]) * capacity  # no reading is a leaf: nothing is above it
        for _, walker in self._walkers.values():
            walker.set_rows(self._rows, self._leaves)

    def _number(self, reading: Reading) -> int:
        number = self._numbers.get(reading)
        if number is None:
            number = self._numbers[reading] = len(self._met)
            self._met.append(reading)
            self._size += reading.size + self._new_places(reading)
            if self._size > _MAXIMUM_IN_WALK:
                raise MaskError("MASK_BUDGET", limit=_MAXIMUM_IN_WALK)
            if number >= len(self._leaves):
                self._grow(2 * len(self._leaves))
            first = number * self._width
            self._rows[first : first + self._width] = self._new_row(reading)
        return number

    def _new_places(self, reading: Reading) -> int:
        """The places of its lexer states that no reading in the table has."""
        found = 0
        for _, lexer in reading.threads:
            if lexer not in self._lexer_states:
                self._lexer_states.add(lexer)
                found += len(lexer.places)
        return found

    def _new_row(self, reading: Reading) -> array[int]:
        """A row with the bytes that no thread goes on with entered already."""
        first, *others = [self._readings.lexer.classes_after(state) for _, state in reading.threads]
        possible = first.union(*others) if others else first
        known = self._new_rows.get(possible)
        if known is None:
            known = array("i", [_UNKNOWN if number in possible else -1 for number in range(self._width)])
            self._new_rows[possible] = known
        return known

    def _resolve(self, number: int, byte_class: int) -> int:
        """Fill a cell of the table, and those that are sure to be the same (called by the kernel)."""
        following = self._readings.step_class(self._met[number], byte_class)
        target = -1 if following is None else self._number(following)
        first = number * self._width
        for each in self._readings.alike(self._met[number], byte_class):
            self._rows[first + each] = target
        return target
