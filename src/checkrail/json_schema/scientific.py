"""Ranges of numbers in scientific notation: one digit other than 0 before the point, and an exponent.

`1.5e-7` and `2E+10` are such literals, and what programs write for numbers that are small or large. Of two of them the
one with the larger exponent is larger, and of equal exponents the one with the larger digits, so a range is a union
over where the exponent lies: strictly between those of the bounds with any digits, or at one of them with digits that
are compared as plain decimals are.
"""

from __future__ import annotations

from decimal import Decimal

from ..grammar.expression import NOTHING, Expression
from .combine import alt, chars, optional, seq, times
from .decimals import PLAIN_DIGITS, decimal_range
from .integers import DIGIT, NONZERO, natural_range

__all__ = ["LARGEST_EXPONENT", "scientific_range"]

LARGEST_EXPONENT = 307  # 9.99e307 is a double
_TEN = Decimal(10)


def scientific_range(
    low: Decimal | None, high: Decimal | None, *, low_open: bool = False, high_open: bool = False
) -> Expression:
    """The literals between two bounds, each included unless open."""
    parts = []
    if high is None or high > 0:
        least = low if low is not None and low > 0 else None
        parts.append(_magnitudes(least, high, low_open, high_open))
    if low is None or low < 0:
        least = high.copy_negate() if high is not None and high < 0 else None
        greatest = None if low is None else low.copy_negate()
        parts.append(seq("-", _magnitudes(least, greatest, high_open, low_open)))
    return alt(*parts) if parts else NOTHING


def _magnitudes(low: Decimal | None, high: Decimal | None, low_open: bool, high_open: bool) -> Expression:
    """Those without a sign. None: as small, or as large, as exponents can make them."""
    first = -LARGEST_EXPONENT - 1 if low is None else low.adjusted()
    last = LARGEST_EXPONENT + 1 if high is None else high.adjusted()
    least = None if low is None else _digits_of(low)
    greatest = None if high is None else _digits_of(high)
    if first > last:
        return NOTHING
    if first == last:
        return seq(_digits(least, greatest, low_open, high_open), _exponents(first, first))
    return alt(
        seq(_digits(least, None, low_open, False), _exponents(first, first)),
        seq(_digits(None, None, False, False), _exponents(first + 1, last - 1)),
        seq(_digits(None, greatest, False, high_open), _exponents(last, last)),
    )


def _digits_of(bound: Decimal) -> Decimal:
    """What stands before the exponent of a number above 0."""
    digits = bound.as_tuple().digits
    return Decimal((0, digits, 1 - len(digits)))


def _digits(low: Decimal | None, high: Decimal | None, low_open: bool, high_open: bool) -> Expression:
    """Plain decimals from 1 to below 10, between the ends that are given. What most bounds ask for (powers of ten) is
    written out, since an intersection has to be explored."""
    if high is None and (low is None or (low == 1 and not low_open)):
        return seq(NONZERO, optional(".", times(DIGIT, 1, PLAIN_DIGITS + 1)))
    if low is None and high == 1:
        return NOTHING if high_open else seq("1", optional(".", times("0", 1, PLAIN_DIGITS + 1)))
    written = decimal_range(
        Decimal(1) if low is None else low,
        _TEN if high is None else high,
        low_open=low_open and low is not None,
        high_open=high_open or high is None,
    )
    return NOTHING if written is None else written


def _exponents(low: int, high: int) -> Expression:
    low, high = max(low, -LARGEST_EXPONENT), min(high, LARGEST_EXPONENT)
    if low > high:
        return NOTHING
    positive = seq(optional("+"), _padded(max(low, 0), high))
    negative = seq("-", _padded(max(0, -high), -low)) if low <= 0 else NOTHING
    return seq(chars("eE"), alt(*(part for part in (positive, negative) if part != NOTHING)))


def _padded(low: int, high: int) -> Expression:
    """Natural numbers; those of one digit may have a zero before it."""
    return alt(natural_range(low, high), seq("0", natural_range(low, min(high, 9))))
