"""Unions of records without what is covered by the rest.

A complement is a union of many records and products of such unions grow fast, but most of the products are
covered by others: "a is wrong, and b is too" by "a is wrong". Coverage is decided on the records' structure alone,
member by member, which finds nearly all of it at little cost; what it does not find stays, and is harmless.
"""

from __future__ import annotations

from typing import TypeVar

from .arrays import ANY_ARRAY, ArrayRecord
from .objects import ANY_OBJECT, ObjectRecord
from .terms import Term

__all__ = ["absorb"]

_R = TypeVar("_R", ArrayRecord, ObjectRecord)
_MOST_COMPARED = 256  # records; comparing is quadratic


def absorb(records: dict[_R, None], true: Term) -> tuple[_R, ...]:
    """The records, in order, without those that another one covers."""
    if len(records) < 2:
        return tuple(records)
    everything = tuple(record for record in records if record in (ANY_ARRAY, ANY_OBJECT))
    if everything:
        return everything
    if len(records) > _MOST_COMPARED:
        return tuple(records)
    kept: list[_R] = []
    for record in records:
        if not any(_covers(other, record, true) for other in kept):
            kept = [other for other in kept if not _covers(record, other, true)]
            kept.append(record)
    return tuple(kept)


def _covers(a: ArrayRecord | ObjectRecord, b: ArrayRecord | ObjectRecord, true: Term) -> bool:
    """Whether it is seen that `a` holds all that `b` holds."""
    if isinstance(a, ObjectRecord) and isinstance(b, ObjectRecord):
        return _covers_object(a, b, true)
    if isinstance(a, ArrayRecord) and isinstance(b, ArrayRecord):
        return _covers_array(a, b, true)
    return False


def _covers_object(a: ObjectRecord, b: ObjectRecord, true: Term) -> bool:
    if a.minimum > b.minimum or not _at_most(b.maximum, a.maximum) or not {*a.witnesses} <= {*b.witnesses}:
        return False
    if a.others != b.others and any(part.value is not None for part in a.others):
        return False
    inner = {member.key: member for member in b.properties}
    for member in a.properties:
        other = inner.pop(member.key, None)
        if other is None or (member.required and not other.required) or not _weaker(member.value, other.value, true):
            return False
    # What only `b` declares follows a class of `a`.
    return not inner or all(part.value is None for part in a.others)


def _covers_array(a: ArrayRecord, b: ArrayRecord, true: Term) -> bool:
    if a.minimum > b.minimum or not _at_most(b.maximum, a.maximum) or not {*a.contains} <= {*b.contains}:
        return False
    if a.unique and not b.unique:
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
