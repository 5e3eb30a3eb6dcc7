"""A nondeterministic finite automaton under construction: epsilon moves, ranges of integers, symbols.

The integers are code points or bytes, as the builder chooses. Symbols are any hashable values that stand for
one indivisible step (a call of a module, a vocabulary token). Mutable while it is built; `determinize` reads it.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..errors import BudgetError
from .partition import Ranges

__all__ = ["Nfa"]


class Nfa:
    """States are numbered from 0. `limit` bounds their number (GRAMMAR_BUDGET_STATES beyond it); before: states of
    other automata that it bounds as well."""

    __slots__ = ("_before", "edges", "epsilon", "limit", "symbols")

    def __init__(self, limit: int, before: int = 0) -> None:
        self.limit = limit
        self._before = before
        self.epsilon: list[list[int]] = []
        self.edges: list[list[tuple[Ranges, int]]] = []
        self.symbols: list[list[tuple[Hashable, int]]] = []

    def __len__(self) -> int:
        return len(self.epsilon)

    def __repr__(self) -> str:
        moves = sum(map(len, self.epsilon)) + sum(map(len, self.edges)) + sum(map(len, self.symbols))
        return f"<Nfa {len(self)} states, {moves} moves>"

    def state(self) -> int:
        """A new state."""
        if len(self.epsilon) + self._before >= self.limit:
            raise self.too_many(1)
        self.epsilon.append([])
        self.edges.append([])
        self.symbols.append([])
        return len(self.epsilon) - 1

    def too_many(self, more: int) -> BudgetError:
        """The error where that many further states are too many."""
        return BudgetError("GRAMMAR_BUDGET_STATES", limit=self.limit, reached=len(self) + self._before + more)

    def link(self, source: int, target: int) -> None:
        """An epsilon move."""
        self.epsilon[source].append(target)

    def edge(self, source: int, ranges: Ranges, target: int) -> None:
        """A move on any value in the ranges."""
        self.edges[source].append((ranges, target))

    def symbol(self, source: int, symbol: Hashable, target: int) -> None:
        """A move on a symbol."""
        self.symbols[source].append((symbol, target))

    def closure(self, state: int) -> list[int]:
        """The states that epsilon moves reach from `state`, itself included."""
        seen = {state}
        order = [state]
        for s in order:
            for t in self.epsilon[s]:
                if t not in seen:
                    seen.add(t)
                    order.append(t)
        return order
