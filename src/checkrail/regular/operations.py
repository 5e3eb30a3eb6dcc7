"""Boolean algebra on automata over code points: intersection, union, difference, complement.

Products are built from the start, pair by pair, so only reachable pairs exist; their number is bounded by
`limits.states`, their moves as those of `determinize`. The dead end of a partial automaton takes part as the state -1.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import BudgetError
from ..limits import Limits
from ..watch import UNWATCHED, Watch
from .determinize import WORK_PER_STATE
from .dfa import Dfa
from .minimize import minimize
from .partition import Partition, Ranges

__all__ = ["complement", "difference", "intersect", "is_subset", "union"]

_SCALARS: Ranges = ((0x0, 0xD7FF), (0xE000, 0x10FFFF))


def _product(
    a: Dfa,
    b: Dfa,
    accept: Callable[[bool, bool], bool],
    limits: Limits,
    universe: Ranges | None,
    watch: Watch,
) -> Dfa:
    labels = [*a.partition.ranges_by_letter(), *b.partition.ranges_by_letter()]
    if universe is not None:
        labels.append(universe)
    partition = Partition.of(labels)
    samples = [ranges[0][0] for ranges in partition.ranges_by_letter()]
    columns = [(letter, a.partition.letter(v), b.partition.letter(v)) for letter, v in enumerate(samples)]
    if universe is not None:
        inside = set(partition.letters_of(universe))
        columns = [c for c in columns if c[0] in inside]
    numbers = {(0, 0): 0}
    pairs = [(0, 0)]
    moves: list[dict[int, int]] = []
    # What can still be accepted once the right side, the left side or both have died.
    keep_dead = accept(False, False)
    keep_left = accept(True, False) or keep_dead
    keep_right = accept(False, True) or keep_dead
    work_left = most_work = WORK_PER_STATE * limits.states
    for p, q in pairs:
        work_left -= len(columns)
        watch.spend(len(columns))
        if work_left < 0:
            raise BudgetError("GRAMMAR_BUDGET_TRANSITIONS", limit=most_work, reached=most_work - work_left)
        row: dict[int, int] = {}
        left = a.moves[p] if p >= 0 else {}
        right = b.moves[q] if q >= 0 else {}
        for letter, la, lb in columns:
            pair = (left.get(la, -1), right.get(lb, -1))
            if (
                (pair[1] < 0 and pair[0] >= 0 and not keep_left)
                or (pair[0] < 0 and pair[1] >= 0 and not keep_right)
                or (pair == (-1, -1) and not keep_dead)
            ):
                continue  # nothing that follows can be accepted
            number = numbers.get(pair)
            if number is None:
                number = numbers[pair] = len(pairs)
                pairs.append(pair)
                if len(pairs) > limits.states:
                    raise BudgetError("GRAMMAR_BUDGET_STATES", limit=limits.states, reached=len(pairs))
            row[letter] = number
        moves.append(row)
    accepting = bytes(accept(p >= 0 and bool(a.accepting[p]), q >= 0 and bool(b.accepting[q])) for p, q in pairs)
    return minimize(Dfa(partition, (), tuple(moves), accepting), watch=watch)


def intersect(a: Dfa, b: Dfa, limits: Limits, watch: Watch = UNWATCHED) -> Dfa:
    """What both accept."""
    return _product(a, b, lambda x, y: x and y, limits, None, watch)


def union(a: Dfa, b: Dfa, limits: Limits, watch: Watch = UNWATCHED) -> Dfa:
    """What either accepts."""
    return _product(a, b, lambda x, y: x or y, limits, None, watch)


def difference(a: Dfa, b: Dfa, limits: Limits, watch: Watch = UNWATCHED) -> Dfa:
    """What `a` accepts and `b` does not."""
    return _product(a, b, lambda x, y: x and not y, limits, None, watch)


def complement(a: Dfa, limits: Limits, watch: Watch = UNWATCHED) -> Dfa:
    """Every string of Unicode scalar values that `a` does not accept."""
    nothing = Dfa(Partition.of(()), (), ({},), b"\0")
    return _product(a, nothing, lambda x, _: not x, limits, _SCALARS, watch)


def is_subset(a: Dfa, b: Dfa, limits: Limits) -> bool:
    """Whether `b` accepts all that `a` accepts."""
    return difference(a, b, limits).is_empty()
