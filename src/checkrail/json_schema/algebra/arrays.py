"""Sets of arrays: records of a prefix, the items after it, a range of lengths, and what must be contained.

A record's complement is a union: too short, too long, an item of the prefix wrong, an item after the prefix
wrong (which is "contains", counted from there on), a count of contained items out of its range, or, where items must
differ, two that are equal. Arrays with equal items are sets like any others as long as sets are combined; they are
left out where texts are written (see `different`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .terms import Term, Terms

__all__ = ["ANY_ARRAY", "ArrayRecord", "Contains", "array_complement", "intersect_arrays"]


@dataclass(frozen=True, slots=True)
class Contains:
    """From the item at `start` on, between `minimum` and `maximum` (None: any number) items have such a value."""

    value: Term
    minimum: int
    maximum: int | None
    start: int = 0


@dataclass(slots=True, eq=False)
class ArrayRecord:
    """prefix: the first items, as far as there are any. rest: all after them; None is any value. unique: the place
    that asks for items that differ. repeats: one whose opposite is asked for, two items that are equal."""

    prefix: tuple[Term, ...] = ()
    rest: Term | None = None
    minimum: int = 0
    maximum: int | None = None
    contains: tuple[Contains, ...] = ()
    unique: str | None = None
    repeats: str | None = None
    _hash: int = field(default=0, init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ArrayRecord):
            return NotImplemented
        return (
            self.rest is other.rest
            and self.minimum == other.minimum
            and self.maximum == other.maximum
            and self.prefix == other.prefix
            and self.contains == other.contains
            and self.unique == other.unique
            and self.repeats == other.repeats
        )

    def __hash__(self) -> int:
        if not self._hash:
            counts = (self.minimum, self.maximum, self.contains)
            self._hash = hash((self.prefix, self.rest, counts, self.unique, self.repeats))
        return self._hash

    def item(self, position: int, terms: Terms) -> Term:
        """What the item at a position may be."""
        if position < len(self.prefix):
            return self.prefix[position]
        return terms.true if self.rest is None else self.rest


ANY_ARRAY = ArrayRecord()


def intersect_arrays(a: ArrayRecord, b: ArrayRecord, terms: Terms) -> ArrayRecord | None:
    """What both records hold; None where that is seen to be nothing."""
    if ANY_ARRAY in (a, b):
        return b if a == ANY_ARRAY else a
    length = max(len(a.prefix), len(b.prefix))
    prefix = [terms.all_of((a.item(i, terms), b.item(i, terms))) for i in range(length)]
    rest = terms.all_of((a.item(length, terms), b.item(length, terms)))
    maximum = a.maximum if b.maximum is None else b.maximum if a.maximum is None else min(a.maximum, b.maximum)
    if rest is terms.false:
        maximum = length if maximum is None else min(maximum, length)
    if terms.false in prefix:
        cut = prefix.index(terms.false)
        maximum = cut if maximum is None else min(maximum, cut)
    minimum = max(a.minimum, b.minimum)
    if maximum is not None and minimum > maximum:
        return None
    unique, repeats = a.unique or b.unique, a.repeats or b.repeats
    if unique is not None and repeats is not None:
        return None
    contains = tuple(dict.fromkeys((*a.contains, *b.contains)))
    if any(
        c.minimum > 0 and (c.value is terms.false or (c.maximum is not None and c.minimum > c.maximum))
        for c in contains
    ):
        return None
    if maximum is not None:
        prefix = prefix[:maximum]
    if maximum is not None and maximum < 2:
        unique = None
    return ArrayRecord(tuple(prefix), None if rest is terms.true else rest, minimum, maximum, contains, unique, repeats)


def array_complement(record: ArrayRecord, terms: Terms, opposite: dict[Term, Term]) -> Iterator[ArrayRecord]:
    """Records that together hold all arrays that the record does not. opposite: the negations of its terms."""
    if record.minimum > 0:
        yield ArrayRecord(maximum=record.minimum - 1)
    if record.maximum is not None:
        yield ArrayRecord(minimum=record.maximum + 1)
    for i, term in enumerate(record.prefix):
        if term is not terms.true:
            yield ArrayRecord(prefix=(*(terms.true,) * i, opposite[term]), minimum=i + 1)
    if record.rest is not None:
        yield ArrayRecord(contains=(Contains(opposite[record.rest], 1, None, len(record.prefix)),))
    for part in record.contains:
        if part.minimum > 0:
            yield ArrayRecord(contains=(replace(part, minimum=0, maximum=part.minimum - 1),))
        if part.maximum is not None:
            yield ArrayRecord(contains=(replace(part, minimum=part.maximum + 1, maximum=None),))
    if record.unique is not None and (record.maximum is None or record.maximum > 1):
        yield ArrayRecord(minimum=2, repeats=record.unique)
    if record.repeats is not None:
        yield ArrayRecord(unique=record.repeats)
