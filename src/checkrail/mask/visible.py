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
from collections.abc import Iterable
from functools import lru_cache
from types import ModuleType
from typing import Any

from ..automaton.pushdown import PushdownAutomaton
from ..errors import BudgetError
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for
from .configuration import Configuration, Stepper

__all__ = ["TokenTables", "Visible"]

_DENSE_SHARE = 4
_MAXIMUM_FRAMES = 1 << 20
_BY_DEPTH = -3  # as in the kernel
_CONSUME_ONLY, _ACCEPTING, _PURE_RETURN, _PURE_CALL = 0, 1, 2, 4


class TokenTables:
    """What a vocabulary contributes: its trie and its tokens' bytes, in the kernel's layout."""

    def __init__(self, vocabulary: Vocabulary, trie: Trie, kernel: ModuleType) -> None:
        self.trie = trie
        self.word_count = words_for(len(vocabulary))
        nodes, tokens = array("i"), array("i")
        for i in range(len(trie.end)):
            nodes.extend((trie.byte[i], trie.end[i], len(tokens)))
            token = trie.token[i]
            while token >= 0:
                tokens.append(token)
                token = trie.same[token]
        nodes.extend((0, len(trie.end), len(tokens)))
        child = array("i", [-1]) * 256
        for node in trie.children(0):
            child[trie.byte[node]] = node
        self.kernel_trie = kernel.TokenTrie(nodes, tokens, child, trie.max_depth)
        starts, data = array("i", [0]), bytearray()
        for text in vocabulary.tokens:
            data += text or b""
            starts.append(len(data))
        self.token_bytes = bytes(data) or b"\0"
        self.token_starts = starts
        self.ends = array("i", vocabulary.eos)
        self.exits = array("i", [0]) * (len(trie.end) + 1)


@lru_cache(maxsize=8)
def token_tables(vocabulary: Vocabulary, trie: Trie, kernel: ModuleType) -> TokenTables:
    """The tables of a vocabulary, made once."""
    return TokenTables(vocabulary, trie, kernel)


