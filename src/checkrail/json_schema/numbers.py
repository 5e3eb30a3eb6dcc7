"""Number schemas: which literals the mask lets through, and the bounds.

Bounds are semantic by default: the model may write 999 where the maximum is 100, and the check afterwards says
so, because a forced digit would hide that the model was wrong. `enforce_bounds` puts them into the mask, exactly.
A bound that nothing can meet is refused either way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from ..grammar.coverage import Column
from ..grammar.expression import Expression
from .decimals import decimal_range
from .dialect import Dialect
from .integers import LARGEST_SAFE_INTEGER, integer_range
from .ledger import Ledger
from .schema import Place

__all__ = [
    "ANY_INTEGER",
    "Bounds",
    "integer_expression",
    "integer_span",
    "number_expression",
    "read_bounds",
    "read_ends",
]

ANY_INTEGER = integer_range(-LARGEST_SAFE_INTEGER, LARGEST_SAFE_INTEGER)

_BOUND_KEYWORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval, open or closed at each end, and a number that must divide; None is absent."""

    low: Decimal | None
    low_open: bool
    high: Decimal | None
    high_open: bool
    multiple: Decimal | None

    def contains(self, value: int | Decimal) -> bool:
        """Whether a number is within, exactly."""
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        if self.high is not None and (value > self.high or (self.high_open and value == self.high)):
            return False
        return self.multiple is None or Fraction(value) % Fraction(self.multiple) == 0

    @property
    def least_integer(self) -> int | None:
        """The smallest integer within the interval."""
        if self.low is None:
            return None
        return math.floor(self.low) + 1 if self.low_open else math.ceil(self.low)

    @property
    def greatest_integer(self) -> int | None:
        """The largest integer within the interval."""
        if self.high is None:
            return None
        return math.ceil(self.high) - 1 if self.high_open else math.floor(self.high)


def read_bounds(place: Place, dialect: Dialect) -> Bounds:
    """The bounds of a schema. Raises SchemaError where they are malformed or exclude every number."""
    bounds = read_ends(place, dialect)
    low, high = bounds.low, bounds.high
    if low is not None and high is not None and (low > high or (low == high and (bounds.low_open or bounds.high_open))):
        raise place.conflict("no number is within its bounds")
    return bounds


def read_ends(place: Place, dialect: Dialect) -> Bounds:
    """The bounds of a schema, which may exclude every number. Raises SchemaError where they are malformed."""
    low, low_open = _end(place, dialect, "minimum", "exclusiveMinimum", is_low=True)
    high, high_open = _end(place, dialect, "maximum", "exclusiveMaximum", is_low=False)
    multiple = place.number("multipleOf")
    if multiple is not None and multiple <= 0:
        raise place.malformed("multipleOf", "must be above 0")
    return Bounds(low, low_open, high, high_open, multiple)


def _end(
    place: Place, dialect: Dialect, inclusive: str, exclusive: str, *, is_low: bool
) -> tuple[Decimal | None, bool]:
    """One end of the interval and whether it is open; of two bounds the tighter one."""
    bound = place.number(inclusive)
    flag = place.keywords.get(exclusive)
    if isinstance(flag, bool):
        dialect.refuse_old_spelling(place, exclusive, 4, "the number itself")
        return bound, flag and bound is not None
    strict = place.number(exclusive)
    if strict is None or (bound is not None and (bound > strict if is_low else bound < strict)):
        return bound, False
    return strict, True


def integer_expression(place: Place, bounds: Bounds, enforce: bool, ledger: Ledger) -> Expression:
    """The integers of a schema, in decimal digits alone."""
    least, greatest = bounds.least_integer, bounds.greatest_integer
    if least is not None and greatest is not None and least > greatest:
        raise place.conflict("no integer is within its bounds")
    low, high = integer_span(least, greatest)
    if not enforce:
        low, high = min(low, -LARGEST_SAFE_INTEGER), max(high, LARGEST_SAFE_INTEGER)
    _note_bounds(place, ledger, "mask" if enforce else "checked")
    return integer_range(low, high)


def integer_span(least: int | None, greatest: int | None) -> tuple[int, int]:
    """The ends of a range of integers where one is missing: the safe integers, or beyond where the other end is."""
    low = -LARGEST_SAFE_INTEGER if least is None else least
    high = LARGEST_SAFE_INTEGER if greatest is None else greatest
    if least is not None and greatest is None and least > high:
        high = 10 ** (len(str(least)) + 1) - 1
    if greatest is not None and least is None and greatest < low:
        low = -(10 ** (len(str(-greatest)) + 1) - 1)
    return low, high


def number_expression(place: Place, bounds: Bounds, enforce: bool, ledger: Ledger) -> Expression | None:
    """The numbers of a schema; None where the mask does not constrain them further."""
    bounded = bounds.low is not None or bounds.high is not None
    within = None
    if enforce and bounded:
        within = decimal_range(bounds.low, bounds.high, low_open=bounds.low_open, high_open=bounds.high_open)
    if within is not None:
        _note_bounds(place, ledger, "mask")
    else:
        _note_bounds(place, ledger, "checked", "the bound is out of the mask's reach" if enforce else "")
    return within


def _note_bounds(place: Place, ledger: Ledger, column: Column, why: str = "") -> None:
    for keyword in _BOUND_KEYWORDS:
        if keyword in place.keywords:
            ledger.note(place, keyword, column, why)
    if "multipleOf" in place.keywords:
        ledger.note(place, "multipleOf", "checked")
