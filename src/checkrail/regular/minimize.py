"""Minimization: Hopcroft's partition refinement (Hopcroft 1971) for partial automata, O(m log n); by hashing, in linear
time, for the states from which no cycle is reached.

Splitting by predecessors over existing moves only (as Valmari and Lehtinen 2008 do) leaves out the sink that a
complete automaton would need. Dead and unreachable states are trimmed first: on a trimmed automaton a missing
move and a move to a dead state are the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..watch import UNWATCHED, Watch
from .dfa import Dfa

__all__ = ["minimize", "trim"]


def trim(dfa: Dfa, alive: Sequence[bool] | None = None) -> Dfa:
    """Without the states that cannot be reached or cannot accept (or are not `alive`), numbered breadth first.

    The start state stays, even when the language is empty.
    """
    keep = _alive(dfa) if alive is None else alive
    order = [0]
    number = {0: 0}
    for state in order:
        for letter in sorted(dfa.moves[state]):
            target = dfa.moves[state][letter]
            if keep[target] and target not in number:
                number[target] = len(order)
                order.append(target)
    moves = tuple({a: number[t] for a, t in sorted(dfa.moves[s].items()) if t in number and keep[t]} for s in order)
    return Dfa(dfa.partition, dfa.symbols, moves, bytes(dfa.accepting[s] for s in order))


def _alive(dfa: Dfa) -> list[bool]:
    before: list[list[int]] = [[] for _ in dfa.moves]
    for state, row in enumerate(dfa.moves):
        for target in row.values():
            before[target].append(state)
    alive = [bool(a) for a in dfa.accepting]
    queue = [s for s, a in enumerate(alive) if a]
    for state in queue:
        for source in before[state]:
            if not alive[source]:
                alive[source] = True
                queue.append(source)
    return alive


def minimize(dfa: Dfa, alive: Sequence[bool] | None = None, watch: Watch = UNWATCHED) -> Dfa:
    """The smallest automaton of the same language, numbered breadth first: equal languages over equal partitions
    give equal results."""
    watch.spend(len(dfa))
    dfa = trim(dfa, alive)
    block_of = _refine(dfa, watch)
    representative: dict[int, int] = {}
    for state, block in enumerate(block_of):
        representative.setdefault(block, state)
    number = {block: i for i, block in enumerate(representative)}
    moves = tuple(
        {letter: number[block_of[target]] for letter, target in dfa.moves[state].items()}
        for state in representative.values()
    )
    merged = Dfa(dfa.partition, dfa.symbols, moves, bytes(dfa.accepting[s] for s in representative.values()))
    return trim(merged, [True] * len(merged))


def _refine(dfa: Dfa, watch: Watch) -> list[int]:
    """For each state the number of its equivalence class."""
    block_of, classes = _settled(dfa, watch)
    rest = [state for state, block in enumerate(block_of) if block < 0]
    if not rest:
        return block_of
    before: dict[int, list[tuple[int, int]]] = {state: [] for state in rest}  # (letter, source)
    for source in rest:
        for letter, target in dfa.moves[source].items():
            if block_of[target] < 0:
                before[target].append((letter, source))
    blocks: dict[int, set[int]] = {}
    first: dict[tuple[int, tuple[int, ...], tuple[int, ...]], int] = {}
    keys = []
    for state in rest:
        # Starting from what is known of the moves saves the rounds that would find the same.
        row = dfa.moves[state]
        keys.append((dfa.accepting[state], tuple(row), tuple([block_of[target] for target in row.values()])))
    for state, key in zip(rest, keys, strict=True):
        block = block_of[state] = first.setdefault(key, classes + len(first))
        blocks.setdefault(block, set()).add(state)
    waiting = set(blocks)
    while waiting:
        splitter = waiting.pop()
        sources_by_letter: dict[int, list[int]] = {}
        for state in blocks[splitter]:
            for letter, source in before[state]:
                sources_by_letter.setdefault(letter, []).append(source)
        for sources in sources_by_letter.values():
            watch.spend(len(sources))
            hit: dict[int, list[int]] = {}
            for source in sources:
                hit.setdefault(block_of[source], []).append(source)
            for block, members in hit.items():
                whole = blocks[block]
                if len(members) == len(whole):
                    continue
                new = classes + len(blocks)
                moved = set(members)
                whole -= moved
                blocks[new] = moved
                for state in moved:
                    block_of[state] = new
                if block in waiting or len(moved) <= len(whole):
                    waiting.add(new)
                else:
                    waiting.add(block)
    return block_of


def _settled(dfa: Dfa, watch: Watch) -> tuple[list[int], int]:
    """The classes of the states from which no cycle is reached, -1 for the others; and how many classes there are.

    Going back from the last states, two are equal where their moves lead to equal ones (Revuz 1992). The modules of
    objects with no loop in them, which most are, are done with this.
    """
    count = len(dfa)
    before: list[list[int]] = [[] for _ in range(count)]
    left = [len(row) for row in dfa.moves]
    for source, row in enumerate(dfa.moves):
        for target in row.values():
            before[target].append(source)
    class_of = [-1] * count
    known: dict[tuple[int, tuple[int, ...], tuple[int, ...]], int] = {}
    queue = [state for state in range(count) if not left[state]]
    for state in queue:
        row = dfa.moves[state]
        watch.spend(len(row))
        key = dfa.accepting[state], tuple(row), tuple([class_of[target] for target in row.values()])
        class_of[state] = known.setdefault(key, len(known))
        for source in before[state]:
            left[source] -= 1
            if not left[source]:
                queue.append(source)
    return class_of, len(known)
