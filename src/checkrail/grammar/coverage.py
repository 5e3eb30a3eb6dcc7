"""What became of every keyword of a schema: a grammar's record of who enforces what.

Each keyword, at each place, is in exactly one column: in the mask, checked after generation, or an annotation
that constrains nothing. What can be in no column is refused when the grammar is made, so "ignored" is not one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

__all__ = ["Column", "Coverage", "CoverageEntry"]

Column = Literal["mask", "checked", "annotation"]


@dataclass(frozen=True, slots=True, order=True)
class CoverageEntry:
    """One keyword at one place (`pointer` is the JSON pointer of the schema that holds it)."""

    pointer: str
    keyword: str
    column: Column
    note: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """All entries, in the order of the schema's walk."""

    entries: tuple[CoverageEntry, ...] = ()

    def __iter__(self) -> Iterator[CoverageEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def column(self, name: Column) -> tuple[CoverageEntry, ...]:
        """The entries of one column."""
        return tuple(e for e in self.entries if e.column == name)
