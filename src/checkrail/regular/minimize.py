"""Minimization: Hopcroft's partition refinement (Hopcroft 1971) for partial automata, O(m log n).

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
    count = len(dfa)
    before: list[list[tuple[int, int]]] = [[] for _ in range(count)]  # (letter, source)
    for source, row in enumerate(dfa.moves):
        for letter, target in row.items():
            before[target].append((letter, source))
    blocks: list[set[int]] = []
    block_of = [0] * count
    first: dict[tuple[int, tuple[int, ...]], int] = {}
    for state in range(count):
        # Starting from (accepting, letters that have a move) saves the rounds that would find the same.
        key = (dfa.accepting[state], tuple(dfa.moves[state]))
        block = first.setdefault(key, len(blocks))
        if block == len(blocks):
            blocks.append(set())
        blocks[block].add(state)
        block_of[state] = block
    waiting = set(range(len(blocks)))
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
                new = len(blocks)
                moved = set(members)
                whole -= moved
                blocks.append(moved)
                for state in moved:
                    block_of[state] = new
                if block in waiting or len(moved) <= len(whole):
                    waiting.add(new)
                else:
                    waiting.add(block)
    return block_of
