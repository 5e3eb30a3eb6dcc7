"""From a regular expression (an `Expression` without recursion) to its minimal automaton over code points.

References are expanded where they stand; a rule that needs itself is refused, because the boolean algebra is
defined on regular operands only. Each rule is compiled once, however often it is referred to.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import BudgetError, GrammarError
from ..grammar.expression import Complement, Expression, Intersection, Reference
from ..grammar.regex import search_expression
from ..limits import DEFAULT_LIMITS, Limits
from ..watch import UNWATCHED, Watch
from .determinize import determinize
from .dfa import Dfa
from .minimize import minimize
from .nfa import Nfa
from .operations import complement, intersect
from .remembered import Remembered
from .thompson import Builder

__all__ = ["compile_regular", "compile_search"]

_NFA_STATES_PER_STATE = 8  # an NFA may be this many times larger than the automaton it becomes


def compile_regular(
    expression: Expression,
    rules: Mapping[str, Expression] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    watch: Watch = UNWATCHED,
) -> Dfa:
    """The minimal automaton of a regular expression.

    Raises GrammarError GRAMMAR_NOT_REGULAR for recursion or tokens, BudgetError beyond the limits.
    """
    return _Compilation({} if rules is None else rules, limits, watch).dfa(expression)


class _Compilation:
    """One run: the rules that are compiled, and those that are open, which may not be referred to."""

    def __init__(self, rules: Mapping[str, Expression], limits: Limits, watch: Watch) -> None:
        self._rules = rules
        self._limits = limits
        self._watch = watch
        self._known: dict[str, Dfa] = {}
        self._open: set[str] = set()
        self._depth = 0  # combinations and references within one another: each is some calls of this code

    def dfa(self, expression: Expression) -> Dfa:
        limits, watch = self._limits, self._watch
        if self._depth > limits.expression_depth:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", limit=limits.expression_depth)
        self._depth += 1
        try:
            if isinstance(expression, Intersection):
                result = self.dfa(expression.items[0])
                for item in expression.items[1:]:
                    result = intersect(result, self.dfa(item), limits, watch)
                return result
            if isinstance(expression, Complement):
                return complement(self.dfa(expression.item), limits, watch)
            nfa = Nfa(limits.states * _NFA_STATES_PER_STATE)
            start, accept = nfa.state(), nfa.state()
            _RegularBuilder(nfa, self, watch).connect(expression, start, accept)
            return minimize(determinize(nfa, start, accept, limits, watch), watch=watch)
        finally:
            self._depth -= 1

    def rule(self, reference: Reference) -> Dfa:
        """The automaton of a rule."""
        name = reference.rule
        if name in self._open:
            raise GrammarError(
                "GRAMMAR_NOT_REGULAR", position=reference.position, what="A boolean combination", rule=name
            )
        known = self._known.get(name)
        if known is None:
            self._open.add(name)
            known = self._known[name] = self.dfa(self._rules[name])
            self._open.remove(name)
        return known


class _RegularBuilder(Builder):
    """Expands references in place."""

    def __init__(self, nfa: Nfa, compilation: _Compilation, watch: Watch) -> None:
        super().__init__(nfa, over_bytes=False, regular=compilation.dfa, watch=watch)
        self._compilation = compilation

    def add_reference(self, reference: Reference, source: int, target: int, level: int) -> None:
        self._add_dfa(self._compilation.rule(reference), source, target, self.add_characters)


_SEARCHES: Remembered[Dfa] = Remembered(2**17, len)


def compile_search(pattern: str) -> Dfa:
    """The automaton of the strings in which an ECMA `pattern` finds a match (JSON Schema's `pattern`)."""
    return _SEARCHES.get(pattern, lambda: compile_regular(search_expression(pattern)))
