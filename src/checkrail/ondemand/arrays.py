"""The states inside an array: which items may come next, for a set of positions of one record or several.

`[` blanks (value blanks (`,` blanks value blanks)*)? `]`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..json_schema.algebra.arrays import ArrayRecord
from .items import Items, items_of
from .positions import Case, Item, PositionsModule, Set
from .structure import CLOSE_ARRAY, OPEN_ARRAY

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["ArrayModule"]


class ArrayModule(PositionsModule[Items]):
    """The arrays of some sets of records; a set is one part."""

    opening, closing = OPEN_ARRAY, CLOSE_ARRAY

    def __init__(self, owner: OnDemand, parts: tuple[tuple[ArrayRecord, ...], ...]) -> None:
        found: list[Items] = []
        part_of: list[int] = []
        for part, records in enumerate(parts):
            for record in records:
                items = items_of(record, owner.schema, "")
                if items is not None:
                    found.append(items)
                    part_of.append(part)
        begin = tuple(Item(i, items.begin) for i, items in enumerate(found))
        super().__init__(owner, found, part_of, len(parts), begin)

    def _cases(self, items: Set) -> list[Case]:
        return [(term, Item(i, after)) for i, p in items for term, after in self.records[i].steps(p)]

    def room_of_parts(self, items: Set) -> int | None:
        """Levels that the least item needs, with all after it; None where no item may come."""
        return min(map(self.room_of_case, self._cases(items)), default=None)

    def lay_part(self, state: int, items: Set, blanks: int, closing: list[tuple[int, int]]) -> None:
        """Make a state: blanks, then an item, or the closing bracket."""
        moves, edges = self.owner.value_edges(self._cases(items), self.after)
        self.owner.lay(state, blanks, moves + closing, edges)
