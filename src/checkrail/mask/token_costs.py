"""How many tokens finish a module from each of its states: what a token budget counts with.

The number is *achievable*: a sequence of that many tokens exists. It is the least one among the sequences that do
not carry a token across the end of a module and whose steps `token_steps` found. An exact least number would need
every state paired with every place inside a token; this one needs a number a state, and is nearly always the same.

Deeper calls need nesting room, so the number depends on the room left: with more room it can only fall. It is kept
as the few (room, tokens) steps at which it falls. For each room from 0 up, Knuth's generalisation of Dijkstra's
algorithm (Knuth 1977) goes on from what less room gave, and only where something became cheaper: O(m log n) for all
levels together where, as usual, few states change after the first.

`ceiling` bounds from above what any bytes could make of the number: while a budget is larger, no mask needs work.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from heapq import heappop, heappush

from ..automaton.pushdown import PushdownAutomaton

__all__ = ["INFINITE", "TokenCosts"]

INFINITE = 2**30
_WALK_ALLOWANCE = 400_000  # trie nodes, shared by all states
_LEAST_ALLOWANCE, _MOST_ALLOWANCE = 16, 1_000
_SECOND_ALLOWANCE = 2_000_000
_MAXIMUM_ROUNDS = 64

Targets = Callable[[int, int], Iterable[int]]
"""(state, allowance) -> states of its module that one token leads to, each once."""


class TokenCosts:
    """Tokens to finish, by state and nesting room. Immutable once made.

    targets: finds steps. last_bytes: those that tokens end with; no token ends in a state that only others lead to.
    """

    def __init__(self, automaton: PushdownAutomaton, targets: Targets, last_bytes: Collection[int]) -> None:
        self._automaton = automaton
        count = len(automaton)
        allowance = max(_LEAST_ALLOWANCE, min(_MOST_ALLOWANCE, _WALK_ALLOWANCE // count))
        steps = [targets(state, allowance) for state in range(count)]
        self._falls = _solve(automaton, steps)
        stuck = [state for state in range(count) if self.highest(state) >= INFINITE]
        if stuck:  # perhaps only because their walks were cut short
            allowance = _SECOND_ALLOWANCE // len(stuck)
            for state in stuck:
                steps[state] = targets(state, allowance)
            self._falls = _solve(automaton, steps)
        self.ceiling = _ceilings(automaton, [self.highest(state) for state in range(count)], frozenset(last_bytes))
        """By state: no bytes read in the module can lead to a larger number, pending calls above it included."""

    def least(self, state: int, room: int) -> int:
        """Tokens that finish the state's module with `room` levels of nesting left; INFINITE where none were found."""
        for needed, tokens in reversed(self._falls[state]):
            if needed <= room:
                return tokens
        return INFINITE

    def highest(self, state: int) -> int:
        """The same with no more room than finishing needs at all."""
        falls = self._falls[state]
        return falls[0][1] if falls and falls[0][0] <= self._automaton.room[state] else INFINITE


def _solve(automaton: PushdownAutomaton, steps: Sequence[Iterable[int]]) -> list[list[tuple[int, int]]]:
    """For each state the rooms at which its number falls, with the number from there on."""
    count = len(automaton)
    before: list[list[int]] = [[] for _ in range(count)]
    calls_before: dict[int, list[tuple[int, int, int]]] = {}  # return state -> (state, callee, weight)
    callers: dict[int, list[tuple[int, int, int]]] = {}  # callee -> (state, return state, weight)
    for state in range(count):
        for target in steps[state]:
            before[target].append(state)
        for edge in automaton.calls[state]:
            calls_before.setdefault(edge.after, []).append((state, edge.start, edge.weight))
            callers.setdefault(edge.start, []).append((state, edge.after, edge.weight))
    best = [INFINITE] * count
    falls: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    waiting: dict[int, list[tuple[int, int, int, int]]] = {0: []}  # room -> calls whose callee became cheaper below

    def inside(callee: int, room: int, weight: int) -> int:
        if weight == 0:
            return best[callee]
        return next((tokens for needed, tokens in reversed(falls[callee]) if needed <= room - weight), INFINITE)

    heap = [(0, state) for state in range(count) if automaton.accepting[state]]
    while waiting:
        room = min(waiting)
        if room > automaton.nesting:
            break
        for state, after, callee, weight in waiting.pop(room):
            heappush(heap, (inside(callee, room, weight) + best[after], state))
        changed: set[int] = set()
        while heap:
            tokens, state = heappop(heap)
            if tokens >= best[state]:
                continue
            best[state] = tokens
            changed.add(state)
            for source in before[state]:
                heappush(heap, (tokens + 1, source))
            for source, callee, weight in calls_before.get(state, ()):
                heappush(heap, (inside(callee, room, weight) + tokens, source))
            for source, after, weight in callers.get(state, ()):
                if weight == 0:
                    heappush(heap, (tokens + best[after], source))
                else:
                    waiting.setdefault(room + weight, []).append((source, after, state, weight))
        for state in changed:
            falls[state].append((room, best[state]))
    return falls


