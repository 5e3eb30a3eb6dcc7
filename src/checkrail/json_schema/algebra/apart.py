"""Whether two terms have no value in common, as far as that is seen at once.

Branches of `oneOf` mostly exclude one another by their types, or by a property that one of them requires and that has
other constants in the other one. That is seen from both sets as they are. To ask whether their intersection is empty
(`Normalizer.is_empty`) finds more and makes a term for each property, for each pair of branches.
"""

from __future__ import annotations

from .normal import Normalizer
from .numbers import intersect_numbers
from .objects import ObjectRecord
from .terms import Term
from .values import Values

__all__ = ["are_apart"]


def are_apart(a: Term, b: Term, normalizer: Normalizer) -> bool:
    """True only if no value is in both."""
    one, two = normalizer.known(a), normalizer.known(b)
    if one is None or two is None or not _exclude(one, two):
        return False
    return all(_objects_exclude(x, y, normalizer) for x in one.most_objects for y in two.most_objects)


def _exclude(a: Values, b: Values) -> bool:
    """Whether it is seen that the sets share no scalar and no array."""
    if (a.null and b.null) or (a.true and b.true) or (a.false and b.false) or (a.arrays and b.arrays):
        return False
    if intersect_numbers(a.numbers, b.numbers):
        return False
    texts, others = a.most_texts.members, b.most_texts.members
    if texts == () or others == ():
        return True
    return texts is not None and others is not None and set(texts).isdisjoint(others)


def _objects_exclude(a: ObjectRecord, b: ObjectRecord, normalizer: Normalizer) -> bool:
    """Whether a property that one of them requires is seen to have no value in both."""
    members = {member.key: member for member in b.properties}
    for member in a.properties:
        other = members.get(member.key)
        if other is None or not (member.required or other.required):
            continue
        one, two = normalizer.known(member.value), normalizer.known(other.value)
        if one is None or two is None or (one.most_objects and two.most_objects):
            continue
        if _exclude(one, two):
            return True
    return False
