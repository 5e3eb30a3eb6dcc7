"""The states inside an array: which items may come next, for a set of positions of one record or several.

`[` blanks (value blanks (`,` blanks value blanks)*)? `]`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..json_schema.algebra.arrays import ArrayRecord
from ..json_schema.algebra.profile import INFINITE
from ..json_schema.algebra.terms import Term
from .items import ArrayPosition, Items, items_of
from .module import Module, Outcomes
from .structure import BLANK, CLOSE_ARRAY, COMMA, OPEN_ARRAY, SPACE, WIDTH

if TYPE_CHECKING:
    from .automaton import OnDemand

__all__ = ["ArrayModule"]

_MOST_OUTCOMES = 64


class Item(NamedTuple):
    """A position in one of the records. number: of the record."""

    number: int
    position: ArrayPosition


Set: TypeAlias = tuple[Item, ...]


class ArrayModule(Module):
    """The arrays of some sets of records; a set is one part."""

    def __init__(self, owner: OnDemand, parts: tuple[tuple[ArrayRecord, ...], ...]) -> None:
        self._owner = owner
        self._tables = owner.tables
        self._records: list[Items] = []
        self._part_of: list[int] = []
        for part, records in enumerate(parts):
            for record in records:
                items = items_of(record, owner.schema, "")
                if items is not None:
                    self._records.append(items)
                    self._part_of.append(part)
        self.outcomes = Outcomes(_MOST_OUTCOMES) if len(parts) > 1 else None
        self._after: dict[frozenset[Item], int] = {}
        begin = tuple(Item(i, items.begin) for i, items in enumerate(self._records))
        self.start = owner.ahead(owner.new_state(self._room(begin), self._make_start, begin))

    def _room(self, items: Set) -> int:
        return min((self._records[i].room(p) for i, p in items), default=INFINITE)

    def _cases(self, items: Set) -> list[tuple[Term, Item]]:
        return [(term, Item(i, after)) for i, p in items for term, after in self._records[i].steps(p)]

    def _room_of_cases(self, cases: list[tuple[Term, Item]]) -> int:
        return min(
            (max(self._owner.room(term), self._records[item.number].room(item.position)) for term, item in cases),
            default=INFINITE,
        )

    def _closing(self, items: Set) -> list[int]:
        return [i for i, p in items if self._records[i].may_close(p)]

    def _end(self, closing: list[int]) -> int:
        if self.outcomes is None:
            return self._owner.end()
        return self._owner.end(self.outcomes.number(tuple(sorted({self._part_of[i] for i in closing}))))

    def _make_start(self, state: int, begin: Set) -> None:
        inside = self._owner.ahead(self._owner.new_state(self._room(begin), self._make_inside, begin))
        row = self._tables.add_row(WIDTH, -1)
        self._tables.put(row + OPEN_ARRAY, inside)
        self._tables.expand(state, row, self._owner.class_map, 0, 0, 0)

    def _make_inside(self, state: int, begin: Set) -> None:
        """After the opening bracket."""
        self._lay_value(state, begin, self._owner.blanks.padding, closes=True)

    def _make_comma(self, state: int, items: Set) -> None:
        self._lay_value(state, items, self._owner.blanks.after_comma, closes=False)

    def _lay_value(self, state: int, items: Set, blanks: int, *, closes: bool) -> None:
        """Blanks, then an item, or the closing bracket."""
        owner, tables = self._owner, self._tables
        first, count, entries = owner.value_edges(self._cases(items), self.after)
        row = tables.add_row(WIDTH, -1)
        for letter, code in entries:
            tables.put(row + letter, code)
        closing = self._closing(items) if closes else []
        if closing:
            tables.put(row + CLOSE_ARRAY, self._end(closing))
        kind = 4 if count == 1 and not closing else 0
        tables.lay(state, row, WIDTH, owner.class_map, kind, first, count, SPACE, BLANK, blanks)

    def after(self, items: Set) -> int:
        """The state after an item, for a set of positions."""
        key = frozenset(items)
        known = self._after.get(key)
        if known is None:
            room = 0 if self._closing(items) else self._room(items)
            known = self._owner.new_state(room, self._make_after, tuple(dict.fromkeys(items)))
            self._after[key] = self._owner.ahead(known)
        return known

    def _make_after(self, state: int, items: Set) -> None:
        owner, tables = self._owner, self._tables
        row = tables.add_row(WIDTH, -1)
        closing = self._closing(items)
        if closing:
            tables.put(row + CLOSE_ARRAY, self._end(closing))
        cases = self._cases(items)
        if cases:
            comma = owner.ahead(owner.new_state(self._room_of_cases(cases), self._make_comma, items))
            tables.put(row + COMMA, comma)
        tables.lay(state, row, WIDTH, owner.class_map, 0, 0, 0, SPACE, BLANK, owner.blanks.padding)
