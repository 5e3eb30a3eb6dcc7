"""From a regular expression (an `Expression` without recursion) to its minimal automaton over code points.

References are expanded where they stand; a rule that needs itself is refused, because the boolean algebra is
defined on regular operands only.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import GrammarError
from ..grammar.expression import Complement, Expression, Intersection, Reference
from ..grammar.regex import search_expression
from ..limits import DEFAULT_LIMITS, Limits
from .determinize import determinize
from .dfa import Dfa
from .minimize import minimize
from .nfa import Nfa
from .operations import complement, intersect
from .remembered import Remembered
from .thompson import Builder

__all__ = ["compile_regular", "compile_search"]

_NFA_STATES_PER_STATE = 8  # an NFA may be this many times larger than the automaton it becomes


class _RegularBuilder(Builder):
    """Expands references in place, with the chain of rules being expanded kept to refuse recursion."""

    def __init__(self, nfa: Nfa, rules: Mapping[str, Expression], limits: Limits, open_rules: tuple[str, ...]) -> None:
        super().__init__(nfa, over_bytes=False, regular=lambda e: compile_regular(e, rules, limits, open_rules))
        self._rules = rules
        self._limits = limits
        self._open_rules = open_rules

    def add_reference(self, reference: Reference, source: int, target: int, level: int) -> None:
        name = reference.rule
        if name in self._open_rules:
            raise GrammarError(
                "GRAMMAR_NOT_REGULAR", position=reference.position, what="A boolean combination", rule=name
            )
        inner = compile_regular(self._rules[name], self._rules, self._limits, (*self._open_rules, name))
        self._add_dfa(inner, source, target, self.add_characters)


def compile_regular(
    expression: Expression,
    rules: Mapping[str, Expression] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    open_rules: tuple[str, ...] = (),
) -> Dfa:
    """The minimal automaton of a regular expression.

    Raises GrammarError GRAMMAR_NOT_REGULAR for recursion or tokens, BudgetError beyond the limits.
    """
    if len(open_rules) > limits.expression_depth:
        raise GrammarError("GRAMMAR_BUDGET_DEPTH", limit=limits.expression_depth)
    rules = {} if rules is None else rules
    if isinstance(expression, Intersection):
        parts = [compile_regular(item, rules, limits, open_rules) for item in expression.items]
        result = parts[0]
        for part in parts[1:]:
            result = intersect(result, part, limits)
        return result
    if isinstance(expression, Complement):
        return complement(compile_regular(expression.item, rules, limits, open_rules), limits)
    nfa = Nfa(limits.states * _NFA_STATES_PER_STATE)
    start, accept = nfa.state(), nfa.state()
    _RegularBuilder(nfa, rules, limits, open_rules).connect(expression, start, accept)
    return minimize(determinize(nfa, start, accept, limits))


_SEARCHES: Remembered[Dfa] = Remembered(2**17, len)


def compile_search(pattern: str) -> Dfa:
    """The automaton of the strings in which an ECMA `pattern` finds a match (JSON Schema's `pattern`)."""
    return _SEARCHES.get(pattern, lambda: compile_regular(search_expression(pattern)))
