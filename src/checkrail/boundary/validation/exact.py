"""Decimal numbers without rounding, for `minimum`, `multipleOf`, `const` and the like.

You need it to compare what a JSON text says: 0.3 is a multiple of 0.1, although the doubles are not, and
9007199254740993 is not 9007199254740992. You do not need it to compute.

A number is `coefficient * 10**exponent`. No operation writes out a power of ten larger than the literals
themselves, so `1e-999999999` costs no more than its twelve characters; `fractions` and `decimal` would either
fill the memory or round.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Exact"]


@dataclass(frozen=True, slots=True)
class Exact:
    """`coefficient * 10**exponent`, with no trailing zero in the coefficient: equal numbers are equal values.

    >>> Exact.parse("1.50")
    Exact(coefficient=15, exponent=-1)
    """

    coefficient: int
    exponent: int

    @classmethod
    def parse(cls, literal: str) -> Exact:
        """The number that a JSON literal, or the `repr` of an int or finite float, writes."""
        mantissa, _, exponent = literal.lower().partition("e")
        whole, _, fraction = mantissa.partition(".")
        digits = (whole + fraction).rstrip("0")
        if digits in ("", "-"):
            return cls(0, 0)
        dropped = len(whole + fraction) - len(digits)
        return cls(int(digits), int(exponent or "0") - len(fraction) + dropped)

    @property
    def is_integer(self) -> bool:
        """True if there is nothing after the decimal point."""
        return self.exponent >= 0

    def compare(self, other: Exact) -> int:
        """-1, 0 or 1: less than, equal to, greater than `other`."""
        signs = _sign(self.coefficient), _sign(other.coefficient)
        if signs[0] != signs[1] or signs[0] == 0:
            return _sign(signs[0] - signs[1])
        sizes = self._magnitude(), other._magnitude()
        if sizes[0] != sizes[1]:
            return signs[0] if sizes[0] > sizes[1] else -signs[0]
        # Equal magnitudes: the exponents differ by no more than the coefficients' lengths do.
        shift = self.exponent - other.exponent
        left = self.coefficient * 10 ** max(shift, 0)
        right = other.coefficient * 10 ** max(-shift, 0)
        return _sign(left - right)

    def is_multiple_of(self, divisor: Exact) -> bool:
        """True if this is an integer times `divisor`, which must not be zero."""
        if not self.coefficient:
            return True
        shift = self.exponent - divisor.exponent
        unit = abs(divisor.coefficient)
        if shift >= 0:
            remainder: int = self.coefficient * pow(10, shift, unit) % unit
        elif -shift > _digits(self.coefficient):
            return False  # smaller than the divisor
        else:
            remainder = self.coefficient % (unit * 10**-shift)
        return remainder == 0

    def _magnitude(self) -> int:
        return _digits(self.coefficient) + self.exponent


def _digits(number: int) -> int:
    return len(str(abs(number)))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
