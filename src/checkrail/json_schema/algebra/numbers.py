"""Sets of numbers: unions of intervals, each with a number that divides its members and others that do not.

`type: integer` is "a multiple of 1", so integers need no case of their own. Every operation is exact on decimals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from ..literals import spell_number

__all__ = ["ALL_NUMBERS", "NumberRange", "complement_numbers", "intersect_numbers", "point"]

_TRIED = 40
_DIGITS = 60
_MOST_CANDIDATES = 1_000  # members that are tried one by one to see whether any is left


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The numbers between two ends (None: no end; open: the end is not in) that are multiples of `multiple`
    (None: any) and of none of `but_not`. zeros: about the spelling, integers may have a fraction of zeros."""

    low: Decimal | None = None
    high: Decimal | None = None
    low_open: bool = False
    high_open: bool = False
    multiple: Decimal | None = None
    but_not: tuple[Decimal, ...] = ()
    zeros: bool = False

    def spellings(self) -> list[str]:
        """Those of a range that is one number; none for any other range."""
        if self.low is None or self.low != self.high:
            return []
        whole = self.low == self.low.to_integral_value()
        spelled = spell_number(int(self.low) if whole else self.low)
        return [spelled, f"{spelled}.0"] if self.zeros and whole else [spelled]

    @property
    def is_whole(self) -> bool:
        """Whether it is seen from the multiple that all members are integers."""
        return self.multiple is not None and self.multiple == self.multiple.to_integral_value()

    @property
    def has_exponents(self) -> bool:
        """Whether its numbers are also written with an exponent: fractions between bounds."""
        return self.multiple is None and not self.but_not

    def __repr__(self) -> str:
        ends = f"{'(' if self.low_open else '['}{self.low}, {self.high}{')' if self.high_open else ']'}"
        every = "" if self.multiple is None else f" every {self.multiple}"
        return f"<{ends}{every}{''.join(f' not {m}' for m in self.but_not)}>"

    def contains(self, number: int | Decimal | Fraction) -> bool:
        """Whether a number is a member."""
        value = Fraction(number)
        if self.low is not None and (value < (low := Fraction(self.low)) or (self.low_open and value == low)):
            return False
        if self.high is not None and (value > (high := Fraction(self.high)) or (self.high_open and value == high)):
            return False
        if self.multiple is not None and not _divides(self.multiple, value):
            return False
        return not any(_divides(other, value) for other in self.but_not)

    def some(self) -> list[Decimal]:
        """A few members; there may be none among the numbers that are tried."""
        low, high, step = self.low, self.high, self.multiple
        with localcontext(prec=_DIGITS):
            if step is not None:
                first = 1 if low is None else math.ceil(Fraction(low) / Fraction(step))
                if low is None and high is not None:
                    first = math.floor(Fraction(high) / Fraction(step)) - _TRIED
                found = [step * (first + i) for i in range(_TRIED + 1)]
            elif low is not None and high is not None:
                found = [low, high, *(low + (high - low) / part for part in (2, 3, 5, 10))]
            else:
                end = high if low is None else low
                found = [(end or 0) + Decimal(i) / 10 for i in range(-_TRIED, _TRIED)]
        return [number for number in found if self.contains(number)]

    def is_empty(self) -> bool:
        """True only if there is no member."""
        low, high = self.low, self.high
        if low is not None and high is not None:
            if low > high or (low == high and not self.contains(low)):
                return True
            if low == high:
                return False
        if self.multiple is None:
            return False
        if any(_divides(other, self.multiple) for other in self.but_not):
            return True
        if low is None or high is None:
            return False
        step = Fraction(self.multiple)
        first, last = math.ceil(Fraction(low) / step), math.floor(Fraction(high) / step)
        if last - first > _MOST_CANDIDATES:
            return False
        return not any(self.contains(step * k) for k in range(first, last + 1))


ALL_NUMBERS: tuple[NumberRange, ...] = (NumberRange(),)


def point(value: int | Decimal) -> NumberRange:
    """Just one number."""
    exact = Decimal(value)
    return NumberRange(exact, exact)


def intersect_numbers(a: tuple[NumberRange, ...], b: tuple[NumberRange, ...]) -> tuple[NumberRange, ...]:
    """What both unions hold."""
    if a in (ALL_NUMBERS, b):
        return b
    if b == ALL_NUMBERS:
        return a
    found = (_both(x, y) for x in a for y in b)
    return tuple(dict.fromkeys(range_ for range_ in found if not range_.is_empty()))


def complement_numbers(ranges: tuple[NumberRange, ...]) -> tuple[NumberRange, ...]:
    """All other numbers."""
    result = ALL_NUMBERS
    for range_ in ranges:
        result = intersect_numbers(result, tuple(_outside(range_)))
    return result


def _outside(range_: NumberRange) -> list[NumberRange]:
    parts = [NumberRange(multiple=other) for other in range_.but_not]
    if range_.low is not None:
        parts.append(NumberRange(high=range_.low, high_open=not range_.low_open))
    if range_.high is not None:
        parts.append(NumberRange(low=range_.high, low_open=not range_.high_open))
    if range_.multiple is not None:
        parts.append(NumberRange(but_not=(range_.multiple,)))
    return parts


def _both(a: NumberRange, b: NumberRange) -> NumberRange:
    low, low_open = a.low, a.low_open
    if low is None or (b.low is not None and (b.low > low or (b.low == low and b.low_open))):
        low, low_open = b.low, b.low_open
    high, high_open = a.high, a.high_open
    if high is None or (b.high is not None and (b.high < high or (b.high == high and b.high_open))):
        high, high_open = b.high, b.high_open
    multiple = a.multiple if b.multiple is None else b.multiple
    if a.multiple is not None and b.multiple is not None:
        multiple = _least_common(a.multiple, b.multiple)
    but_not = tuple(sorted({*a.but_not, *b.but_not}))
    return NumberRange(low, high, low_open, high_open, multiple, but_not, a.zeros or b.zeros)


def _divides(divisor: Decimal, value: int | Decimal | Fraction) -> bool:
    return Fraction(value) % Fraction(divisor) == 0


def _least_common(a: Decimal, b: Decimal) -> Decimal:
    """The least number that is a multiple of both."""
    places = max(0, -int(a.as_tuple().exponent), -int(b.as_tuple().exponent))
    whole = math.lcm(*(int(Fraction(number) * 10**places) for number in (a, b)))
    return Decimal(f"{whole}e-{places}")
