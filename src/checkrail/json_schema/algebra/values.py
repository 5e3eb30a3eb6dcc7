"""A set of JSON values, split by type: each type has its own kind of constraint, and types do not interfere.

The split keeps products small: combining two schemas combines their strings with strings and objects with objects,
never strings with objects. Arrays and objects are unions of records.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .arrays import ANY_ARRAY, ArrayRecord
from .numbers import ALL_NUMBERS, NumberRange
from .objects import ANY_OBJECT, ObjectRecord
from .texts import ALL_TEXTS, NO_TEXTS, Texts

__all__ = ["ALL_VALUES", "NO_VALUES", "Doubt", "Values", "is_nothing"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A keyword that the set does not say exactly (the rest is checked after generation).

    texts: strings that include all that the keyword allows, where only strings are in doubt; the complement is made of
    them. None: there is no complement.
    """

    pointer: str
    keyword: str
    why: str
    texts: Texts | None = None


@dataclass(slots=True, eq=False)
class Values:
    """null, true, false: whether they are in. The others: as their modules say; unions of ranges and records.

    Never changed once made, like all sets here; frozen in name only, since a frozen one takes twice as long to make.
    """

    null: bool = False
    true: bool = False
    false: bool = False
    texts: Texts = NO_TEXTS
    numbers: tuple[NumberRange, ...] = ()
    arrays: tuple[ArrayRecord, ...] = ()
    objects: tuple[ObjectRecord, ...] = ()
    doubt: Doubt | None = None
    _hash: int = field(default=0, init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Values):
            return NotImplemented
        return (
            self.null is other.null
            and self.true is other.true
            and self.false is other.false
            and self.texts == other.texts
            and self.numbers == other.numbers
            and self.arrays == other.arrays
            and self.objects == other.objects
            and self.doubt == other.doubt
        )

    def __hash__(self) -> int:
        if not self._hash:
            kinds = (self.null, self.true, self.false)
            self._hash = hash((kinds, self.texts, self.numbers, self.arrays, self.objects))
        return self._hash


NO_VALUES = Values()
ALL_VALUES = Values(True, True, True, ALL_TEXTS, ALL_NUMBERS, (ANY_ARRAY,), (ANY_OBJECT,))


def is_nothing(values: Values) -> bool:
    """Whether a set is seen to be empty without looking into its parts: the sets that lower to nothing."""
    return values.texts.members == () and not (
        values.objects or values.arrays or values.numbers or values.null or values.true or values.false
    )
