"""The deterministic path: tables for automata in which every byte has one meaning in every state.

Where an automaton is visible, what the bytes so far mean is one state and one stack. The kernel then walks the trie
over a static table and a small stack of integers: a step is a look-up, a call a push, a return a pop. Narrow states
are walked anew each time, since that costs less than looking anything up; a wide state's local mask is kept, with
the remainders of the tokens that leave its module merged into a trie of their own.

This module lays the tables out and makes local masks when the kernel asks. General automata, and grammars that name
tokens, go through `engine` and `configuration` instead.
"""

from __future__ import annotations

from array import array
from threading import RLock
from typing import Any

from ..automaton.pushdown import PushdownAutomaton
from .configuration import Configuration, Stepper
from .cursor import Cursor
from .exclusive import ExclusiveCursor
from .kernel import Kernel
from .token_tables import TokenTables
from .wide import WideMasks

__all__ = ["Visible"]

_MAXIMUM_FRAMES = 1 << 20  # of one machine, beside the bottoms
_MANY_FRAMES = 1 << 16  # so many, and the next text begins with none
_MANY_BYTES = 256 * 1024 * 1024  # of local masks; beyond, the next text begins with none
_MAXIMUM_WAITING = 257  # pairs in the kernel's `add_closure`, which says why
# Kinds of states, as in the kernel.
_OTHER, _ACCEPTING, _PURE_RETURN, _PURE_CALL = 0, 1, 2, 4


class Visible:
    """One visible automaton over one vocabulary: the kernel's machine for it, and its local masks."""

    def __init__(self, automaton: PushdownAutomaton, tables: TokenTables, kernel: Kernel) -> None:
        self.automaton = automaton
        self.tables = tables
        self._kernel = kernel
        self._arrays = _layout(automaton)
        self._lock = RLock()
        self._exits = array("i", [0]) * len(tables.trie.end)
        self._masks = self._make_masks()
        self._work_space = (
            array("I", [0]) * tables.word_count,
            array("i", [0]) * max(4 * tables.trie.max_depth, 1),
            array("i", [0]) * (2 * _MAXIMUM_WAITING),
            self._exits,
        )
        self._machine = self._make_machine()

    def cursor(self) -> Cursor:
        """A cursor at the beginning of a text.

        A machine keeps every stack that it has seen. Once these are many, new texts go to a new machine; the old
        one goes with its last cursor. The same where kept masks have come to fill too much memory.
        """
        with self._lock:
            if self._masks.memory > _MANY_BYTES:
                self._masks = self._make_masks()
                self._machine = self._make_machine()
            elif self._machine.frame_count - self.automaton.nesting > _MANY_FRAMES:
                self._machine = self._make_machine()
            cursor: Cursor = self._kernel.machine.VisibleCursor(self._machine, self.automaton.starts[0])
        return cursor if self._kernel.machine.COMPILED else ExclusiveCursor(cursor, self._lock)

    def configuration(self, cursor: Any, stepper: Stepper) -> Configuration:
        """Where a cursor is, as the general path says it (for explanations and for the oracle)."""
        state, calls = cursor.position()
        frame = stepper.bottoms[0]
        for after, depth in reversed(calls):
            frame = stepper.frame([(after, frame)], depth)
        return stepper.close([(state, frame)])

    @property
    def memory(self) -> int:
        """Bytes of the local masks."""
        return self._masks.memory

    def _make_masks(self) -> WideMasks:
        return WideMasks(self.automaton, self.tables, self._exits, self._lock, self._kernel)

    def _make_machine(self) -> Any:
        """A machine without frames. Tables, masks and work space are shared by all."""
        nesting, tables, masks = self.automaton.nesting, self.tables, self._masks
        return self._kernel.machine.VisibleMachine(
            *self._arrays, nesting, _MAXIMUM_FRAMES + 4 * nesting, tables.tokens.kernel_trie, tables.token_bytes,
            tables.token_starts, tables.ends, masks.slots, masks.masks, masks.by_depth, masks.find,
            *self._work_space,
        )  # fmt: skip


def _layout(automaton: PushdownAutomaton) -> tuple[array[int], array[int], bytes, array[int]]:
    """States, rows, class maps and edges in the kernel's layout, with calls entered into the rows."""
    starts_first = _first_bytes(automaton)
    states, rows, edges = array("i"), array("i"), array("i")
    maps: list[bytes] = []
    members: list[list[int]] = [[] for _ in automaton.names]
    for state, module in enumerate(automaton.module_of):
        members[module].append(state)
    for module, inside in enumerate(members):
        callees = sorted({edge.start for q in inside for edge in automaton.calls[q]})
        class_map, samples = _refine(automaton.class_maps[module], [starts_first[c] for c in callees])
        maps.append(class_map)
        columns = [automaton.class_maps[module][byte] for byte in samples]
        begins = {c: [i for i, byte in enumerate(samples) if starts_first[c] >> byte & 1] for c in callees}
        width = automaton.widths[module]
        for q in inside:
            plain = automaton.next_state[automaton.row_of[q] : automaton.row_of[q] + width]
            row = [plain[column] for column in columns]
            reads = max(row) >= 0
            first_edge = len(edges) // 4
            for number, edge in enumerate(automaton.calls[q]):
                edges.extend((edge.start, edge.after, edge.weight, edge.tail))
                for i in begins[edge.start]:
                    row[i] = -2 - (first_edge + number)
            calls = len(automaton.calls[q])
            kind = _ACCEPTING if automaton.accepting[q] else _OTHER
            if automaton.accepting[q] and not reads and not calls:
                kind = _PURE_RETURN
            elif not automaton.accepting[q] and not reads and calls == 1:
                kind = _PURE_CALL
            states.extend((len(rows), 256 * module, kind, automaton.room[q], first_edge, calls))
            rows.extend(row)
    return states, rows, b"".join(maps), edges or array("i", [0, 0, 0, 0])


def _first_bytes(automaton: PushdownAutomaton) -> dict[int, int]:
    """For each module's start state the bytes that its words begin with, as 256-bit sets."""
    own: dict[int, int] = {}
    for start in automaton.starts:
        own[start] = sum(1 << b for b in range(256) if automaton.step(start, b) >= 0)
    changed = True
    while changed:
        changed = False
        for start in automaton.starts:
            bits = own[start]
            for edge in automaton.calls[start]:
                bits |= own[edge.start]
            changed = changed or bits != own[start]
            own[start] = bits
    return own


def _refine(class_map: bytes, sets: list[int]) -> tuple[bytes, list[int]]:
    """A class map that also tells the sets apart, and a byte of each class."""
    numbers: dict[tuple[int, ...], int] = {}
    refined = bytearray(256)
    samples: list[int] = []
    for byte in range(256):
        key = (class_map[byte], *(s >> byte & 1 for s in sets))
        number = numbers.get(key)
        if number is None:
            number = numbers[key] = len(samples)
            samples.append(byte)
        refined[byte] = number
    return bytes(refined), samples
