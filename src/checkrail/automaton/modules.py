"""The values that the compiler's phases exchange: modules and the symbols on their edges.

A module is the unit of recursion: an automaton over bytes whose states can also call modules. Module 0 is the
entry. A call symbol carries its weight, the levels of nesting it adds.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..regular.dfa import Dfa
from ..regular.nfa import Nfa
from .standalone import Standalone

__all__ = ["Call", "ModuleDfa", "ModuleNfa", "TokenEdge"]


@dataclass(frozen=True, slots=True)
class Call:
    """Read one word of `module`, then go on. weight: levels of nesting that this adds."""

    module: int
    weight: int


@dataclass(frozen=True, slots=True)
class TokenEdge:
    """Read one token of the vocabulary, by id or by text; negated: any one token but this."""

    token: int | str
    negated: bool


@dataclass(slots=True)
class ModuleNfa:
    """A module before determinization: the words from `start` to `accept`.

    ready: its automaton, where that is known already; the NFA then only tells whether the module may be empty.
    """

    name: str
    nfa: Nfa
    start: int
    accept: int
    ready: Standalone | None = None


@dataclass(frozen=True, slots=True)
class ModuleDfa:
    """A module as a deterministic automaton over bytes, calls and token edges; state 0 is its start.

    ready: the same, where it calls nothing and was compiled by itself: minimal, without dead states.
    """

    name: str
    dfa: Dfa
    ready: Standalone | None = None

    def calls(self, state: int) -> list[tuple[Call, int]]:
        """The calls of a state, each with the state to return to."""
        width = self.dfa.partition.width
        found: list[tuple[Call, int]] = []
        for letter, target in self.dfa.moves[state].items():
            if letter >= width:
                symbol = self.dfa.symbols[letter - width]
                if isinstance(symbol, Call):
                    found.append((symbol, target))
        return found

    def token_edges(self, state: int) -> list[tuple[TokenEdge, int]]:
        """The token edges of a state."""
        width = self.dfa.partition.width
        found: list[tuple[TokenEdge, int]] = []
        for letter, target in self.dfa.moves[state].items():
            if letter >= width:
                symbol = self.dfa.symbols[letter - width]
                if isinstance(symbol, TokenEdge):
                    found.append((symbol, target))
        return found

    def byte_moves(self, state: int) -> list[tuple[int, int]]:
        """The (letter, target) moves on bytes."""
        width = self.dfa.partition.width
        return [(letter, target) for letter, target in self.dfa.moves[state].items() if letter < width]

    def is_pure_return(self, state: int) -> bool:
        """Whether a state can do nothing but return: a call that leads here is a tail call."""
        return bool(self.dfa.accepting[state]) and not self.dfa.moves[state]
