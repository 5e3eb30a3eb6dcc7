"""Sources for the deterministic path: small ones made by hand, ones that grow, and what they mean by brute force."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from checkrail.mask.visible import Source
from checkrail.vocabulary.vocabulary import Vocabulary

OTHER, ACCEPTING, PURE_RETURN, PURE_CALL, DEFAULT = 0, 1, 2, 4, 8


@dataclass
class State:
    """moves: byte -> next state, or ("call", edge). default: an edge, taken on the bytes in `otherwise`."""

    moves: dict[int, int | tuple[str, int]] = field(default_factory=dict)
    accepting: bool = False
    calls: Sequence[int] = ()
    room: int = 0
    exit: int = 0
    default: int = -1


class WholeSource:
    """All states at once. edges: (start, after, nesting, tail)."""

    generation = 0

    def __init__(
        self, states: Sequence[State], edges: Sequence[tuple[int, int, int, int]], *, nesting: int = 3, start: int = 0
    ) -> None:
        self.nesting = nesting
        self.start = start
        alphabet = sorted({byte for state in states for byte in state.moves})
        self.class_of = bytes(alphabet.index(b) if b in alphabet else len(alphabet) for b in range(256))
        self.states, self.next_state, self.edges = array("i"), array("i"), array("i")
        for state in states:
            first = len(self.edges) // 4
            numbers = {edge: first + i for i, edge in enumerate(state.calls)}
            for edge in state.calls:
                self.edges.extend(edges[edge])
            row = [-1] * (len(alphabet) + 1)
            for byte, move in state.moves.items():
                row[self.class_of[byte]] = move if isinstance(move, int) else -2 - numbers[move[1]]
            reads = any(entry >= 0 for entry in row)
            kind = ACCEPTING if state.accepting else OTHER
            if state.default >= 0:
                kind = DEFAULT
            elif state.accepting and not reads and not state.calls:
                kind = PURE_RETURN
            elif not state.accepting and not reads and len(state.calls) == 1:
                kind = PURE_CALL
            default = numbers[state.default] if state.default >= 0 else -1
            self.states.extend(
                (len(self.next_state), 0, kind, state.room, first, len(state.calls), state.exit, default)
            )
            self.next_state.extend(row)
        self.edges = self.edges or array("i", [0, 0, 0, 0])

    def expand(self, state: int) -> None:
        raise AssertionError(f"state {state} has a row")

    def name_of(self, state: int) -> None:
        return None

    def plain_run(self, state: int) -> int:
        return -1

    def unbounded(self, _state: int) -> None:
        return None


class GrowingSource:
    """Another source, made state by state in the order in which a walk comes to them.

    States keep their numbers; rows, class maps and edges are where they come to be. Arrays have room for `spare` more
    records, and are replaced where that runs out.
    """

    def __init__(self, whole: Source, spare: int = 0) -> None:
        self.whole = whole
        self.nesting = whole.nesting
        self.start = whole.start
        self.spare = spare
        self.generation = 0
        self.states, self.next_state, self.edges = array("i"), array("i"), array("i")
        self.class_of = array("B")
        self.known = self.row_end = self.edge_count = 0
        self.expanded: list[int] = []
        self.maps: dict[bytes, int] = {}
        self.fails = 0
        self._need(whole.start)

    def expand(self, state: int) -> None:
        assert state < self.known
        assert state not in self.expanded
        if self.fails:
            self.fails -= 1
            raise MemoryError("no more states")
        self.expanded.append(state)
        whole = self.whole
        row, place, kind, _, first, count, _, default = whole.states[8 * state : 8 * state + 8]
        class_map = bytes(whole.class_of[place : place + 256])
        width = max(class_map) + 1
        entries = list(whole.next_state[row : row + width])
        mine = self.edge_count
        self.edges = self._room(self.edges, 4 * (mine + count))
        self.edge_count += count
        for number in range(count):
            edge = whole.edges[4 * (first + number) : 4 * (first + number) + 4]
            self.edges[4 * (mine + number) : 4 * (mine + number) + 4] = edge
            self._need(max(edge[0], min(edge[1] + 1, len(whole.states) // 8 - 1)))  # a module may end in two ways
        for i, entry in enumerate(entries):
            if entry >= 0:
                self._need(entry)
            elif entry < -1:
                entries[i] = -2 - (-2 - entry - first + mine)
        if class_map not in self.maps:
            self.maps[class_map] = len(self.class_of)
            self.class_of = self.class_of + array("B", class_map)
            self.generation += 1
        self.next_state = self._room(self.next_state, self.row_end + width)
        self.next_state[self.row_end : self.row_end + width] = array("i", entries)
        if default >= 0:
            default += mine - first
        record = (self.row_end, self.maps[class_map], kind, *self.states[8 * state + 3 : 8 * state + 4], mine, count)
        self.states[8 * state : 8 * state + 6] = array("i", record)
        self.states[8 * state + 7] = default
        self.row_end += width

    def name_of(self, state: int) -> Any:
        return self.whole.name_of(state)

    def plain_run(self, state: int) -> int:
        return self.whole.plain_run(state)

    def unbounded(self, _state: int) -> None:
        return None

    def _need(self, state: int) -> None:
        if state < self.known:
            return
        self.states = self._room(self.states, 8 * (state + 1))
        for q in range(self.known, state + 1):
            room, exit_number = self.whole.states[8 * q + 3], self.whole.states[8 * q + 6]
            self.states[8 * q : 8 * q + 8] = array("i", [-1, 0, 0, room, 0, 0, exit_number, -1])
        self.known = state + 1

    def _room(self, values: array[int], wanted: int) -> array[int]:
        if wanted <= len(values):
            return values
        self.generation += 1
        return values + array("i", [0]) * (wanted - len(values) + 8 * self.spare)


Position = tuple[int, tuple[tuple[int, int], ...]]  # a state, and (return state, depth) of each pending call


def read(source: Source, position: Position, byte: int) -> Position | None:
    """The position after a byte, by the words of `_machine.py`; None where there is none."""
    state, stack = position

    def depth() -> int:
        return stack[-1][1] if stack else 0

    while True:
        row, class_map, kind, *_ = source.states[8 * state : 8 * state + 8]
        entry = source.next_state[row + source.class_of[class_map + byte]]
        if entry >= 0:
            fits = depth() + source.states[8 * entry + 3] <= source.nesting
            return (entry, stack) if fits else None
        if entry == -1:
            if not kind & 3 or not stack:
                return None
            state, stack = stack[-1][0] + source.states[8 * state + 6], stack[:-1]
            continue
        start, after, nest, tail = source.edges[4 * (-2 - entry) : 4 * (-2 - entry) + 4]
        inside = depth() + nest
        if max(inside + source.states[8 * start + 3], depth() + source.states[8 * after + 3]) > source.nesting:
            return None
        state = start
        if not tail:
            stack = (*stack, (after, inside))


def read_all(source: Source, position: Position, data: bytes) -> Position | None:
    here: Position | None = position
    for byte in data:
        if here is None:
            break
        here = read(source, here, byte)
    return here


def accepts(source: Source, position: Position) -> bool:
    state, stack = position
    while source.states[8 * state + 2] & 3:
        if not stack:
            return True
        state, stack = stack[-1][0] + source.states[8 * state + 6], stack[:-1]
    return False


def mask(source: Source, position: Position, vocabulary: Vocabulary) -> set[int]:
    """The allowed tokens: each is tried."""
    tokens = {t for t, data in enumerate(vocabulary.tokens) if data and read_all(source, position, data)}
    return tokens | set(vocabulary.eos) if accepts(source, position) else tokens


LETTERS = b"abcd"
BRACKETS = b"(["
ENDS = b";,"


@st.composite
def toys(draw: st.DrawFn) -> WholeSource:
    """Random modules over a few bytes: calls that nest or do not, exits, default states.

    Each byte has one meaning: letters are read inside modules, where no call begins with them; return states read ENDS
    only, or nothing.
    """
    modules = draw(st.integers(1, 3))
    size = draw(st.integers(2, 5))
    rng = draw(st.randoms(use_true_random=False))
    states: list[State] = []
    edges: list[tuple[int, int, int, int]] = []
    starts = [module * (size + 4) for module in range(modules)]
    exits = [rng.random() < 0.4 for _ in range(modules)]  # which modules end in two ways
    for first in starts:
        inside = list(range(first, first + size))
        for q in inside:
            moves: dict[int, Any] = {b: rng.choice(inside) for b in LETTERS if rng.random() < 0.6}
            start = q == first
            if start and not moves:
                moves[LETTERS[0]] = rng.choice(inside)
            accepting = not start and rng.random() < 0.4
            two = exits[starts.index(first)]
            states.append(State(moves, accepting, room=int(rng.random() < 0.2), exit=int(two and rng.random() < 0.5)))
        # two return states beside one another, for two ways to end, each with a state to go on to
        for _ in range(2):
            pure = rng.random() < 0.3
            moves = {} if pure else {b: rng.choice(inside) for b in ENDS if rng.random() < 0.8}
            states.append(State(moves, accepting=pure))
        states.extend((State({LETTERS[0]: first + size + 3}), State(accepting=True)))
    for first in starts:
        for q in range(first, first + size):
            if rng.random() < 0.5:
                opening = rng.choice(BRACKETS)
                bracket = len(states)  # a module of its own for the bracket, then what is called
                callee = rng.choice(starts)
                nest = rng.randint(0, 1)
                states.append(State({opening: callee}, room=0))
                _connect(states, edges, q, bracket, first + size, nest, tail=0, byte=opening)
                # the bracket's module goes on in the callee's states, which end it
    _add_defaults(states, edges, starts, size, rng)
    return WholeSource(states, edges, nesting=draw(st.integers(1, 3)), start=0)


def _connect(
    states: list[State], edges: list[tuple[int, int, int, int]], q: int, start: int, after: int, nest: int, *,
    tail: int, byte: int,
) -> None:  # fmt: skip
    states[q].calls = (*states[q].calls, len(edges))
    states[q].moves[byte] = ("call", len(edges))
    edges.append((start, after, nest, tail))


def _add_defaults(
    states: list[State], edges: list[tuple[int, int, int, int]], starts: Sequence[int], size: int, rng: random.Random
) -> None:
    """Tries of default states, reached by a byte that nothing else reads."""
    for first in starts:
        if rng.random() < 0.3:
            continue
        module = rng.choice(starts)
        inner = rng.randrange(module, module + size)
        tail = rng.randint(0, 1)
        nest, after = 0 if tail else rng.randint(0, 1), first + size
        leaves = list(range(first, first + size))
        root = _names(states, edges, inner, after, nest, tail, leaves, rng, depth=0)
        states[rng.randrange(first, first + size)].moves[ord("q")] = root


def _names(
    states: list[State], edges: list[tuple[int, int, int, int]], inner: int, after: int, nest: int, tail: int,
    leaves: Sequence[int], rng: random.Random, depth: int,
) -> int:  # fmt: skip
    """A default state: on some bytes deeper into the trie, elsewhere or nowhere, and as `inner` on the others."""
    here = len(states)
    states.append(State())
    edge = len(edges)
    edges.append((inner, after, nest, tail))
    moves: dict[int, Any] = dict.fromkeys(states[inner].moves, ("call", edge))
    for byte in (*LETTERS, *BRACKETS):
        way = rng.random()
        following = states[inner].moves.get(byte)
        if way < 0.4 and depth < 3 and isinstance(following, int):
            moves[byte] = _names(states, edges, following, after, nest, tail, leaves, rng, depth + 1)
        elif way < 0.5 and depth < 3:
            moves[byte] = _names(states, edges, inner, after, nest, tail, leaves, rng, depth + 1)
        elif way < 0.6:
            moves[byte] = rng.choice(leaves)
        elif way < 0.7:
            moves.pop(byte, None)
    states[here] = State(moves, calls=(edge,), default=edge)
    return here
