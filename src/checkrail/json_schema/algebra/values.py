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
    """What may be meant beside what the set says, where that is only a part of a format (see `format_texts`).

    texts, objects: all strings and objects that may be meant, those of the set among them; the complement is made of
    them. None: those of the set, which are exact.
    """

    texts: Texts
    objects: tuple[ObjectRecord, ...] | None = None


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

    @property
    def most_texts(self) -> Texts:
        """The strings that may be meant."""
        return self.texts if self.doubt is None else self.doubt.texts

    @property
    def most_objects(self) -> tuple[ObjectRecord, ...]:
        """The objects that may be meant."""
        return self.objects if self.doubt is None or self.doubt.objects is None else self.doubt.objects

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
