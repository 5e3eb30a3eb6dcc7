"""Powers of doubles, correctly rounded: the double nearest to the real number base**exponent, ties to even.

You need it where the same bits must come out everywhere. `pow` of the C library does not promise that: measured
against this module, C libraries and browsers differ in the last bit (docs/explanation/calculator.md has figures).

Ziv's method (Ziv, "Fast evaluation of elementary mathematical functions with correctly rounded last bit", 1991):
compute with 50 digits and a bound on the error; if both ends of the interval round to one double, that is the
answer, else compute with more digits. It would not end for a power exactly halfway between two doubles. Such a power
is an integer times a power of two, and those are found and computed first, with integers.

Some tens of microseconds; integers do not grow beyond 4,000 bits.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal

__all__ = ["power"]

_MIDPOINT_BITS = 54  # a double has 53 significant bits, and the middle of two doubles one more
_FAR = 3_000  # 108 bits times 2**3000 are too large for a double by far, times 2**-3000 too small
_FIRST_DIGITS = 50
_FAR_LOGARITHM = 800  # e**710 is too large for a double, e**-746 too small


def power(base: float, exponent: float) -> float:
    """`base**exponent` for a finite base above zero and a finite exponent; inf if too large, 0.0 if too small.

    >>> power(8.0, 1 / 3), power(2.0, 0.5), power(2.0, 1e300), power(2.0, -1075.0)
    (2.0, 1.4142135623730951, inf, 0.0)
    """
    short = _short_power(base, exponent)
    return _long_power(base, exponent) if short is None else short


def _short_power(base: float, exponent: float) -> float | None:
    """The rounded power if it may be a double or halfway between two, else None.

    With exponent = times / order, where order is a power of two: base then has a root of that order, an odd integer
    times a power of two, and the integer raised to `times` has at most 54 bits.
    """
    odd, scale = _odd_and_scale(base)
    times, order = exponent.as_integer_ratio()
    while order > 1:
        root = math.isqrt(odd)
        if root * root != odd or scale % 2:
            return None
        odd, scale, order = root, scale // 2, order // 2
    scale *= times
    if abs(scale) > _FAR:
        return None
    if odd > 1 and (times < 0 or times * (odd.bit_length() - 1) >= _MIDPOINT_BITS):
        return None
    top: int = odd ** abs(times) << max(scale, 0)
    try:
        return top / (1 << max(-scale, 0))  # the quotient of two integers is correctly rounded
    except OverflowError:
        return math.inf


def _odd_and_scale(value: float) -> tuple[int, int]:
    """The value as an odd integer times 2**scale."""
    top, bottom = value.as_integer_ratio()
    zeros = (top & -top).bit_length() - 1
    return top >> zeros, zeros - bottom.bit_length() + 1


def _long_power(base: float, exponent: float) -> float:
    """The rounded power where it is not halfway between two doubles."""
    digits = _FIRST_DIGITS
    while True:
        # A context of our own: that of the thread may round otherwise, or trap.
        context = Context(digits, ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, flags=[], traps=[])
        log = context.multiply(context.ln(Decimal.from_float(base)), Decimal.from_float(exponent))
        if log.copy_abs() > _FAR_LOGARITHM:
            return 0.0 if log.is_signed() else math.inf
        value = context.exp(log)
        # ln, multiply and exp each err by half a unit in the last place; exp makes up to 800 times as much of the
        # first two. Together that is less than 10**(4 - digits) of the value.
        error = context.scaleb(value, 5 - digits)
        low, high = float(context.subtract(value, error)), float(context.add(value, error))
        if low == high:
            return low
        digits += 40
