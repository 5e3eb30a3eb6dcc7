"""The automaton of one terminal, over bytes.

Patterns are over characters; their automata here are over the bytes of UTF-8, since tokens end anywhere. Minimal and
trimmed, so a terminal that is alive after some bytes has a word that begins with them.
"""

from __future__ import annotations

from functools import partial

from ..errors import GrammarError
from ..grammar.expression import Expression
from ..limits import Limits
from ..regular.compile import compile_regular
from ..regular.determinize import determinize
from ..regular.dfa import Dfa
from ..regular.minimize import minimize
from ..regular.nfa import Nfa
from ..regular.thompson import Builder
from ..watch import UNWATCHED, Watch

__all__ = ["byte_dfa", "shortest_word", "terminal_dfa"]

_NFA_STATES_PER_STATE = 8  # an NFA may be this many times larger than the automaton it becomes


def byte_dfa(pattern: Expression, limits: Limits, watch: Watch = UNWATCHED) -> Dfa:
    """The minimal automaton of a regular expression, over bytes. Raises BudgetError, GrammarError."""
    nfa = Nfa(limits.states * _NFA_STATES_PER_STATE)
    start, accept = nfa.state(), nfa.state()
    regular = partial(compile_regular, limits=limits, watch=watch)
    Builder(nfa, over_bytes=True, regular=regular, watch=watch).connect(pattern, start, accept)
    return minimize(determinize(nfa, start, accept, limits, watch), watch=watch)


def terminal_dfa(name: str, pattern: Expression, limits: Limits, watch: Watch = UNWATCHED) -> Dfa:
    """The same for a terminal, which must not hold the empty text: GrammarError GRAMMAR_EMPTY_TERMINAL."""
    dfa = byte_dfa(pattern, limits, watch)
    if dfa.accepting[0]:
        raise GrammarError("GRAMMAR_EMPTY_TERMINAL", rule=name)
    return dfa


def shortest_word(dfa: Dfa) -> int | None:
    """The bytes of a shortest word, None where there is no word."""
    distance = {0: 0}
    queue = [0]
    for state in queue:
        if dfa.accepting[state]:
            return distance[state]
        for target in dfa.moves[state].values():
            if target not in distance:
                distance[target] = distance[state] + 1
                queue.append(target)
    return None
