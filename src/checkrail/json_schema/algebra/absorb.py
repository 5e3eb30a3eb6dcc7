"""Unions of records without what is covered by the rest.

A complement is a union of many records and products of such unions grow fast, but most of the products are
covered by others: "a is wrong, and b is too" by "a is wrong". Coverage is decided on the records' structure alone,
member by member, which finds nearly all of it at little cost; what it does not find stays, and is harmless.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from .arrays import ANY_ARRAY, ArrayRecord
from .objects import ANY_OBJECT, ObjectRecord, Property
from .terms import Term

__all__ = ["RecordUnion", "absorb"]

_R = TypeVar("_R", bound=ArrayRecord | ObjectRecord)
_MOST_COMPARED = 256  # records; comparing is quadratic


def absorb(records: Iterable[_R], true: Term) -> tuple[_R, ...]:
    """The records, in order, without those that another one covers."""
    records = tuple(records)
    if len(records) < 2:
        return records
    union: RecordUnion[_R] = RecordUnion(true)
    union.add(records)
    return union.records


class RecordUnion(Generic[_R]):
    """A union that grows, without records that another one covers."""

    def __init__(self, true: Term) -> None:
        self._true = true
        self._kept: dict[_R, _Candidate | None] = {}

    @property
    def records(self) -> tuple[_R, ...]:
        """The records that are left, in order."""
        return tuple(self._kept)

    def add(self, records: Iterable[_R], *, settled: bool = False) -> None:
        """Add more. settled: they are known not to cover one another, since they come out of a union."""
        new: list[_R] = [record for record in dict.fromkeys(records) if record not in self._kept]
        everything: list[_R] = [record for record in (*self._kept, *new) if _is_everything(record)]
        if everything:
            self._kept = {everything[0]: None}
            return
        if (settled and not self._kept) or len(self._kept) + len(new) > _MOST_COMPARED:
            self._kept.update(dict.fromkeys(new))
            return
        for record in new:
            self._add(record, _Candidate(record))

    def _add(self, record: _R, new: _Candidate) -> None:
        covered = []
        for other, known in self._kept.items():
            if known is None:
                known = self._kept[other] = _Candidate(other)
            if _covers(known, new, self._true):
                return
            if _covers(new, known, self._true):
                covered.append(other)
        for other in covered:
            del self._kept[other]
        self._kept[record] = new


class _Candidate:
    """A record, its members by key, and the keys that it requires."""

    __slots__ = ("members", "record", "required")

    def __init__(self, record: ArrayRecord | ObjectRecord) -> None:
        properties = record.properties if isinstance(record, ObjectRecord) else ()
        self.record = record
        self.members = {member.key: member for member in properties}
        self.required = {member.key for member in properties if member.required}


def _is_everything(record: ArrayRecord | ObjectRecord) -> bool:
    return record in (ANY_ARRAY, ANY_OBJECT)


def _covers(a: _Candidate, b: _Candidate, true: Term) -> bool:
    """Whether it is seen that `a` holds all that `b` holds."""
    if not a.required <= b.required:
        return False
    if isinstance(a.record, ObjectRecord) and isinstance(b.record, ObjectRecord):
        return _covers_object(a.record, b.record, b.members, true)
    if isinstance(a.record, ArrayRecord) and isinstance(b.record, ArrayRecord):
        return _covers_array(a.record, b.record, true)
    return False


def _covers_object(a: ObjectRecord, b: ObjectRecord, inner: dict[str, Property], true: Term) -> bool:
    """inner: the members of `b`, which are required where those of `a` are."""
    if a.minimum > b.minimum or not _at_most(b.maximum, a.maximum):
        return False
    for member in reversed(a.properties):  # in a product the first ones are often the same
        other = inner.get(member.key)
        if other is None or not _weaker(member.value, other.value, true):
            return False
    if a.witnesses and not {*a.witnesses} <= {*b.witnesses}:
        return False
    is_open = all(part.value is None for part in a.others)
    # What only `b` declares follows a class of `a`.
    return is_open or (a.others == b.others and len(a.properties) == len(inner))


def _covers_array(a: ArrayRecord, b: ArrayRecord, true: Term) -> bool:
    if a.minimum > b.minimum or not _at_most(b.maximum, a.maximum) or not {*a.contains} <= {*b.contains}:
        return False
    if (a.unique and not (b.unique or _at_most(b.maximum, 1))) or (a.repeats and not b.repeats):
        return False
    rests = (true if a.rest is None else a.rest), (true if b.rest is None else b.rest)
    for i in range(max(len(a.prefix), len(b.prefix))):
        outer = a.prefix[i] if i < len(a.prefix) else rests[0]
        inner = b.prefix[i] if i < len(b.prefix) else rests[1]
        if not _weaker(outer, inner, true):
            return False
    return _weaker(*rests, true)


def _weaker(a: Term, b: Term, true: Term) -> bool:
    """Whether it is seen that `a` allows all that `b` allows."""
    if a is true or a is b:
        return True
    needed = a.parts if a.kind == "all" else (a,)
    given = b.parts if b.kind == "all" else (b,)
    return {*needed} <= {*given}


def _at_most(a: int | None, b: int | None) -> bool:
    return b is None or (a is not None and a <= b)