def _ceilings(automaton: PushdownAutomaton, highest: Sequence[int], last_bytes: frozenset[int]) -> list[int]:
    """By state the largest number that any bytes from there on can lead to; INFINITE where that is not known."""
    own = [tokens if ends else 0 for tokens, ends in zip(highest, _token_ends(automaton, last_bytes), strict=True)]
    modules = _module_ceilings(automaton, highest, own)
    before: list[set[int]] = [set() for _ in own]
    for state, edges in enumerate(automaton.calls):
        first, width = automaton.row_of[state], automaton.widths[automaton.module_of[state]]
        for target in automaton.next_state[first : first + width]:
            if target >= 0:
                before[target].add(state)
        for _, target in automaton.tokens[state]:
            before[target].add(state)
        for edge in edges:
            before[edge.after].add(state)
            pushed = highest[edge.after] + modules[automaton.module_of[edge.start]]
            own[state] = max(own[state], min(pushed, INFINITE))
    ceiling = [-1] * len(own)
    for state in sorted(range(len(own)), key=own.__getitem__, reverse=True):
        pending = [state] if ceiling[state] < 0 else []
        for reached in pending:
            ceiling[reached] = own[state]
            for source in before[reached]:
                if ceiling[source] < 0:
                    ceiling[source] = own[state]
                    pending.append(source)
    return ceiling


def _token_ends(automaton: PushdownAutomaton, last_bytes: frozenset[int]) -> list[bool]:
    """For each state whether a token may end there: not in the middle of a character that only whole tokens write."""
    ends = [False] * len(automaton)
    for start in automaton.starts:
        ends[start] = True
    letters = [{classes[byte] for byte in last_bytes} for classes in automaton.class_maps]
    for state, module in enumerate(automaton.module_of):
        row = automaton.row_of[state]
        reached = [automaton.next_state[row + letter] for letter in letters[module]]
        reached += [edge.after for edge in automaton.calls[state]]
        reached += [target for _, target in automaton.tokens[state]]
        for target in reached:
            if target >= 0:
                ends[target] = True
    return ends


def _module_ceilings(automaton: PushdownAutomaton, highest: Sequence[int], own: Sequence[int]) -> list[int]:
    """By module the largest number inside it, calls within calls included, as deep as the nesting bound allows."""
    flat = [0] * len(automaton.names)
    edges: dict[tuple[int, int, int], int] = {}
    for state, calls in enumerate(automaton.calls):
        module = automaton.module_of[state]
        for edge in calls:
            key = (module, automaton.module_of[edge.start], edge.weight)
            edges[key] = max(edges.get(key, 0), highest[edge.after])
    for state, tokens in enumerate(own):
        flat[automaton.module_of[state]] = max(flat[automaton.module_of[state]], tokens)
    nests = any(weight for _, _, weight in edges)
    levels: list[list[int]] = []
    for room in range(automaton.nesting + 1 if nests else 1):
        row = _one_level(levels[-1] if levels else flat, levels, edges, room) if room <= _MAXIMUM_ROUNDS else None
        if row is None:
            return [INFINITE] * len(flat)
        levels.append(row)
    return levels[-1]


def _one_level(
    start: list[int], levels: list[list[int]], edges: dict[tuple[int, int, int], int], room: int
) -> list[int] | None:
    """The fixpoint for one room, None where it is not reached soon: calls without weight may go round in a circle."""
    row = list(start)
    for _ in range(_MAXIMUM_ROUNDS):
        changed = False
        for (caller, callee, weight), after in edges.items():
            if weight <= room:
                value = min(after + (row[callee] if weight == 0 else levels[room - weight][callee]), INFINITE)
                if value > row[caller]:
                    row[caller], changed = value, True
        if not changed:
            return row
    return None
