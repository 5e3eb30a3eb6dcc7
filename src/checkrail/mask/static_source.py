"""An automaton that is there in full, as the kernel's tables: a source with nothing left to expand.

Rows of the automaton hold the next state for each class of bytes; rows of the kernel also say which bytes begin what a
call edge calls. Finding that needs the first bytes of every module, which only a whole automaton can tell. A source
that makes states when a text comes to them has the same attributes and methods (`Source` in `visible`).
"""

from __future__ import annotations

from array import array
from typing import NoReturn

from ..automaton.pushdown import PushdownAutomaton
from ..errors import MaskError
from .plain import PlainRuns

__all__ = ["StaticSource"]

# Kinds of states, as in the kernel.
_OTHER, _ACCEPTING, _PURE_RETURN, _PURE_CALL = 0, 1, 2, 4


class StaticSource:
    """A visible automaton. longest: bytes of the longest token of the vocabulary."""

    generation = 0

    def __init__(self, automaton: PushdownAutomaton, longest: int) -> None:
        self.nesting = automaton.nesting
        self.start = automaton.starts[0]
        self.states, self.next_state, self.class_of, self.edges = _layout(automaton)
        self._automaton = automaton
        self._runs = PlainRuns(automaton, longest)
        self._digests: dict[int, bytes | None] = {}

    def expand(self, state: int) -> NoReturn:
        """Not called: all states have their rows."""
        raise MaskError("INTERNAL", what=f"state {state} of a whole automaton has no row")

    def name_of(self, state: int) -> tuple[bytes, int] | None:
        """What names the rest of a state's module in every grammar that has it; None where others take part."""
        automaton = self._automaton
        module = automaton.module_of[state]
        if module not in self._digests:
            self._digests[module] = automaton.digest_of(module)
        digest = self._digests[module]
        return None if digest is None else (digest, state - automaton.starts[module])

    def plain_run(self, state: int) -> int:
        """How many plain characters can follow in a row (`PlainRuns.length`)."""
        return self._runs.length(state)

    def unbounded(self, _state: int) -> None:
        """No state is known as another one with a bound."""


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
            states.extend((len(rows), 256 * module, kind, automaton.room[q], first_edge, calls, 0, -1))
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
