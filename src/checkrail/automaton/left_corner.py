"""Left recursion, taken out of the modules: recognition needs no parse tree, so `A -> A x | y` is `A -> y x*`.

For a cycle of modules that call each other before reading anything, each module of the cycle gets an automaton
that reads its left spine from the bottom up (Rosenkrantz and Lewis's left-corner idea, 1970, on automata): begin
in any module of the cycle at a part that does not recurse to the left; when a module B is complete, go on where
some module of the cycle continues after a leading B; accept when the module itself is complete. The size is the
sum of the cycle's modules, for each of them.
"""

from __future__ import annotations

from ..errors import BudgetError
from ..grammar.components import is_cyclic, strong_components
from ..limits import Limits
from ..regular.nfa import Nfa
from .modules import Call, ModuleNfa

__all__ = ["remove_left_recursion"]


def remove_left_recursion(modules: list[ModuleNfa], limits: Limits) -> list[ModuleNfa]:
    """The modules without left recursion, same numbers and languages (of non-empty words)."""
    left_calls = {number: _left_calls(module) for number, module in enumerate(modules)}
    cycles = [sorted(c) for c in strong_components(left_calls) if is_cyclic(c, left_calls)]
    if not cycles:
        return modules
    result = list(modules)
    size_left = 8 * limits.states
    for cycle in cycles:
        for number in cycle:
            result[number] = _read_spine(number, cycle, modules, size_left)
            size_left -= len(result[number].nfa)
            if size_left < 0:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=limits.states, reached=8 * limits.states)
    return result


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
