"""What every state still needs: the least nesting room and the fewest bytes to finish its module.

Both are least fixpoints of superior functions, so Knuth's generalisation of Dijkstra's algorithm finds them in
O(m log n) (Knuth 1977). A state without a finite need is dead; one that needs more room than the nesting bound
allows is dead too. What is dead is taken out, so that a mask never leads into a wall.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from ..grammar.components import strong_components
from ..limits import Limits
from ..regular.dfa import Dfa
from ..regular.minimize import minimize, trim
from ..watch import UNWATCHED, Watch
from .modules import Call, ModuleDfa
from .standalone import INFINITE

__all__ = ["Measure", "measure", "merge_equal", "remove_dead"]

_MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Measure:
    """Per module and state. room: levels of nesting needed to finish. length: bytes needed to finish."""

    room: tuple[tuple[int, ...], ...]
    length: tuple[tuple[int, ...], ...]


def measure(modules: Sequence[ModuleDfa], *, explicit_nesting: bool, watch: Watch = UNWATCHED) -> Measure:
    """Both measures of all modules."""
    known = {number: module.ready.lengths for number, module in enumerate(modules) if module.ready}
    length = _least(
        modules, explicit_nesting, lambda after: after + 1, lambda _, inside, after: inside + after, known, watch
    )
    return Measure(_room(modules, explicit_nesting, watch), length)


def _room(modules: Sequence[ModuleDfa], explicit_nesting: bool, watch: Watch) -> tuple[tuple[int, ...], ...]:
    # What calls nothing needs no room, but for a module without words, which has one state.
    known = {
        number: (0 if module.ready.lengths[0] < INFINITE else INFINITE,) * len(module.dfa)
        for number, module in enumerate(modules)
        if module.ready
    }
    return _least(
        modules,
        explicit_nesting,
        lambda after: after,
        lambda weight, inside, after: max(weight + inside, after),
        known,
        watch,
    )


def _least(
    modules: Sequence[ModuleDfa],
    explicit_nesting: bool,
    of_byte: Callable[[int], int],
    of_call: Callable[[int, int, int], int],
    known: Mapping[int, tuple[int, ...]],
    watch: Watch,
) -> tuple[tuple[int, ...], ...]:
    before: dict[tuple[int, int], list[int]] = {}
    calls_to: dict[int, list[tuple[int, int, int, int]]] = {}  # callee -> (module, state, return state, weight)
    calls_before: dict[tuple[int, int], list[tuple[int, int, int]]] = {}  # return state -> (state, callee, weight)
    heap: list[tuple[int, int, int]] = []
    for number, module in enumerate(modules):
        if number in known:
            heappush(heap, (known[number][0], number, 0))  # for those who call it
            continue
        width = module.dfa.partition.width
        for state, row in enumerate(module.dfa.moves):
            if module.dfa.accepting[state]:
                heappush(heap, (0, number, state))
            watch.spend()
            read: set[int] = set()
            for letter, target in row.items():
                symbol = module.dfa.symbols[letter - width] if letter >= width else None
                if isinstance(symbol, Call):
                    weight = call_weight(module, symbol, target, explicit_nesting)
                    calls_to.setdefault(symbol.module, []).append((number, state, target, weight))
                    calls_before.setdefault((number, target), []).append((state, symbol.module, weight))
                else:
                    read.add(target)
            for target in read:
                before.setdefault((number, target), []).append(state)
    best = [[INFINITE] * len(module.dfa) for module in modules]
    while heap:
        value, number, state = heappop(heap)
        watch.spend()
        if best[number][state] <= value:
            continue
        best[number][state] = value
        for source in before.get((number, state), ()):
            heappush(heap, (of_byte(value), number, source))
        for source, callee, weight in calls_before.get((number, state), ()):
            if best[callee][0] < INFINITE:
                heappush(heap, (of_call(weight, best[callee][0], value), number, source))
        if state == 0:
            for caller, source, after, weight in calls_to.get(number, ()):
                if best[caller][after] < INFINITE:
                    heappush(heap, (of_call(weight, value, best[caller][after]), caller, source))
    return tuple(known.get(number) or tuple(row) for number, row in enumerate(best))


def call_weight(module: ModuleDfa, call: Call, target: int, explicit_nesting: bool) -> int:
    """Levels that a call adds. Where rules nest, a tail call adds none: nothing is pending after it."""
    return 0 if not explicit_nesting and module.is_pure_return(target) else call.weight


def remove_dead(
    modules: Sequence[ModuleDfa], limits: Limits, *, explicit_nesting: bool, watch: Watch = UNWATCHED
) -> list[ModuleDfa]:
    """The modules without the states that cannot finish within the nesting bound, each minimal."""
    room = _room(modules, explicit_nesting, watch)
    result: list[ModuleDfa] = []
    for number, module in enumerate(modules):
        if module.ready:
            result.append(module)
            continue
        width = module.dfa.partition.width
        alive = [r <= limits.levels for r in room[number]]
        moves = []
        for row in module.dfa.moves:
            kept = {}
            for letter, target in row.items():
                symbol = module.dfa.symbols[letter - width] if letter >= width else None
                if isinstance(symbol, Call):
                    weight = call_weight(module, symbol, target, explicit_nesting)
                    if weight + room[symbol.module][0] > limits.levels:
                        continue
                kept[letter] = target
            moves.append(kept)
        dfa = Dfa(module.dfa.partition, module.dfa.symbols, tuple(moves), module.dfa.accepting)
        result.append(ModuleDfa(module.name, minimize(dfa, alive, watch)))
    return result


def merge_equal(modules: Sequence[ModuleDfa], watch: Watch = UNWATCHED) -> list[ModuleDfa]:
    """Modules with equal automata become one; those that the entry cannot reach go. Numbers stay dense.

    Merging makes further modules equal, so callees go first, and it repeats until nothing changes, or a few times.
    That two recursive modules which only call themselves are equal is not found: this shares work, it decides nothing.
    """
    for _ in range(_MOST_ROUNDS):
        watch.spend(sum(len(module.dfa) for module in modules))
        target = _representatives(modules)
        order, seen = [0], {0}
        for number in order:
            for state in range(len(modules[number].dfa)):
                for call, _ in modules[number].calls(state):
                    callee = target[call.module]
                    if callee not in seen:
                        seen.add(callee)
                        order.append(callee)
        if len(order) == len(modules):
            break
        renumber = {old: new for new, old in enumerate(order)}
        modules = [
            _rename(modules[old], {o: renumber[t] for o, t in enumerate(target) if t in renumber}) for old in order
        ]
    return list(modules)


def _representatives(modules: Sequence[ModuleDfa]) -> list[int]:
    """For each module the first one that is equal to it when equal callees count as one; the entry is for itself."""
    callees = {
        number: tuple(dict.fromkeys(symbol.module for symbol in module.dfa.symbols if isinstance(symbol, Call)))
        for number, module in enumerate(modules)
    }
    target = list(range(len(modules)))
    known: dict[Hashable, int] = {}
    for component in strong_components(callees):
        for number in sorted(component):
            if number:
                target[number] = known.setdefault(_structure(modules[number].dfa, target), number)
    first: dict[int, int] = {}
    for number, found in enumerate(target):
        first.setdefault(found, number)
    return [first[found] for found in target]


def _structure(dfa: Dfa, target: Sequence[int]) -> Hashable:
    """What equal modules have in common."""
    symbols = tuple(Call(target[s.module], s.weight) if isinstance(s, Call) else s for s in dfa.symbols)
    return dfa.partition, symbols, tuple(tuple(row.items()) for row in dfa.moves), dfa.accepting


def _rename(module: ModuleDfa, numbers: dict[int, int]) -> ModuleDfa:
    """The module with its calls renumbered.

    Two calls that have become the same keep a letter each: one state may use both, with different returns.
    """
    if module.ready:
        return module
    dfa = module.dfa
    width = dfa.partition.width
    symbols: list[Hashable] = []
    letter_of: dict[int, int] = {}
    for position, symbol in enumerate(dfa.symbols):
        if isinstance(symbol, Call):
            if symbol.module not in numbers:
                continue  # no move uses it any more
            symbol = Call(numbers[symbol.module], symbol.weight)
        letter_of[width + position] = width + len(symbols)
        symbols.append(symbol)
    moves = tuple({letter_of.get(letter, letter): target for letter, target in row.items()} for row in dfa.moves)
    return ModuleDfa(module.name, trim(Dfa(dfa.partition, tuple(symbols), moves, dfa.accepting)))
