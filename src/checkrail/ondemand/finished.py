"""From a language made on demand to its minimal automaton in tables: for the few that every schema has."""

from __future__ import annotations

import hashlib
from array import array

from .language import FinishedLanguage, OnDemandLanguage

__all__ = ["finished"]


def finished(language: OnDemandLanguage) -> FinishedLanguage:
    """All states, made, and equal ones joined by rounds of refinement (Moore 1956); for small languages."""
    rows = [list(language.row(0))]
    while len(rows) < len(language):
        rows.append(list(language.row(len(rows))))
    block = [int(language.accepting(state)) for state in range(len(rows))]
    while True:
        numbers: dict[tuple[int, ...], int] = {}
        signatures = [(b, *(block[t] if t >= 0 else -1 for t in row)) for b, row in zip(block, rows, strict=True)]
        refined = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if len(numbers) == len(set(block)):
            break
        block = refined
    first: dict[int, int] = {}
    for state, number in enumerate(refined):
        first.setdefault(number, state)
    order = list(first.values())
    columns: dict[tuple[int, ...], int] = {}
    classes = [
        columns.setdefault(tuple(refined[rows[s][c]] if rows[s][c] >= 0 else -1 for s in order), len(columns))
        for c in range(language.width)
    ]
    class_map = bytes([classes[c] for c in language.class_map])
    table = array("i", [column[i] for i in range(len(order)) for column in columns])
    accepts = bytes(language.accepting(state) for state in order)
    digest = hashlib.sha256(class_map + accepts)
    digest.update(",".join(map(str, table)).encode())
    names = [language.name_of(state) for state in order]
    runs = [language.plain_run(state) for state in order]
    return FinishedLanguage(class_map, len(columns), table, accepts, digest.digest(), names, runs)
