"""The nondeterministic pushdown automaton: one NFA over bytes per module, calls as labelled edges.

Modules are made as they are found, from the entry on. A rule that is inlined twice towards the same target
state shares one copy, which keeps chains of optional parts linear. Nesting: in the entry module a `Nest` is
inlined and its level is known; in every other module it is a call of weight 1, since how deep such a module
stands is only known while matching.

Words of length zero are taken out at the end: a call of a module that may be empty gets an epsilon move beside
it, and the module itself then needs only its non-empty words (what `compiler` sees to).
"""

from __future__ import annotations

from ..grammar.expression import Expression, Nest, Reference, TokenReference
from ..limits import Limits
from ..regular.compile import compile_regular
from ..regular.nfa import Nfa
from ..regular.thompson import Builder
from ..watch import UNWATCHED, Watch
from .modules import Call, ModuleNfa, TokenEdge
from .normalize import Plan
from .standalone import is_standalone, standalone

__all__ = ["build_nvpa"]

_NFA_STATES_PER_STATE = 4


def build_nvpa(plan: Plan, limits: Limits, watch: Watch = UNWATCHED) -> list[ModuleNfa]:
    """The modules, the entry first. Calls of modules that may be empty have an epsilon move beside them."""
    modules = _Assembly(plan, limits, watch).build()
    _bypass_empty_calls(modules, watch)
    return modules


class _Assembly:
    """Finds and builds modules; a module is named by its rule, or by the Nest node it stands for."""

    def __init__(self, plan: Plan, limits: Limits, watch: Watch) -> None:
        self.plan = plan
        self.limits = limits
        self.watch = watch
        self.numbers: dict[str | Nest, int] = {}
        self.waiting: list[tuple[str, Expression]] = []

    def build(self) -> list[ModuleNfa]:
        plan = self.plan
        modules: list[ModuleNfa] = []
        states, limit = 0, self.limits.states * _NFA_STATES_PER_STATE
        self.waiting.append(("", Reference(plan.root)))
        for name, expression in self.waiting:  # grows while modules are found
            nfa = Nfa(limit, states)
            start, accept = nfa.state(), nfa.state()
            if is_standalone(expression):
                known = standalone(expression, self.limits, self.watch)
                if known.has_empty:
                    nfa.link(start, accept)
                modules.append(ModuleNfa(name, nfa, start, accept, known))
                continue
            builder = _ModuleBuilder(nfa, self, is_entry=not modules)
            builder.connect(expression, start, accept)
            states += len(nfa)
            modules.append(ModuleNfa(name or plan.root, nfa, start, accept))
        return modules

    def rule_module(self, rule: str) -> tuple[int, int]:
        """The module of a rule and the weight of calling it."""
        expression = self.plan.rules[rule]
        if isinstance(expression, Nest):
            return self.nest_module(rule, expression)
        weight = 0 if self.plan.explicit_nesting or rule not in self.plan.recursive else 1
        return self._number(rule, rule, expression), weight

    def nest_module(self, name: str, nest: Nest) -> tuple[int, int]:
        """The module inside a Nest and the weight of calling it."""
        return self._number(nest, name, nest.item), 1

    def _number(self, key: str | Nest, name: str, expression: Expression) -> int:
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.waiting)
            self.waiting.append((name, expression))
        return number


class _ModuleBuilder(Builder):
    def __init__(self, nfa: Nfa, assembly: _Assembly, *, is_entry: bool) -> None:
        plan, limits, watch = assembly.plan, assembly.limits, assembly.watch
        super().__init__(
            nfa, over_bytes=True, regular=lambda e: compile_regular(e, plan.rules, limits, watch), watch=watch
        )
        self._assembly = assembly
        self._is_entry = is_entry
        self._inlined: dict[tuple[str, int, int], int] = {}
        self._rule = plan.root

    def add_reference(self, reference: Reference, source: int, target: int, level: int) -> None:
        rule = reference.rule
        if rule in self._assembly.plan.modules:
            module, weight = self._assembly.rule_module(rule)
            self._call(module, level + weight, source, target)
            return
        key = (rule, target, level)
        entry = self._inlined.get(key)
        if entry is None:
            entry = self._inlined[key] = self.nfa.state()
            self.later(self._assembly.plan.rules[rule], entry, target, level)
        self.nfa.link(source, entry)

    def add_nest(self, nest: Nest, source: int, target: int, level: int) -> None:
        if not self._is_entry:
            module, weight = self._assembly.nest_module("nested", nest)
            self._call(module, weight, source, target)
        elif level < self._assembly.limits.levels:
            self.later(nest.item, source, target, level + 1)

    def add_token(self, token: TokenReference, source: int, target: int) -> None:
        self.nfa.symbol(source, TokenEdge(token.token, token.negated), target)

    def _call(self, module: int, weight: int, source: int, target: int) -> None:
        if weight <= self._assembly.limits.levels:
            self.nfa.symbol(source, Call(module, weight), target)


def _bypass_empty_calls(modules: list[ModuleNfa], watch: Watch) -> None:
    """Add an epsilon move beside each call of a module that has the empty word."""
    empty = _empty_modules(modules, watch)
    for module in modules:
        for state, calls in enumerate(module.nfa.symbols):
            for symbol, target in calls:
                if isinstance(symbol, Call) and symbol.module in empty:
                    module.nfa.link(state, target)


def _empty_modules(modules: list[ModuleNfa], watch: Watch) -> set[int]:
    """The modules that have the empty word: a least fixpoint, each move followed once.

    A call waits until its callee is known to have the empty word, and is then as good as an epsilon move.
    """
    empty: set[int] = set()
    seen: list[set[int]] = [set() for _ in modules]  # states that reading nothing comes to
    waiting: dict[int, list[tuple[int, int]]] = {}  # callee -> (module, state after the call)
    pending = [(number, module.start) for number, module in enumerate(modules)]
    while pending:
        number, state = pending.pop()
        if state in seen[number]:
            continue
        watch.spend()
        seen[number].add(state)
        module = modules[number]
        if state == module.accept:
            empty.add(number)
            pending += waiting.pop(number, ())
        pending += ((number, target) for target in module.nfa.epsilon[state])
        for symbol, target in module.nfa.symbols[state]:
            if isinstance(symbol, Call):
                found = pending if symbol.module in empty else waiting.setdefault(symbol.module, [])
                found.append((number, target))
    return empty
