"""How JavaScript writes a double: `Number::toString` of ECMA-262, the form of numbers in canonical JSON (RFC 8785).

`repr` finds the shortest digits that read back as the same double, as ECMA-262 asks for; only where the point and the
exponent go is different. -0 is written as 0.
"""

from __future__ import annotations

__all__ = ["number_text"]


def number_text(value: float) -> str:
    """The text of a finite double.

    >>> number_text(1e20), number_text(1e21), number_text(-1.5e-7), number_text(0.000001)
    ('100000000000000000000', '1e+21', '-1.5e-7', '0.000001')
    """
    if value == 0.0:
        return "0"
    sign = "-" if value < 0.0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - len(whole + fraction) + len(digits)  # digits in front of the point
    digits = digits.rstrip("0")
    return sign + _placed(digits, point)


def _placed(digits: str, point: int) -> str:
    """0.`digits` * 10**`point`, by the cases of ECMA-262."""
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{digits.rjust(len(digits) - point, '0')}"
    return f"{digits[0]}{'.' * (len(digits) > 1)}{digits[1:]}e{point - 1:+d}"
