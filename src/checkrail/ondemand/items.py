"""What may come next inside an array, as a record of the schema says it: positions and the steps between them.

The rules are those of `json_schema.algebra.lower_arrays`, which says the same as expressions.
"""

from __future__ import annotations

from typing import NamedTuple

from ..json_schema.algebra.arrays import ArrayRecord
from ..json_schema.algebra.cases import split_item
from ..json_schema.algebra.counted import too_many_states
from ..json_schema.algebra.different import is_listed, listed, must_differ, without_needless_maximum
from ..json_schema.algebra.profile import INFINITE, OpenSchema
from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.texts import ALL_TEXTS
from ..json_schema.algebra.values import Values
from .rooms import least_rooms

__all__ = ["ArrayPosition", "Items", "items_of"]


class ArrayPosition(NamedTuple):
    """position: items so far, as far as it matters. counts: for each `contains`. written: the items that must not
    come again, where items must differ."""

    position: int
    counts: tuple[int, ...] = ()
    written: frozenset[Term] = frozenset()


class Items:
    """One record.

    noted: whether items must differ that are not few: what was written is no part of positions then, a text notes it.
    free: whether that is so, and the items are all strings. endless: whether that is so, and numbers without end are
    among the items, wherever one may come.
    """

    def __init__(self, record: ArrayRecord, schema: OpenSchema, pointer: str) -> None:
        self._record = record = without_needless_maximum(record, schema.normalizer)
        self._schema = schema
        self._pointer = pointer
        differ = must_differ(record, schema.normalizer)
        self._unique = differ and is_listed(record, schema.normalizer)
        self.noted = differ and not self._unique
        self.free = self.noted and not record.prefix and self._is_strings(record)
        self.endless = self.noted and not record.prefix and self._has_endless_numbers(record)
        self.begin = ArrayPosition(0, (0,) * len(record.contains))
        marks = [len(record.prefix), record.minimum, record.maximum or 0, *(c.start for c in record.contains)]
        self._last = max(marks)
        self._steps: dict[ArrayPosition, list[tuple[Term, ArrayPosition]]] = {}
        self._rooms: dict[ArrayPosition, int] = {}
        # Where only a length and a prefix matter, what lies ahead is known from the position alone.
        self._simple = not (record.contains or self._unique)
        self._most = self._longest() if self._simple else None

    def _longest(self) -> int | None:
        """The most items that there can be; None: no end."""
        record, room = self._record, self._schema.room
        for i, term in enumerate(record.prefix[: record.maximum]):
            if room(term) >= INFINITE:
                return i
        rest = record.item(len(record.prefix), self._schema.normalizer.terms)
        if room(rest) < INFINITE:
            return record.maximum
        return len(record.prefix) if record.maximum is None else min(record.maximum, len(record.prefix))

    def may_close(self, position: ArrayPosition) -> bool:
        """Whether the array may end here."""
        record = self._record
        enough = all(n >= c.minimum for n, c in zip(position.counts, record.contains, strict=True))
        return enough and position.position >= record.minimum

    def room(self, position: ArrayPosition) -> int:
        """Levels of nesting that are needed from here to the end, inside the array; INFINITE where there is none."""
        if self._simple:
            record, terms = self._record, self._schema.normalizer.terms
            if self._most is not None and record.minimum > self._most:
                return INFINITE
            ahead = range(position.position, min(record.minimum, len(record.prefix) + 1))
            needed = [self._schema.room(record.item(i, terms)) for i in ahead]
            if position.position < record.minimum and record.minimum > len(record.prefix):
                needed.append(self._schema.room(record.item(len(record.prefix), terms)))
            return max(needed, default=0)
        if not self._rooms:
            limits = self._schema.options.limits
            self._rooms = least_rooms(
                self.begin,
                lambda here: ((self._schema.room(term), after) for term, after in self._raw_steps(here)),
                self.may_close,
                limits.counted_states,
                lambda: too_many_states("items", self._pointer, limits),
            )
        return self._rooms.get(position, INFINITE)

    def steps(self, position: ArrayPosition) -> list[tuple[Term, ArrayPosition]]:
        """The items that may come next, each with the position after it."""
        known = self._steps.get(position)
        if known is None:
            raw = self._raw_steps(position)
            known = self._steps[position] = [step for step in raw if self.room(step[1]) < INFINITE]
        return known

    def _raw_steps(self, position: ArrayPosition) -> list[tuple[Term, ArrayPosition]]:
        record = self._record
        if record.maximum is not None and position.position >= record.maximum:
            return []
        if self._most is not None and position.position >= self._most:
            return []
        term = record.item(position.position, self._schema.normalizer.terms)
        after = min(position.position + 1, self._last)
        found: list[tuple[Term, ArrayPosition]] = []
        for part, counts in split_item(
            self._schema.normalizer, record.contains, term, position.position, position.counts
        ):
            if self._schema.room(part) >= INFINITE:
                continue
            if not self._unique:
                found.append((part, ArrayPosition(after, counts, position.written)))
                continue
            for item in listed(part, self._schema.normalizer) or ():
                if item not in position.written:
                    found.append((item, ArrayPosition(after, counts, position.written | {item})))
        return found

    def _is_strings(self, record: ArrayRecord) -> bool:
        if record.rest is None or record.contains:
            return False
        return self._schema.normalizer.values(record.rest) == Values(texts=ALL_TEXTS)

    def _has_endless_numbers(self, record: ArrayRecord) -> bool:
        if record.rest is None or record.contains:
            return False
        ranges = self._schema.normalizer.values(record.rest).numbers
        return any(range_.low is None or range_.high is None for range_ in ranges)


def items_of(record: ArrayRecord, schema: OpenSchema, pointer: str) -> Items | None:
    """The positions of a record; None where no array is in it that can be written."""
    if record.repeats is not None:
        return None
    items = Items(record, schema, pointer)
    return items if items.room(items.begin) < INFINITE else None
