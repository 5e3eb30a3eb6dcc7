"""An automaton with slots, and what stands in them: a source that fills the slots as texts come to them.

`find_slots` looks for the marks of `json_schema.slots` in a whole automaton, once; `SlottedSource` is made for each
text that brings fillers of its own (a document to copy from). It begins as a copy of the automaton's tables, which is
copied memory and no walk, and grows by the states of the fillers that a text comes to. Other strings may be allowed in
the same place (`anyOf`); they are walked side by side with the fillers until the next byte tells them apart.

You need it for slots. A schema without them is served by `StaticSource`, or by the automaton on demand.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from threading import RLock
from typing import Any, NamedTuple

from ..automaton.pushdown import PushdownAutomaton
from ..errors import GrammarError
from ..json_schema.slots import FREE_MARK, mark_of
from ..ondemand.filler import Filler
from ..ondemand.language import UNKNOWN_RUN
from ..ondemand.tables import new_tables
from .kernel import Kernel
from .static_source import StaticSource

__all__ = ["SlotPlaces", "SlottedSource", "find_slots"]

_QUOTE = 0x22
_NONE = -1
_STATE_FIELDS, _EDGE_FIELDS = 8, 4
_MOST_STATES = 2**20
_MOST_ENTRIES = 2**28
_MANY_STATES = 2**17
_ALL_BYTES = bytes(range(256))
_Part = tuple[int, int, Hashable]  # a slot, the state behind its closing quote, the filler's place
_Place = tuple[int, tuple[_Part, ...]]  # a state of the automaton, or _NONE, beside the fillers


class _Block(NamedTuple):
    """States in a row from `first` on, one for each of some places of a filler."""

    first: int
    slot: int
    after: int
    places: list[Hashable]


SlotPlaces = Mapping[int, Sequence[tuple[int, int]]]
"""By state behind an opening quote: the slots that begin there, each with the state behind its closing quote."""


def find_slots(automaton: PushdownAutomaton, count: int) -> SlotPlaces:
    """The places of slots 0 to `count` - 1.

    A state in which any string may stand has no slot: what a filler allows, it allows too.
    Raises GrammarError where the automaton is not visible, since fillers need one meaning for each byte.
    """
    if not automaton.visible:
        raise GrammarError("GRAMMAR_SLOTS", what="its automaton is ambiguous")
    first = mark_of(0)[0]
    found: dict[int, list[tuple[int, int]]] = {}
    for state in range(len(automaton)):
        if automaton.step(state, first) < 0 or _walk(automaton, state, FREE_MARK) >= 0:
            continue
        for slot in range(count):
            after = _walk(automaton, state, mark_of(slot))
            if after >= 0:
                found.setdefault(state, []).append((slot, after))
    return found


def _walk(automaton: PushdownAutomaton, state: int, mark: bytes) -> int:
    """The state behind a string and its closing quote; -1 where there is none."""
    for byte in mark + b'"':
        state = automaton.step(state, byte)
        if state < 0:
            break
    return state


class SlottedSource:
    """The tables of one text or more, with these fillers. See `visible.Source` for what the kernel asks."""

    def __init__(
        self,
        automaton: PushdownAutomaton,
        static: StaticSource,
        places: SlotPlaces,
        fillers: Sequence[Filler],
        kernel: Kernel,
    ) -> None:
        """static: the source of the automaton, which stays as it is. fillers: by slot."""
        self.nesting = static.nesting
        self.start = static.start
        self._automaton = automaton
        self._static = static
        self._fillers = fillers
        self._tables = tables = new_tables(_MOST_STATES, _MOST_ENTRIES, kernel.tables)
        self._size = len(automaton)
        tables.append_row(static.next_state)
        tables.add_map(bytes(static.class_of))
        tables.new_states(self._size, 0, 0)
        tables.states[: len(static.states)] = static.states
        for at in range(0, len(static.edges), _EDGE_FIELDS):
            tables.add_edge(*static.edges[at : at + _EDGE_FIELDS])
        self._maps: dict[bytes, int] = {}
        self._numbers: dict[_Place, int] = {}
        self._pending: dict[int, _Place] = {}
        self._firsts: list[int] = []
        self._blocks: list[_Block] = []
        self._alphabet = bytes(sorted({_QUOTE}.union(*(filler.alphabet for filler in fillers))))
        self._in_alphabet = frozenset(self._alphabet)
        self._places = places
        self._touched = {automaton.module_of[state] for state in places}
        self._lock = RLock()
        for state, slots in places.items():
            tables.states[_STATE_FIELDS * state] = _NONE  # its row is made anew when a text comes to it
            self._pending[state] = state, tuple([(slot, after, fillers[slot].start) for slot, after in slots])

    def __repr__(self) -> str:
        return f"<SlottedSource {self._size} states, {self._tables.state_count - self._size} in slots>"

    @property
    def is_large(self) -> bool:
        """Whether a text should go on with a new source."""
        return self._tables.state_count - self._size > _MANY_STATES

    @property
    def generation(self) -> int:
        """Another number after each replacement of an array."""
        return self._tables.generation

    @property
    def memory(self) -> int:
        """Bytes of the tables."""
        return self._tables.memory

    @property
    def states(self) -> Any:
        return self._tables.states

    @property
    def next_state(self) -> Any:
        return self._tables.next_state

    @property
    def class_of(self) -> Any:
        return self._tables.class_of

    @property
    def edges(self) -> Any:
        return self._tables.edges

    def name_of(self, state: int) -> tuple[Any, ...] | None:
        """As in the automaton, but for modules with slots, which differ from text to text."""
        return None if self._is_own(state) else self._static.name_of(state)

    def plain_run(self, state: int) -> int:
        """How many plain characters can follow in a row."""
        inside = state >= self._size or state in self._places
        return UNKNOWN_RUN if inside else self._static.plain_run(state)

    def unbounded(self, _state: int) -> None:
        """No state is known as another one with a bound."""

    def rule_of(self, state: int) -> str:
        """The name of the rule that a state belongs to."""
        return "slot" if state >= self._size else self._automaton.names[self._automaton.module_of[state]]

    def _is_own(self, state: int) -> bool:
        return state >= self._size or self._automaton.module_of[state] in self._touched

    def expand(self, state: int) -> None:
        """Make the row of a state in a slot, or before one."""
        with self._lock:
            place = self._pending.get(state)
            if place is None:
                if not self._tables.is_expanded(state):
                    self._branch(state)
                return  # else another thread was faster
            row = self._row(*place)
            letters = self._letters(row)
            tables = self._tables
            class_map = self._class_map(letters)
            where = tables.append_row(array("i", [*(row.get(byte, _NONE) for byte in letters), _NONE]))
            record = tables.states[_STATE_FIELDS * state : _STATE_FIELDS * (state + 1)]
            tables.expand(state, where, class_map, record[2], record[4], record[5])
            del self._pending[state]

    def _branch(self, state: int) -> None:
        """Make the row of a state whose places are not shared: those that follow are numbered in a row."""
        block = self._blocks[bisect_right(self._firsts, state) - 1]
        place = block.places[state - block.first]
        filler = self._fillers[block.slot]
        moves = filler.moves(place)
        letters = bytes([byte for byte, _ in moves])
        row = list(
            range(self._block(block.slot, block.after, [target for _, target in moves]), self._tables.state_count)
        )
        if filler.ends(place):
            letters += b'"'
            row.append(block.after)
        where = self._tables.append_row(array("i", [*row, _NONE]))
        self._tables.expand(state, where, self._class_map(letters), 0, 0, 0)

    def _block(self, slot: int, after: int, places: list[Hashable]) -> int:
        """States in a row for places of one filler, the first of them."""
        room = self._static.states[_STATE_FIELDS * after + 3]
        first = self._tables.new_states(len(places), room, 0)
        if places:
            self._firsts.append(first)
            self._blocks.append(_Block(first, slot, after, places))
        return first

    def _letters(self, row: Mapping[int, int]) -> bytes:
        """The bytes that a row has columns for. Few sets of them, since each takes a class map."""
        if len(row) == 1:
            return bytes(row)
        return self._alphabet if self._in_alphabet.issuperset(row) else _ALL_BYTES

    def _row(self, state: int, parts: tuple[_Part, ...]) -> dict[int, int]:
        """What each byte leads to: the automaton's own state and the fillers' places, side by side."""
        own = {} if state == _NONE else self._own_moves(state)
        following: dict[int, list[_Part]] = {}
        ends = set()
        for slot, after, place in parts:
            filler = self._fillers[slot]
            for byte, target in filler.moves(place):
                following.setdefault(byte, []).append((slot, after, target))
            if filler.ends(place):
                ends.add(after)
        row = dict(own)
        for byte, targets in following.items():
            row[byte] = self._number((own.get(byte, _NONE), tuple(targets)))
        if ends:
            ends |= {own[_QUOTE]} if _QUOTE in own else set()
            if len(ends) > 1:
                raise GrammarError("GRAMMAR_SLOTS", what="one string may be followed by different things")
            row[_QUOTE] = ends.pop()
        return row

    def _own_moves(self, state: int) -> dict[int, int]:
        """What the automaton itself allows in a state, the marks left out: no other string has their first byte."""
        static = self._static
        row, class_map = static.states[_STATE_FIELDS * state], static.states[_STATE_FIELDS * state + 1]
        moves = {byte: static.next_state[row + static.class_of[class_map + byte]] for byte in range(256)}
        del moves[mark_of(0)[0]]
        return {byte: target for byte, target in moves.items() if target != _NONE}

    def _number(self, place: _Place) -> int:
        """The state for a place; the automaton's own where no filler is left."""
        own, parts = place
        if own == _NONE and len(parts) == 1 and self._fillers[parts[0][0]].branches:
            slot, after, target = parts[0]
            return self._block(slot, after, [target])
        number = self._numbers.get(place)
        if number is None:
            following = [after for _, after, _ in parts] + ([own] if own != _NONE else [])
            room = min(self._static.states[_STATE_FIELDS * state + 3] for state in following)
            number = self._numbers[place] = self._tables.new_states(1, room, 0)
            self._pending[number] = place
        return number

    def _class_map(self, letters: bytes) -> int:
        """Where the class map is that gives each of these bytes a class, and the others one more (all 256: none)."""
        known = self._maps.get(letters)
        if known is None:
            classes = bytearray([len(letters) % 256]) * 256
            for number, byte in enumerate(letters):
                classes[byte] = number
            known = self._maps[letters] = self._tables.add_map(bytes(classes))
        return known
