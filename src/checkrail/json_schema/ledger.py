"""The record kept while a schema is translated: every keyword at every place, and who enforces it.

A place can be reached twice under different types (through a reference, say) and then a keyword may be noted
twice. The weaker promise stands: "checked" over "mask", because part of the language relies on the check;
either over "annotation", because it does constrain something.
"""

from __future__ import annotations

from dataclasses import replace

from ..errors import BudgetError, Error
from ..grammar.coverage import Column, Coverage, CoverageEntry
from ..limits import Limits
from .schema import Place

__all__ = ["EQUAL_ITEMS", "Ledger"]

EQUAL_ITEMS = "arrays with equal items are not written where not, oneOf or if exclude it"

_STRENGTH: dict[Column, int] = {"annotation": 0, "mask": 1, "checked": 2}


class Ledger:
    """Collects coverage entries in the order in which they come up. keeps_notes: False for one that only counts
    places, where nobody asks for the coverage."""

    def __init__(self, limits: Limits, *, keeps_notes: bool = True) -> None:
        self._limits = limits
        self.keeps_notes = keeps_notes
        self._entries: dict[tuple[str, str], CoverageEntry] = {}
        self._visited: dict[str, Place] = {}

    def visit(self, place: Place) -> None:
        """Remember a place, so that `coverage` can tell whether each of its keywords was noted.

        Raises BudgetError where there are too many.
        """
        self._visited[place.pointer] = place
        limit = self._limits.subschemas
        if len(self._visited) > limit:
            raise BudgetError("SCHEMA_BUDGET", pointer=place.pointer, limit=limit, what="subschemas", name="subschemas")

    def note(self, place: Place, keyword: str, column: Column, note: str = "") -> None:
        """Put a keyword of a place into a column."""
        if not self.keeps_notes:
            return
        key = place.pointer, keyword
        known = self._entries.get(key)
        if known is None or _STRENGTH[known.column] < _STRENGTH[column]:
            self._entries[key] = CoverageEntry(place.pointer, keyword, column, note)

    def amend(self, pointer: str, note: str) -> None:
        """Say more about a keyword that was noted. pointer: its own."""
        place, _, keyword = pointer.rpartition("/")
        known = self._entries.get((place, keyword))
        if known is not None:
            self._entries[place, keyword] = replace(known, note=note)

    def coverage(self) -> Coverage:
        """All entries. A visited keyword without one would be silently ignored: an internal error."""
        for place in self._visited.values():
            for keyword in place.keywords:
                if (place.pointer, keyword) not in self._entries:
                    raise Error(
                        "INTERNAL", pointer=place.pointer, what=f"schema keyword {keyword} was not accounted for"
                    )
        return Coverage(tuple(self._entries.values()))
