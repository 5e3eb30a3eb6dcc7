"""A set of JSON values, split by type: each type has its own kind of constraint, and types do not interfere.

The split keeps products small: combining two schemas combines their strings with strings and objects with objects,
never strings with objects. Arrays and objects are unions of records.
"""

from __future__ import annotations

from dataclasses import dataclass

from .arrays import ANY_ARRAY, ArrayRecord
from .numbers import ALL_NUMBERS, NumberRange
from .objects import ANY_OBJECT, ObjectRecord
from .texts import ALL_TEXTS, NO_TEXTS, Texts

__all__ = ["ALL_VALUES", "NO_VALUES", "Doubt", "Values"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A keyword that the set does not say exactly (the rest is checked after generation), so it has no complement."""

    pointer: str
    keyword: str
    why: str


@dataclass(frozen=True, slots=True)
class Values:
    """null, true, false: whether they are in. The others: as their modules say; unions of ranges and records."""

    null: bool = False
    true: bool = False
    false: bool = False
    texts: Texts = NO_TEXTS
    numbers: tuple[NumberRange, ...] = ()
    arrays: tuple[ArrayRecord, ...] = ()
    objects: tuple[ObjectRecord, ...] = ()
    doubt: Doubt | None = None


NO_VALUES = Values()
ALL_VALUES = Values(True, True, True, ALL_TEXTS, ALL_NUMBERS, (ANY_ARRAY,), (ANY_OBJECT,))
