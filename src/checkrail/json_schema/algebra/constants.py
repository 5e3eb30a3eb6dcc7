"""`enum` and `const`: listed values as a set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from ..schema import Json
from .arrays import ArrayRecord
from .numbers import NumberRange, point
from .objects import KeyClass, ObjectRecord, Property
from .terms import Term, Terms
from .texts import ALL_TEXTS, Texts
from .values import Values

__all__ = ["constant"]


def constant(members: Iterable[Json], terms: Terms, *, zeros: bool = False) -> Values:
    """Exactly these values; numbers are equal by value, and true is not 1. zeros: integers may have a fraction of
    zeros."""
    texts: dict[str, None] = {}
    numbers: dict[NumberRange, None] = {}
    arrays: dict[ArrayRecord, None] = {}
    objects: dict[ObjectRecord, None] = {}
    null = true = false = False
    for member in members:
        match member:
            case None:
                null = True
            case bool():
                true, false = true or member, false or not member
            case str():
                texts[member] = None
            case int() | Decimal():
                numbers[replace(point(member), zeros=zeros)] = None
            case list():
                items = tuple(_one(item, terms, zeros) for item in member)
                arrays[ArrayRecord(items, terms.false, len(items), len(items))] = None
            case dict():
                properties = tuple(Property(key, _one(value, terms, zeros), True) for key, value in member.items())
                objects[ObjectRecord(properties, (KeyClass(ALL_TEXTS, terms.false),))] = None
    return Values(null, true, false, Texts(tuple(texts)), tuple(numbers), tuple(arrays), tuple(objects))


def _one(value: Json, terms: Terms, zeros: bool) -> Term:
    return terms.values(constant([value], terms, zeros=zeros))
