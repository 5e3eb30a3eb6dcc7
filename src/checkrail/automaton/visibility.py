"""Visibility: in every reachable state each next byte has at most one meaning.

The meanings are: consume it here, call one module (that can begin with it), or return (when the state may end
its module and the byte can follow one of the module's calls). Where that holds, the stack action is a function
of (state, byte), so one pass over the text needs no alternatives. The classical visibly pushdown alphabet would
fix the action by the byte alone; JSON breaks that, since a string may hold any bracket.

FIRST and FOLLOW are sets of bytes kept as 256-bit integers. FOLLOW of a module joins what can come after each
of its calls. Every combination is real: any call site can be reached with any pending stack, so a conflict has
an example, and the shortest words of `measure` spell it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .modules import ModuleDfa
from .standalone import INFINITE

__all__ = ["Conflict", "example_of", "find_conflicts"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A byte with two meanings in a state. callees: the modules whose calls take part (they might be inlined)."""

    module: int
    state: int
    byte: int
    first: str
    second: str
    at_end: bool
    callees: tuple[int, ...]


def _bytes_of(module: ModuleDfa) -> list[int]:
    """For each letter the set of its bytes."""
    sets = []
    for ranges in module.dfa.partition.ranges_by_letter():
        bits = 0
        for low, high in ranges:
            bits |= (1 << (high + 1)) - (1 << low)
        sets.append(bits)
    return sets


class _Sets:
    """FIRST of every state and FOLLOW of every module."""

    def __init__(self, modules: Sequence[ModuleDfa]) -> None:
        self.modules = modules
        self.own: list[list[int]] = []
        for module in modules:
            letters = _bytes_of(module)
            width = module.dfa.partition.width
            rows = []
            for row in module.dfa.moves:
                bits = 0
                for letter in row:
                    if letter < width:
                        bits |= letters[letter]
                rows.append(bits)
            self.own.append(rows)
        self.starts = self._first_of_starts()
        self.follow = self._follow()

    def first(self, module: int, state: int) -> int:
        """Bytes that can come next in this state without returning."""
        bits = self.own[module][state]
        for call, _ in self.modules[module].calls(state):
            bits |= self.starts[call.module]
        return bits

    def _first_of_starts(self) -> list[int]:
        starts = [own[0] for own in self.own]
        calls = [[call.module for call, _ in module.calls(0)] for module in self.modules]
        changed = True
        while changed:  # left calls form a DAG, so this ends after as many rounds as it is deep
            changed = False
            for number, callees in enumerate(calls):
                bits = starts[number]
                for callee in callees:
                    bits |= starts[callee]
                if bits != starts[number]:
                    starts[number] = bits
                    changed = True
        return starts

    def _follow(self) -> list[int]:
        follow = [0] * len(self.modules)
        inherits: list[set[int]] = [set() for _ in self.modules]  # callee -> callers whose FOLLOW it takes over
        for number, module in enumerate(self.modules):
            for state in range(len(module.dfa)):
                for call, after in module.calls(state):
                    follow[call.module] |= self.first(number, after)
                    if module.dfa.accepting[after]:
                        inherits[call.module].add(number)
        changed = True
        while changed:
            changed = False
            for number, callers in enumerate(inherits):
                bits = follow[number]
                for caller in callers:
                    bits |= follow[caller]
                if bits != follow[number]:
                    follow[number] = bits
                    changed = True
        return follow


def find_conflicts(modules: Sequence[ModuleDfa]) -> list[Conflict]:
    """Every state's first byte with two meanings; empty when the automaton is visible."""
    sets = _Sets(modules)
    found: list[Conflict] = []
    for number, module in enumerate(modules):
        for state in range(len(module.dfa)):
            calls = module.calls(state)
            ends = bool(module.dfa.accepting[state]) and number > 0
            if calls or ends:
                conflict = _conflict_in(modules, sets, number, state, [call.module for call, _ in calls], ends)
                found += [conflict] if conflict else []
    return found