class Visible:
    """The kernel's machine for one visible automaton over one vocabulary."""

    def __init__(self, automaton: PushdownAutomaton, tables: TokenTables, kernel: ModuleType) -> None:
        self.automaton = automaton
        self.tables = tables
        self._kernel = kernel
        states, rows, class_of, edges = _layout(automaton)
        self._states = states
        self._slots = array("i", [-1]) * len(automaton)
        self._at_depth: dict[tuple[int, int], int] = {}
        self._scratch = array("I", [0]) * tables.word_count
        stack = array("i", [0]) * (4 * (tables.trie.max_depth + 2) + 2 * (len(automaton.names) + 64))
        self.machine = kernel.VisibleMachine(
            states, rows, class_of, edges, automaton.nesting, tables.kernel_trie, tables.token_bytes,
            tables.token_starts, tables.ends, self._slots, array("I", [0]) * tables.word_count, stack,
            tables.exits, self._find_local, self._grow,
        )  # fmt: skip
        self._masks: list[Any] = []
        self._capacity = 256 + automaton.nesting
        bottoms = [(0, 0, depth) for depth in (0, *range(automaton.nesting + 1))]
        self._frames = array("i", [field for bottom in bottoms for field in bottom])
        self._frames.extend(array("i", [0]) * (3 * self._capacity - len(self._frames)))
        self._count = len(bottoms)
        self._install()

    def cursor(self) -> Any:
        """A cursor at the beginning of a text."""
        return self._kernel.VisibleCursor(self.machine, self.automaton.starts[0])

    def configuration(self, cursor: Any, stepper: Stepper) -> Configuration:
        """Where a cursor is, as the general path says it (for explanations and for the oracle)."""
        frame = stepper.bottoms[0]
        for after, depth in reversed(cursor.frames()):
            frame = stepper.frame([(after, frame)], depth)
        return stepper.close([(cursor.position()[0], frame)])

    def _install(self) -> None:
        size = 1
        while size < 4 * self._capacity:
            size *= 2
        self.machine.set_frames(self._frames, array("i", [-1]) * size, self._count)

    def _grow(self) -> None:
        """Twice the room for frames (called by the kernel)."""
        self._count = self.machine.frame_total()
        self._capacity *= 2
        if self._capacity > _MAXIMUM_FRAMES:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", limit=_MAXIMUM_FRAMES)
        frames = array("i", self._frames)
        frames.extend(array("i", [0]) * (3 * self._capacity - len(frames)))
        self._frames = frames
        self._install()

    def _find_local(self, state: int, depth: int) -> int:
        """The index of a wide state's local mask (called by the kernel)."""
        found = self._at_depth.get((state, depth))
        if found is None:
            exits, depth_matters = self.machine.local(state, depth, self._scratch)
            found = self._keep(exits)
            if depth_matters:
                self._slots[state] = _BY_DEPTH
                self._at_depth[state, depth] = found
            else:
                self._slots[state] = found
        return found

    def _keep(self, exits: int) -> int:
        count = len(self._scratch)
        places, words = array("i", [0]) * count, array("I", [0]) * count
        found = self._kernel.take_sparse(self._scratch, places, words, count)
        rest = self._remainders(self.tables.exits[:exits])
        if found * _DENSE_SHARE > count:
            dense = array("I", [0]) * count
            self._kernel.or_sparse(dense, places, words, found)
            mask = self._kernel.LocalMask(array("i"), dense, True, rest)
        else:
            mask = self._kernel.LocalMask(places[:found], words[:found], False, rest)
        self._masks.append(mask)
        self.machine.set_masks(self._masks)
        return len(self._masks) - 1

    def _remainders(self, nodes: Iterable[int]) -> Any:
        """The trie of what is left of the tokens below the nodes, the bytes on the edges into them included."""
        trie = self.tables.trie
        texts: dict[bytes, list[int]] = {}
        for node in nodes:
            path = bytearray()
            ends: list[int] = []
            for i in range(node, trie.end[node]):
                while ends and ends[-1] <= i:
                    ends.pop()
                    path.pop()
                path.append(trie.byte[i])
                ends.append(trie.end[i])
                token = trie.token[i]
                while token >= 0:
                    texts.setdefault(bytes(path), []).append(token)
                    token = trie.same[token]
        return _build(texts, self._kernel)


def _build(texts: dict[bytes, list[int]], kernel: ModuleType) -> Any:
    """A kernel trie of texts, each with its tokens."""
    edge, end, first, tokens = array("i", [0]), array("i", [0]), array("i", [0]), array("i")
    open_nodes: list[int] = [0]
    before = b""
    for text in sorted(texts):
        shared = 0
        while shared < len(before) and shared < len(text) and before[shared] == text[shared]:
            shared += 1
        for node in open_nodes[shared + 1 :]:
            end[node] = len(edge)
        del open_nodes[shared + 1 :]
        for byte in text[shared:]:
            open_nodes.append(len(edge))
            edge.append(byte)
            end.append(0)
            first.append(len(tokens))
        tokens.extend(texts[text])
        before = text
    for node in open_nodes:
        end[node] = len(edge)
    nodes = array("i", [field for record in zip(edge, end, first, strict=True) for field in record])
    nodes.extend((0, len(edge), len(tokens)))
    child = array("i", [-1]) * 256
    return kernel.TokenTrie(nodes, tokens or array("i", [0]), child, max(map(len, texts), default=0))


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
        for q in inside:
            row = [automaton.step(q, byte) for byte in samples]
            first_edge = len(edges) // 4
            for number, edge in enumerate(automaton.calls[q]):
                edges.extend((edge.start, edge.after, edge.weight, edge.tail))
                for i, byte in enumerate(samples):
                    if starts_first[edge.start] >> byte & 1:
                        row[i] = -2 - (first_edge + number)
            reads = any(t >= 0 for t in row)
            calls = len(automaton.calls[q])
            kind = _ACCEPTING if automaton.accepting[q] else _CONSUME_ONLY
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
