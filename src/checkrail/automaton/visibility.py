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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..grammar.components import strong_components
from ..watch import UNWATCHED, Watch
from .modules import ModuleDfa

__all__ = ["Conflict", "Sets", "find_conflicts"]


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


class Sets:
    """FIRST of every state and FOLLOW of every module."""

    def __init__(self, modules: Sequence[ModuleDfa], watch: Watch = UNWATCHED) -> None:
        self.modules = modules
        self.own: list[list[int]] = []
        for module in modules:
            letters = _bytes_of(module)
            width = module.dfa.partition.width
            rows = []
            for row in module.dfa.moves:
                watch.spend()
                bits = 0
                for letter in row:
                    if letter < width:
                        bits |= letters[letter]
                rows.append(bits)
            self.own.append(rows)
        calls = {number: _distinct(call.module for call, _ in m.calls(0)) for number, m in enumerate(modules)}
        self.starts = _gathered([own[0] for own in self.own], calls)
        self.follow = self._follow(watch)

    def first(self, module: int, state: int) -> int:
        """Bytes that can come next in this state without returning."""
        bits = self.own[module][state]
        for call, _ in self.modules[module].calls(state):
            bits |= self.starts[call.module]
        return bits

    def after_call(self, module: int, state: int) -> int:
        """Bytes that can come once a call has returned to this state."""
        return self.first(module, state) | (self.follow[module] if self.modules[module].dfa.accepting[state] else 0)

    def _follow(self, watch: Watch) -> list[int]:
        after_calls = [0] * len(self.modules)
        inherits: dict[int, set[int]] = {number: set() for number in range(len(self.modules))}
        for number, module in enumerate(self.modules):
            for state in range(len(module.dfa)):
                calls = module.calls(state)
                watch.spend(1 + len(calls))
                for call, after in calls:
                    after_calls[call.module] |= self.first(number, after)
                    if module.dfa.accepting[after]:
                        inherits[call.module].add(number)  # what follows the caller follows the callee
        return _gathered(after_calls, inherits)


def _distinct(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))


def _gathered(own: Sequence[int], graph: Mapping[int, Iterable[int]]) -> list[int]:
    """For each node the union of the sets of all nodes that it leads to, itself included."""
    found = list(own)
    for component in strong_components(graph):
        bits = 0
        for node in component:
            bits |= own[node]
            for successor in graph[node]:
                bits |= found[successor]
        for node in component:
            found[node] = bits
    return found


def find_conflicts(modules: Sequence[ModuleDfa], watch: Watch = UNWATCHED) -> list[Conflict]:
    """Every state's first byte with two meanings; empty when the automaton is visible."""
    sets = Sets(modules, watch)
    found: list[Conflict] = []
    for number, module in enumerate(modules):
        for state in range(len(module.dfa)):
            calls = module.calls(state)
            ends = bool(module.dfa.accepting[state]) and number > 0
            watch.spend()
            if calls or ends:
                conflict = _conflict_in(modules, sets, number, state, [call.module for call, _ in calls], ends)
                found += [conflict] if conflict else []
    return found


def _conflict_in(
    modules: Sequence[ModuleDfa], sets: Sets, number: int, state: int, callees: list[int], ends: bool
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
