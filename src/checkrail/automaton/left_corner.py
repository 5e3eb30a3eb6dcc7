"""Left recursion, taken out of the modules: recognition needs no parse tree, so `A -> A x | y` is `A -> y x*`.

For a cycle of modules that call each other before reading anything, each module of the cycle gets an automaton
that reads its left spine from the bottom up (Rosenkrantz and Lewis's left-corner idea, 1970, on automata): begin
in any module of the cycle at a part that does not recurse to the left; when a module B is complete, go on where
some module of the cycle continues after a leading B; accept when the module itself is complete. The size is the
sum of the cycle's modules, for each of them, and is bounded before anything is made.
"""

from __future__ import annotations

from ..errors import BudgetError
from ..grammar.components import is_cyclic, strong_components
from ..limits import Limits
from ..regular.nfa import Nfa
from ..watch import UNWATCHED, Watch
from .modules import Call, ModuleNfa

__all__ = ["remove_left_recursion"]

_STATES_PER_STATE = 8
_MOVES_PER_TRANSITION = 4


def remove_left_recursion(modules: list[ModuleNfa], limits: Limits, watch: Watch = UNWATCHED) -> list[ModuleNfa]:
    """The modules without left recursion, same numbers and languages (of non-empty words)."""
    left_calls = {number: _left_calls(module) for number, module in enumerate(modules)}
    cycles = [sorted(c) for c in strong_components(left_calls) if is_cyclic(c, left_calls)]
    if not cycles:
        return modules
    states, moves = (sum(len(c) * sum(size(modules[m].nfa) for m in c) for c in cycles) for size in (_states, _moves))
    most_states, most_moves = _STATES_PER_STATE * limits.states, _MOVES_PER_TRANSITION * limits.transitions
    if states > most_states:
        raise BudgetError("GRAMMAR_BUDGET_STATES", limit=most_states, reached=states)
    if moves > most_moves:
        raise BudgetError("GRAMMAR_BUDGET_TRANSITIONS", limit=most_moves, reached=moves)
    result = list(modules)
    for cycle in cycles:
        for number in cycle:
            result[number] = _read_spine(number, cycle, modules, most_states)
            watch.spend(len(result[number].nfa))
    return result


def _states(nfa: Nfa) -> int:
    return len(nfa) + 1  # the entry that `_read_spine` adds for it


def _moves(nfa: Nfa) -> int:
    return sum(len(moves) for kind in (nfa.epsilon, nfa.edges, nfa.symbols) for moves in kind)


def _left_calls(module: ModuleNfa) -> set[int]:
    """The modules that may be called before anything was read."""
    return {
        symbol.module
        for state in module.nfa.closure(module.start)
        for symbol, _ in module.nfa.symbols[state]
        if isinstance(symbol, Call)
    }


def _read_spine(number: int, cycle: list[int], modules: list[ModuleNfa], limit: int) -> ModuleNfa:
    """One module of a cycle, reading its left spine from the bottom up."""
    nfa = Nfa(limit)
    start, accept = nfa.state(), nfa.state()
    offsets: dict[int, int] = {}
    members = set(cycle)
    for member in cycle:
        source = modules[member].nfa
        offset = offsets[member] = len(nfa)
        for _ in range(len(source)):
            nfa.state()
        for state in range(len(source)):
            for target in source.epsilon[state]:
                nfa.link(offset + state, offset + target)
            for ranges, target in source.edges[state]:
                nfa.edge(offset + state, ranges, offset + target)
            for symbol, target in source.symbols[state]:
                nfa.symbol(offset + state, symbol, offset + target)
    for member in cycle:
        module, offset = modules[member], offsets[member]
        # What can be read first stands on fresh states, so that moves which come back to the start keep their calls.
        entry = nfa.state()
        nfa.link(start, entry)
        for state in module.nfa.closure(module.start):
            for ranges, target in module.nfa.edges[state]:
                nfa.edge(entry, ranges, offset + target)
            for symbol, target in module.nfa.symbols[state]:
                if isinstance(symbol, Call) and symbol.module in members:
                    called = symbol.module
                    nfa.link(offsets[called] + modules[called].accept, offset + target)
                else:
                    nfa.symbol(entry, symbol, offset + target)
    nfa.link(offsets[number] + modules[number].accept, accept)
    return ModuleNfa(modules[number].name, nfa, start, accept)
