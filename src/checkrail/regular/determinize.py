"""Subset construction (Rabin and Scott 1959): from an NFA to the DFA of its reachable subsets.

Subsets keep only states that have a move or accept. The worst case is exponential in the NFA, so the number of
subsets is bounded by `limits.states` and the members of subsets and closures that are looked at by a multiple of it;
beyond, the grammar is refused. That bounds the memory as well, which these members are most of.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..errors import BudgetError
from ..limits import Limits
from ..watch import UNWATCHED, Watch
from .dfa import Dfa
from .nfa import Nfa
from .partition import Partition

__all__ = ["WORK_PER_STATE", "determinize"]

WORK_PER_STATE = 64  # members of subsets that may be looked at, for each state of the budget


def determinize(nfa: Nfa, start: int, accept: int, limits: Limits, watch: Watch = UNWATCHED) -> Dfa:
    """The DFA of the words that lead from `start` to `accept`."""
    partition = Partition.of(label for edges in nfa.edges for label, _ in edges)
    symbols: dict[Hashable, int] = {}
    letters_of_label: dict[object, tuple[int, ...]] = {}
    moves: list[list[tuple[tuple[int, ...], int]]] = []
    for edges, calls in zip(nfa.edges, nfa.symbols, strict=True):
        row: list[tuple[tuple[int, ...], int]] = []
        for label, target in edges:
            letters = letters_of_label.get(label)
            if letters is None:
                letters = letters_of_label[label] = partition.letters_of(label)
            row.append((letters, target))
        for symbol, target in calls:
            row.append(((symbols.setdefault(symbol, partition.width + len(symbols)),), target))
        moves.append(row)

    closures: dict[int, frozenset[int]] = {}
    most_work = work_left = WORK_PER_STATE * limits.states
    watch.spend(len(moves))

    def closure(state: int) -> frozenset[int]:
        nonlocal work_left
        found = closures.get(state)
        if found is None:
            reached = nfa.closure(state) if nfa.epsilon[state] else [state]
            work_left -= len(reached)
            watch.spend(len(reached))
            if work_left < 0:
                raise BudgetError("GRAMMAR_BUDGET_STATES", limit=most_work, reached=most_work - work_left)
            found = closures[state] = frozenset(s for s in reached if moves[s] or s == accept)
        return found

    initial = closure(start)
    numbers: dict[frozenset[int], int] = {initial: 0}
    subsets = [initial]
    rows: list[dict[int, int]] = []
    transitions = 0
    for subset in subsets:
        targets: dict[int, list[frozenset[int]]] = {}
        before = work_left
        for state in subset:
            for letters, target in moves[state]:
                reached = closure(target)
                work_left -= len(letters) * len(reached)
                for letter in letters:
                    parts = targets.get(letter)
                    if parts is None:
                        targets[letter] = [reached]
                    elif parts[-1] is not reached:
                        parts.append(reached)
        watch.spend(before - work_left)
        if work_left < 0:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=most_work, reached=most_work - work_left)
        row_now: dict[int, int] = {}
        for letter, parts in targets.items():
            target_set = parts[0] if len(parts) == 1 else frozenset().union(*parts)
            number = numbers.get(target_set)
            if number is None:
                if not target_set:
                    continue  # a state with nothing after it that does not accept
                number = numbers[target_set] = len(subsets)
                subsets.append(target_set)
            row_now[letter] = number
        transitions += len(row_now)
        rows.append(row_now)
        if len(subsets) > limits.states:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=limits.states, reached=len(subsets))
        if transitions > limits.transitions * 4:
            # Minimization may still merge; what remains is held against the exact bound afterwards.
            raise BudgetError("GRAMMAR_BUDGET_TRANSITIONS", limit=limits.transitions, reached=transitions)
    return Dfa(partition, tuple(symbols), tuple(rows), bytes(accept in subset for subset in subsets))
