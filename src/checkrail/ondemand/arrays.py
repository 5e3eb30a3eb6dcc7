"""The states inside an array: which items may come next, for a set of positions of one record or several.

`[` blanks (value blanks (`,` blanks value blanks)*)? `]`
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..json_schema.algebra.arrays import ArrayRecord
from ..json_schema.algebra.different import must_differ
from ..json_schema.algebra.objects import ObjectRecord
from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.texts import ALL_TEXTS
from .items import Items, items_of
from .kinds import Kind, Starts
from .module import Module
from .noted import ENDLESS_ITEMS, FREE_ITEMS, ITEMS, OPEN_ITEMS, Unit, listed_items
from .positions import Case, Item, PositionsModule, Set
from .structure import CLOSE_ARRAY, OPEN_ARRAY, OPEN_OBJECT, QUOTE

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["array_module"]

_FAR = 2**30  # items: no text comes to them


class ArrayModule(PositionsModule[Items]):
    """The arrays of some records."""

    opening, closing = OPEN_ARRAY, CLOSE_ARRAY

    def __init__(self, owner: OnDemand, records: list[Items], part_of: list[int], parts: int) -> None:
        self._listed: dict[tuple[Any, ...], Unit] = {}
        begin = tuple(Item(i, items.begin) for i, items in enumerate(records))
        super().__init__(owner, records, part_of, parts, begin)

    def _only(self, kept: list[int]) -> Module:
        return ArrayModule(self.owner, [self.records[i] for i in kept], [self._part_of[i] for i in kept], self._parts)

    def _cases(self, items: Set) -> list[Case]:
        return [(term, Item(i, after)) for i, p in items for term, after in self.records[i].steps(p)]

    def room_of_parts(self, items: Set) -> int | None:
        """Levels that the least item needs, with all after it; None where no item may come."""
        return min(map(self.room_of_case, self._cases(items)), default=None)

    def lay_part(self, state: int, items: Set, blanks: int, closing: list[tuple[int, int]]) -> None:
        """Make a state: blanks, then an item, or the closing bracket."""
        unit_of = self._unit if any(items.noted for items in self.records) else None
        moves, edges = self.owner.value_edges(self._cases(items), self.after, self.room_after, unit_of)
        self.owner.lay(state, blanks, moves + closing, edges)

    def _unit(self, kind: Kind) -> Unit | None:
        """What to note a value with. Where only some of the records that it may be an item of ask for items that
        differ, all do: none of them is wrong then."""
        numbers = {item.number for items in kind.items for item in items if isinstance(item, Item)}
        if not any(self.records[number].noted for number in numbers):
            return None
        if kind.letter == QUOTE and all(part.members is not None for part in kind.parts):
            known = self._listed.get(kind.parts)
            if known is None:
                known = self._listed[kind.parts] = listed_items(text for part in kind.parts for text in part.members)
            return known
        if kind.letter == OPEN_OBJECT and all(self._is_open(record) for part in kind.parts for record in part):
            return OPEN_ITEMS
        if all(self.records[number].free for number in numbers):
            return FREE_ITEMS
        return ENDLESS_ITEMS if all(self.records[number].endless for number in numbers) else ITEMS

    def _is_open(self, record: ObjectRecord) -> bool:
        """Whether objects may always have one more member, with any key and, as one of its values, a scalar."""
        if record.maximum is not None or len(record.others) != 1 or record.others[0].keys != ALL_TEXTS:
            return False
        value = record.others[0].value
        return value is None or self.owner.room(value) == 0


class ListModule(Module):
    """The arrays of one record in which nothing is counted but the items, and none must differ: most arrays.

    Its states are made by `_tables.ListStates`.
    """

    def __init__(self, owner: OnDemand, record: ArrayRecord) -> None:
        self._owner = owner
        self._terms = [*record.prefix, record.item(len(record.prefix), owner.schema.normalizer.terms)]
        rooms = list(map(owner.room, self._terms))
        most = rooms.index(INFINITE) if INFINITE in rooms else None
        if most is None or (record.maximum is not None and record.maximum < most):
            most = record.maximum
        if most is not None and record.minimum > most:
            needed = [INFINITE]
        else:
            needed = rooms if record.minimum >= len(rooms) else [*rooms[: record.minimum], 0]
            if len(needed) > 1:
                needed = list(accumulate(reversed(needed), max))[::-1]
        minimum, maximum = min(record.minimum, _FAR), -1 if most is None else min(most, _FAR)
        last = min(max(len(record.prefix), record.minimum, record.maximum or 0), _FAR)
        states = owner.made_by.ListStates(
            owner.made, self._starts, needed, rooms, minimum, maximum, last,
            (owner.blanks.padding, owner.blanks.after_comma),
        )  # fmt: skip
        super().__init__(states.start)

    def _starts(self, position: int) -> Starts:
        """What the item at a position may be."""
        return self._owner.starts(self._terms[min(position, len(self._terms) - 1)])


def array_module(owner: OnDemand, parts: tuple[tuple[ArrayRecord, ...], ...]) -> Module:
    """The module of some sets of array records, each of them one part."""
    first = parts[0][0]
    if len(parts) == len(parts[0]) == 1 and not (
        first.contains or first.repeats or must_differ(first, owner.schema.normalizer)
    ):
        return ListModule(owner, first)
    found: list[Items] = []
    part_of: list[int] = []
    for part, records in enumerate(parts):
        for record in records:
            items = items_of(record, owner.schema, "")
            if items is not None:
                found.append(items)
                part_of.append(part)
    return ArrayModule(owner, found, part_of, len(parts))
