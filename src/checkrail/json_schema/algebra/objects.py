"""Sets of objects: records of declared properties in order, a partition of all other keys, and a count.

The classes of a record's `others` partition the set of all keys; a key that is declared among the properties
follows its property and not its class. A record's complement is a union: a required property missing, a property
with a wrong value, a key of some class with a wrong value (a witness), too few or too many properties.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .texts import ALL_TEXTS, TextAlgebra, Texts

if TYPE_CHECKING:
    from .terms import Term, Terms

__all__ = [
    "ANY_OBJECT",
    "KeyClass",
    "ObjectRecord",
    "Property",
    "absent",
    "intersect_objects",
    "object_complement",
    "value_of",
    "with_witness",
]


@dataclass(slots=True, eq=False)
class Property:
    """A declared key. value false and not required: the key is forbidden."""

    key: str
    value: Term
    required: bool

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Property):
            return NotImplemented
        return self.value is other.value and self.required is other.required and self.key == other.key

    def __hash__(self) -> int:
        return hash((self.key, self.value, self.required))


@dataclass(slots=True, eq=False)
class KeyClass:
    """Keys and the values that they may have; None is any value."""

    keys: Texts
    value: Term | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KeyClass):
            return NotImplemented
        return self.value is other.value and self.keys == other.keys

    def __hash__(self) -> int:
        return hash((self.keys, self.value))


@dataclass(slots=True, eq=False)
class ObjectRecord:
    """others: a partition of all keys. minimum, maximum: how many properties (None: no end). witnesses: for each,
    some key of the class is there with such a value."""

    properties: tuple[Property, ...] = ()
    others: tuple[KeyClass, ...] = (KeyClass(ALL_TEXTS),)
    minimum: int = 0
    maximum: int | None = None
    witnesses: tuple[KeyClass, ...] = ()
    _hash: int = field(default=0, init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ObjectRecord):
            return NotImplemented
        return (
            self.minimum == other.minimum
            and self.maximum == other.maximum
            and self.properties == other.properties
            and self.others == other.others
            and self.witnesses == other.witnesses
        )

    def __hash__(self) -> int:
        if not self._hash:
            # Keys and terms hash at once, which properties do not.
            keys = tuple([member.key for member in self.properties])
            values = tuple([member.value for member in self.properties])
            self._hash = hash((keys, values, self.minimum, self.maximum, self.others, self.witnesses))
        return self._hash


ANY_OBJECT = ObjectRecord()


def absent(key: str, terms: Terms) -> ObjectRecord:
    """The objects without a key."""
    return ObjectRecord((Property(key, terms.false, False),))


def value_of(record: ObjectRecord, key: str, terms: Terms, texts: TextAlgebra) -> Term:
    """What a key that is not declared may have as its value."""
    for part in record.others:
        if len(record.others) == 1 or texts.contains(part.keys, key, ""):
            return terms.true if part.value is None else part.value
    return terms.true


def intersect_objects(a: ObjectRecord, b: ObjectRecord, terms: Terms, texts: TextAlgebra) -> ObjectRecord | None:
    """What both records hold; None where that is seen to be nothing. The order is that of `a`, then of `b`."""
    if ANY_OBJECT in (a, b):
        return b if a == ANY_OBJECT else a
    right = {p.key: p for p in b.properties}
    properties = []
    for member in a.properties:
        other = right.pop(member.key, None)
        value = value_of(b, member.key, terms, texts) if other is None else other.value
        if (value is not member.value and value is not terms.true) or (other is not None and other.required):
            required = member.required or (other is not None and other.required)
            member = Property(member.key, terms.all_of((member.value, value)), required)
        if member.required and member.value is terms.false:
            return None
        properties.append(member)
    for member in right.values():
        value = value_of(a, member.key, terms, texts)
        if value is not terms.true:
            member = Property(member.key, terms.all_of((value, member.value)), member.required)
        if member.required and member.value is terms.false:
            return None
        properties.append(member)
    maximum = a.maximum if b.maximum is None else b.maximum if a.maximum is None else min(a.maximum, b.maximum)
    minimum = max(a.minimum, b.minimum)
    if maximum is not None and (maximum < minimum or maximum < sum(p.required for p in properties)):
        return None
    others = _common_partition(a.others, b.others, terms, texts)
    witnesses = tuple(dict.fromkeys((*a.witnesses, *b.witnesses)))
    if not all(_is_possible(witness, properties, others, terms, texts) for witness in witnesses):
        return None
    return ObjectRecord(tuple(properties), others, minimum, maximum, witnesses)


def _is_possible(
    witness: KeyClass, properties: list[Property], others: tuple[KeyClass, ...], terms: Terms, texts: TextAlgebra
) -> bool:
    """Whether some property may be the one that a witness asks for."""
    wanted = terms.true if witness.value is None else witness.value

    def fits(value: Term | None) -> bool:
        return terms.all_of((wanted, terms.true if value is None else value)) is not terms.false

    fitting = [part.keys for part in others if fits(part.value)]
    if any(texts.contains(witness.keys, member.key, "") and fits(member.value) for member in properties):
        return True
    declared = tuple(member.key for member in properties)
    return any(texts.have_common_ones(keys, witness.keys, declared) for keys in fitting)


def _common_partition(
    a: tuple[KeyClass, ...], b: tuple[KeyClass, ...], terms: Terms, texts: TextAlgebra
) -> tuple[KeyClass, ...]:
    if len(a) == len(b) == 1:  # the class of all keys
        return (
            a
            if b[0].value is None or a[0].value is b[0].value
            else b
            if a[0].value is None
            else (KeyClass(ALL_TEXTS, terms.all_of((a[0].value, b[0].value))),)
        )
    found: list[KeyClass] = []
    for x in a:
        for y in b:
            keys = texts.intersect(x.keys, y.keys)
            if not texts.is_empty(keys):
                value = terms.all_of(terms.true if v is None else v for v in (x.value, y.value))
                found.append(KeyClass(keys, None if value is terms.true else value))
    if len({part.value for part in found}) == 1:
        return (KeyClass(ALL_TEXTS, found[0].value),)
    return tuple(found)


def object_complement(
    record: ObjectRecord, terms: Terms, texts: TextAlgebra, opposite: dict[Term, Term]
) -> Iterator[ObjectRecord]:
    """Records that together hold all objects that the record does not. opposite: the negations of its terms."""
    for member in record.properties:
        if member.required:  # missing, or there with a wrong value
            yield ObjectRecord((Property(member.key, opposite[member.value], False),))
        elif member.value is not terms.true:
            yield ObjectRecord((Property(member.key, opposite[member.value], True),))
    declared = tuple(member.key for member in record.properties)
    for part in record.others:
        if part.value is not None:
            wrong = opposite[part.value]
            keys = texts.minus(part.keys, declared)
            yield with_witness(KeyClass(keys, None if wrong is terms.true else wrong))
    if record.minimum > 0:
        yield ObjectRecord(maximum=record.minimum - 1)
    if record.maximum is not None:
        yield ObjectRecord(minimum=record.maximum + 1)
    for witness in record.witnesses:
        wrong = terms.false if witness.value is None else opposite[witness.value]
        yield ObjectRecord(others=(KeyClass(witness.keys, wrong), KeyClass(texts.complement(witness.keys))))


def with_witness(witness: KeyClass) -> ObjectRecord:
    """The objects that have such a property."""
    return ObjectRecord(witnesses=(witness,))