def _conflict_in(
    modules: Sequence[ModuleDfa], sets: _Sets, number: int, state: int, callees: list[int], ends: bool
) -> Conflict | None:
    meanings: list[tuple[int, str, int]] = [(sets.own[number][state], "be read here", -1)]
    meanings += [(sets.starts[callee], f"begin {modules[callee].name}", callee) for callee in callees]
    if ends:
        meanings.append((sets.follow[number], f"follow the end of {modules[number].name}", -1))
    seen = 0
    for position, (bits, meaning, callee) in enumerate(meanings):
        both = seen & bits
        seen |= bits
        if both:
            byte = (both & -both).bit_length() - 1
            other = next(m for m in meanings[:position] if m[0] >> byte & 1)
            at_end = ends and position == len(meanings) - 1
            taking_part = tuple(m for m in (other[2], callee) if m >= 0)
            return Conflict(number, state, byte, other[1], meaning, at_end, taking_part)
    return None


def example_of(modules: Sequence[ModuleDfa], conflict: Conflict) -> bytes:
    """A short prefix after which the conflict shows."""
    examples = _Examples(modules, _Sets(modules))
    return examples.reach(conflict.module, conflict.state, conflict.byte, at_end=conflict.at_end)


class _Examples:
    """Short words that lead to a state."""

    def __init__(self, modules: Sequence[ModuleDfa], sets: _Sets) -> None:
        self.modules = modules
        self.sets = sets
        self.words = _shortest_words(modules)

    def reach(self, number: int, state: int, byte: int, *, at_end: bool) -> bytes:
        """A short prefix after which the matcher stands in `state` of the module (and may see `byte` follow)."""
        inside = self._inside(number, state)
        if number == 0:
            return inside
        return self._before(number, byte if at_end else None) + inside

    def _inside(self, number: int, state: int) -> bytes:
        """A short word from the module's start to the state."""
        module = self.modules[number]
        letters = module.dfa.partition.ranges_by_letter()
        came: dict[int, bytes] = {0: b""}
        queue = [0]
        for here in queue:
            if here == state:
                break
            for letter, target in module.byte_moves(here):
                if target not in came:
                    came[target] = came[here] + bytes([_printable(letters[letter])])
                    queue.append(target)
            for call, target in module.calls(here):
                if target not in came:
                    came[target] = came[here] + self.words[call.module]
                    queue.append(target)
        return came.get(state, b"")

    def _before(self, number: int, byte: int | None) -> bytes:
        """A short word from the beginning to a call of the module, one that `byte` can follow when it is given."""
        came: dict[int, bytes] = {0: b""}
        queue = [0]
        found: dict[int, bytes] = {}
        for caller in queue:
            module = self.modules[caller]
            for state in range(len(module.dfa)):
                for call, after in module.calls(state):
                    word = came[caller] + self._inside(caller, state)
                    follows = self.sets.first(caller, after)
                    if module.dfa.accepting[after]:
                        follows |= self.sets.follow[caller]
                    if call.module == number and (byte is None or follows >> byte & 1):
                        found.setdefault(number, word)
                    if call.module not in came:
                        came[call.module] = word
                        queue.append(call.module)
            if number in found:
                break
        return found.get(number, b"")


def _printable(ranges: tuple[tuple[int, int], ...]) -> int:
    """A byte of the set that reads well in a message."""
    for first, last in ((0x61, 0x7A), (0x30, 0x39), (0x21, 0x7E)):
        for low, high in ranges:
            if max(low, first) <= min(high, last):
                return max(low, first)
    return ranges[0][0]


def _shortest_words(modules: Sequence[ModuleDfa]) -> list[bytes]:
    """For each module a short word, by rounds of relaxation over whole modules (used for messages only)."""
    words: list[bytes | None] = [None] * len(modules)
    changed = True
    while changed:
        changed = False
        for number, module in enumerate(modules):
            if words[number] is None:
                word = _word_through(module, words)
                if word is not None:
                    words[number] = word
                    changed = True
    return [word or b"" for word in words]


def _word_through(module: ModuleDfa, words: Sequence[bytes | None]) -> bytes | None:
    letters = module.dfa.partition.ranges_by_letter()
    came: dict[int, bytes] = {0: b""}
    queue = [0]
    for here in queue:
        if module.dfa.accepting[here]:
            return came[here]
        steps: list[tuple[bytes, int]] = [(bytes([_printable(letters[a])]), t) for a, t in module.byte_moves(here)]
        for call, target in module.calls(here):
            word = words[call.module]
            if word is not None:
                steps.append((word, target))
        for word, target in steps:
            if target not in came and len(came[here]) + len(word) < INFINITE:
                came[target] = came[here] + word
                queue.append(target)
    return None
