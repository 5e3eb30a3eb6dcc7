"""Which parts of a call's arguments were copied from text that others wrote.

A model that read a mail may put a sentence, an address or a path of that mail into the arguments of a tool (the
confused deputy). That can be what the user wants. So it is shown, and the person decides: each run of twelve characters
or more that also stands in such a text is marked, with its source.

Runs are compared as they are: a copy that was translated, split up, or is shorter than twelve characters has no mark.
No mark therefore does not mean that the model thought of the value itself.

Every window of twelve characters of the arguments is put into a table, and the texts are walked over once: O(texts +
sources x arguments), however often things repeat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .taint import strings

__all__ = ["SHORTEST", "Mark", "marks"]

SHORTEST = 12


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of the text at `pointer`, `[start, end)` in code points, was copied from `source`, whole or in pieces."""

    pointer: str
    start: int
    end: int
    text: str = field(repr=False)
    source: str


def marks(arguments: Any, texts: Iterable[tuple[str, str]]) -> tuple[Mark, ...]:
    """The copied parts of arguments, by source. texts: with their sources.

    >>> [mark.text for mark in marks({"to": "bob@evil.example"}, [("doc:mail", "write to bob@evil.example now")])]
    ['bob@evil.example']
    """
    values = list(strings(arguments))
    places: dict[str, list[tuple[int, int]]] = {}  # by window: the value and the offset
    for index, (_, value) in enumerate(values):
        for at in range(len(value) - SHORTEST + 1):
            places.setdefault(value[at : at + SHORTEST], []).append((index, at))
    found: dict[str, set[str]] = {}
    for source, text in texts:
        windows = found.setdefault(source, set())
        windows.update(w for at in range(len(text) - SHORTEST + 1) if (w := text[at : at + SHORTEST]) in places)
    return tuple(
        Mark(values[index][0], start, end, values[index][1][start:end], source)
        for source, windows in found.items()
        for index, start, end in _runs(sorted(place for window in windows for place in places[window]))
    )


def _runs(windows: Iterable[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Windows that follow one another or overlap, as one: the value, its start and its end."""
    runs: list[tuple[int, int, int]] = []
    for index, at in windows:
        if runs and runs[-1][0] == index and at <= runs[-1][2]:
            runs[-1] = (index, runs[-1][1], at + SHORTEST)
        else:
            runs.append((index, at, at + SHORTEST))
    return runs
