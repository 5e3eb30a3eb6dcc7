"""What may come next inside an array, as a record of the schema says it: positions and the steps between them.

The rules are those of `json_schema.algebra.lower_arrays`, which says the same as expressions.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import SchemaError
from ..json_schema.algebra.arrays import ArrayRecord
from ..json_schema.algebra.numbers import NumberRange
from ..json_schema.algebra.profile import OpenSchema
from ..json_schema.algebra.terms import Term
from ..json_schema.algebra.values import Values
from .members import INFINITE

__all__ = ["ArrayPosition", "Items", "items_of"]

_MOST_DIFFERENT = 8  # as `lower_arrays`


class ArrayPosition(NamedTuple):
    """position: items so far, as far as it matters. counts: for each `contains`. written: the items that must not
    come again, where items must differ."""

    position: int
    counts: tuple[int, ...] = ()
    written: frozenset[Term] = frozenset()


class Items:
    """One record."""

    def __init__(self, record: ArrayRecord, schema: OpenSchema, pointer: str) -> None:
        self._record = record
        self._schema = schema
        self._pointer = pointer
        self._unique = record.unique is not None and (record.maximum is None or record.maximum > 1)
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
        known = self._rooms.get(position)
        if known is None:
            known = self._rooms[position] = self._room(position)
        return known

    def _room(self, position: ArrayPosition) -> int:
        if self._simple:
            record, terms = self._record, self._schema.normalizer.terms
            if self._most is not None and record.minimum > self._most:
                return INFINITE
            ahead = range(position.position, min(record.minimum, len(record.prefix) + 1))
            needed = [self._schema.room(record.item(i, terms)) for i in ahead]
            if position.position < record.minimum and record.minimum > len(record.prefix):
                needed.append(self._schema.room(record.item(len(record.prefix), terms)))
            return max(needed, default=0)
        return self._search(position)

    def _search(self, start: ArrayPosition) -> int:
        """The least levels from a position, over the positions that can follow it."""
        before: dict[ArrayPosition, list[tuple[ArrayPosition, int]]] = {}
        pending, reached = [start], {start}
        limit = self._schema.options.limits.counted_states
        for position in pending:
            for term, after in self._raw_steps(position):
                before.setdefault(after, []).append((position, self._schema.room(term)))
                if after not in reached and len(reached) < limit:
                    reached.add(after)
                    pending.append(after)
        levels: dict[int, list[ArrayPosition]] = {0: [p for p in pending if self.may_close(p)]}
        rooms: dict[ArrayPosition, int] = {}
        while levels:
            level = min(levels)
            for position in (found := levels.pop(level)):
                if rooms.get(position, INFINITE) <= level:
                    continue
                rooms[position] = level
                for source, room in before.get(position, ()):
                    needed = max(level, room)
                    if needed == level:
                        found.append(source)
                    elif needed < INFINITE:
                        levels.setdefault(needed, []).append(source)
        self._rooms.update({p: rooms.get(p, INFINITE) for p in pending})
        return rooms.get(start, INFINITE)

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
        for part, counts in self._split(term, position):
            if self._schema.room(part) >= INFINITE:
                continue
            if not self._unique:
                found.append((part, ArrayPosition(after, counts, position.written)))
                continue
            for item in self._listed(part):
                if item not in position.written:
                    found.append((item, ArrayPosition(after, counts, position.written | {item})))
        return found

    def _split(self, term: Term, state: ArrayPosition) -> list[tuple[Term, tuple[int, ...]]]:
        """The values of an item by what `contains` counts, each with the counts after it."""
        normalizer = self._schema.normalizer
        cases: list[tuple[Term, tuple[int, ...]]] = [(term, ())]
        for part, count in zip(self._record.contains, state.counts, strict=True):
            if state.position < part.start or (part.maximum is None and count >= part.minimum):
                cases = [(known, (*counts, count)) for known, counts in cases]
                continue
            opposite = normalizer.negation(part.value)
            found = [(normalizer.terms.all_of((known, opposite)), (*counts, count)) for known, counts in cases]
            if part.maximum is None or count < part.maximum:
                found += [
                    (normalizer.terms.all_of((known, part.value)), (*counts, count + 1)) for known, counts in cases
                ]
            cases = found
        return cases

    def _listed(self, term: Term) -> list[Term]:
        """The values of an item one by one, as terms. Raises SchemaError where they are not few."""
        terms, values = self._schema.normalizer.terms, self._schema.normalizer.values(term)
        points = all(r.low is not None and r.low == r.high for r in values.numbers)
        if values.texts.members is not None and points and not values.arrays and not values.objects:
            found: list[Values] = []
            found += [Values(null=True)] if values.null else []
            found += [Values(true=True)] if values.true else []
            found += [Values(false=True)] if values.false else []
            found += [Values(texts=type(values.texts)((text,))) for text in values.texts.members]
            numbers: tuple[NumberRange, ...] = values.numbers
            found += [Values(numbers=(number,)) for number in numbers]
            if len(found) <= _MOST_DIFFERENT:
                return list(dict.fromkeys(map(terms.values, found)))
        raise SchemaError(
            "SCHEMA_KEYWORD_UNSUPPORTED",
            pointer=self._record.unique or self._pointer,
            keyword="uniqueItems",
            what=f"only items out of a list of at most {_MOST_DIFFERENT} scalar values can be kept apart in the mask; "
            'leave the keyword out, or pass unsupported="report" to have it checked afterwards',
        )


def items_of(record: ArrayRecord, schema: OpenSchema, pointer: str) -> Items | None:
    """The positions of a record; None where no array is in it."""
    items = Items(record, schema, pointer)
    return items if items.room(items.begin) < INFINITE else None
