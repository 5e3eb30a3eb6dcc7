"""Modules that need no other rule: compiled once, kept for every grammar that has them.

The JSON string, the number, a date: a schema uses the same few again and again, and they are most of its states.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..grammar.expression import Expression, Nest, Reference, TokenReference
from ..grammar.traverse import walk
from ..limits import Limits
from ..regular.compile import compile_regular
from ..regular.determinize import determinize
from ..regular.dfa import Dfa
from ..regular.minimize import minimize
from ..regular.nfa import Nfa
from ..regular.remembered import Remembered
from ..regular.thompson import Builder
from ..watch import UNWATCHED, Watch

__all__ = ["INFINITE", "Standalone", "is_standalone", "standalone", "without_empty_word"]

INFINITE = 2**30
_NFA_STATES_PER_STATE = 4


@dataclass(frozen=True, slots=True)
class Standalone:
    """dfa: the non-empty words over bytes, minimal. lengths: for each state the bytes that it needs to finish.

    rows: for each state its next state by letter, and -1 for "no letter", in one sequence (-1: none). has_empty:
    whether the empty word belongs to the module too.
    """

    dfa: Dfa
    lengths: tuple[int, ...]
    rows: tuple[int, ...]
    has_empty: bool


def is_standalone(expression: Expression) -> bool:
    """Whether an expression refers to no rule, names no token and opens no level of nesting."""
    return not any(isinstance(node, (Reference, TokenReference, Nest)) for node in walk(expression))


_KNOWN: Remembered[Standalone] = Remembered(2**17, lambda module: len(module.dfa))


def standalone(expression: Expression, limits: Limits, watch: Watch = UNWATCHED) -> Standalone:
    """The module of a standalone expression."""
    key = expression, limits.states, limits.transitions, limits.expression_depth
    return _KNOWN.get(key, lambda: _compile(expression, limits, watch))


def _compile(expression: Expression, limits: Limits, watch: Watch) -> Standalone:
    nfa = Nfa(limits.states * _NFA_STATES_PER_STATE)
    start, accept = nfa.state(), nfa.state()
    builder = Builder(nfa, over_bytes=True, regular=lambda e: compile_regular(e, None, limits, watch), watch=watch)
    builder.connect(expression, start, accept)
    dfa = minimize(determinize(nfa, start, accept, limits, watch), watch=watch)
    words = minimize(without_empty_word(dfa), watch=watch)
    letters = range(words.partition.width + 1)
    rows = tuple(row.get(letter, -1) for row in words.moves for letter in letters)
    return Standalone(words, _lengths(words), rows, bool(dfa.accepting[0]))


def _lengths(dfa: Dfa) -> tuple[int, ...]:
    """Breadth first from the accepting states, backwards. Only an empty language leaves its start without."""
    before: list[set[int]] = [set() for _ in dfa.moves]
    for state, row in enumerate(dfa.moves):
        for target in row.values():
            before[target].add(state)
    lengths = [0 if accepts else INFINITE for accepts in dfa.accepting]
    queue = [state for state, accepts in enumerate(dfa.accepting) if accepts]
    for state in queue:
        for source in before[state]:
            if lengths[source] == INFINITE:
                lengths[source] = lengths[state] + 1
                queue.append(source)
    return tuple(lengths)


def without_empty_word(dfa: Dfa) -> Dfa:
    """The same words but the empty one: callers have an epsilon move for that."""
    if not dfa.accepting[0]:
        return dfa
    # A fresh start, since other moves may come back to the old one; state 0 is the start by convention.
    rows = [dfa.moves[0], *dfa.moves]
    moves = tuple({letter: target + 1 for letter, target in row.items()} for row in rows)
    return Dfa(dfa.partition, dfa.symbols, moves, b"\0" + dfa.accepting)
