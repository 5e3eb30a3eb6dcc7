"""What tells languages from one another, whatever automata they have."""

from __future__ import annotations

import hashlib

from checkrail.ondemand.language import Language

__all__ = ["minimal_digest"]


def minimal_digest(language: Language) -> str:
    """A digest of the language itself: of its minimal automaton, states in order of their first visit."""
    order, rows = [0], {}
    seen = {0}
    for state in order:  # grows
        row = language.row(state)
        rows[state] = [row[c] for c in language.class_map]
        for target in rows[state]:
            if target >= 0 and target not in seen:
                seen.add(target)
                order.append(target)
    block = {state: int(language.accepting(state)) for state in order}
    while True:
        signatures = {s: (block[s], *(block[t] if t >= 0 else -1 for t in rows[s])) for s in order}
        numbers = {signature: n for n, signature in enumerate(dict.fromkeys(signatures.values()))}
        if len(numbers) == len(set(block.values())):
            break
        block = {state: numbers[signatures[state]] for state in order}
    table = sorted({(block[s], language.accepting(s), *(block[t] if t >= 0 else -1 for t in rows[s])) for s in order})
    return hashlib.sha256(repr(table).encode()).hexdigest()[:16]
