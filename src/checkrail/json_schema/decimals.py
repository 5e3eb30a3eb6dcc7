"""The number literals of the profile, and ranges of them.

`NUMBER` is RFC 8259's syntax inside the footprint of a double, made finite so that no literal can go on for
ever and none overflows to infinity:

- an integer without fraction and exponent stays within +-(2**53 - 1), where every integer is a double;
- otherwise up to 17 integer digits and up to 17 fraction digits (after up to 80 zeros when the integer part is 0);
- exponents (up to three digits) from -324 to 307 after one integer digit, from -324 to 291 after several, so the
  value stays below 1e308; beyond that only `d.ddd` with an exponent of 308, up to the largest double.

`decimal_range` is for bounds in the mask. It writes plain decimals (no exponent), where comparing is digit by
digit: the integer parts by length and digits, the fractions by digits alone. Each bound is one regular language
and a range is their intersection with the syntax.
"""

from __future__ import annotations

from decimal import Decimal

from ..grammar.expression import NOTHING, Expression, Intersection
from .combine import alt, chars, optional, seq, times
from .integers import DIGIT, LARGEST_SAFE_INTEGER, NONZERO, at_least, natural_range, same_length

__all__ = ["NUMBER", "PLAIN_DIGITS", "decimal_range"]

PLAIN_DIGITS = 17  # a double is told from its neighbours by 17 significant digits
_SMALL_ZEROS = 80
_ANY_DIGITS = times(DIGIT, 0, None)
_SAFE_NATURAL = natural_range(0, LARGEST_SAFE_INTEGER)


def _exponent(largest: int) -> Expression:
    natural = alt(times(DIGIT, 1, 2), same_length("000", str(largest)))
    smallest = alt(times(DIGIT, 1, 2), same_length("000", "324"))
    return seq(chars("eE"), alt(seq(optional("+"), natural), seq("-", smallest)))


def _number() -> Expression:
    fraction = seq(".", times(DIGIT, 1, PLAIN_DIGITS))
    small_fraction = seq(
        ".", alt(times("0", 1, _SMALL_ZEROS), seq(times("0", 0, _SMALL_ZEROS), NONZERO, times(DIGIT, 0, 16)))
    )
    several = seq(NONZERO, times(DIGIT, 1, PLAIN_DIGITS - 1))
    magnitude = alt(
        _SAFE_NATURAL,
        seq("0", alt(small_fraction, seq(optional(small_fraction), _exponent(307)))),
        seq(NONZERO, alt(fraction, seq(optional(fraction), _exponent(307)))),
        seq(several, alt(fraction, seq(optional(fraction), _exponent(291)))),
        seq("1", optional(".", _at_most_digits("7976931348623157")), chars("eE"), optional("+"), "308"),
    )
    return seq(optional("-"), magnitude)


def _at_most_digits(bound: str) -> Expression:
    """Fractions that are at most the bound and no longer; here the largest double's, 1.7976931348623157e308."""
    rest: Expression = chars(f"0-{bound[-1]}")
    for i in reversed(range(len(bound) - 1)):
        rest = seq(bound[i], optional(rest))
        if bound[i] != "0":
            rest = alt(seq(chars(f"0-{int(bound[i]) - 1}"), times(DIGIT, 0, len(bound) - i - 1)), rest)
    return rest


def decimal_range(
    low: Decimal | None, high: Decimal | None, *, low_open: bool = False, high_open: bool = False
) -> Expression | None:
    """The plain decimals between two bounds, each included unless open; None where they cannot be written.

    They cannot where a bound has more than 17 fraction digits, or lies where no plain decimal of 17 integer
    digits reaches it. `-0` in any spelling is left out.
    """
    if any(bound is not None and _fraction_digits(bound) > PLAIN_DIGITS for bound in (low, high)):
        return None
    reach = Decimal(10) ** PLAIN_DIGITS
    if (low is not None and low >= reach) or (high is not None and high <= reach.copy_negate()):
        return None
    parts: list[Expression] = []
    if low is None or low < 0:
        least = high.copy_negate() if high is not None and high < 0 else Decimal(0)
        is_open = high_open if least > 0 else True
        parts.append(seq("-", _magnitudes(least, None if low is None else low.copy_negate(), is_open, low_open)))
    if high is None or high > 0 or (high == 0 and not high_open):
        least = low if low is not None and low > 0 else Decimal(0)
        is_open = low_open and low is not None and low >= 0
        parts.append(_magnitudes(least, high, is_open, high_open))
    return alt(*parts) if parts else NOTHING


def _magnitudes(low: Decimal, high: Decimal | None, low_open: bool, high_open: bool) -> Expression:
    integers = alt("0", seq(NONZERO, times(DIGIT, 0, PLAIN_DIGITS - 1)))
    # One digit more than a bound has, so that there is room beside an open bound.
    fraction = seq(".", times(DIGIT, 1, PLAIN_DIGITS + 1))
    items = [alt(_SAFE_NATURAL, seq(integers, fraction))]
    if low > 0 or low_open:
        items.append(_at_least(low, low_open))
    if high is not None and high < Decimal(10) ** PLAIN_DIGITS:
        items.append(_at_most(high, high_open))
    return items[0] if len(items) == 1 else Intersection(tuple(items))


def _at_least(bound: Decimal, is_open: bool) -> Expression:
    integer, fraction = _split(bound)
    any_fraction = optional(".", times(DIGIT, 1, None))
    parts = [
        seq(at_least(int(integer) + 1), any_fraction),
        seq(integer, ".", _fraction_at_least(fraction, is_open)),
    ]
    if not fraction and not is_open:
        parts.append(seq(integer))
    return alt(*parts)


def _at_most(bound: Decimal, is_open: bool) -> Expression:
    integer, fraction = _split(bound)
    any_fraction = optional(".", times(DIGIT, 1, None))
    parts = [seq(natural_range(0, int(integer) - 1), any_fraction)]
    if fraction or not is_open:
        parts.append(seq(integer))
    zeros = times("0", 0, None)
    below = _fraction_at_most(fraction, zeros) if not is_open else _fraction_below(fraction)
    parts.append(seq(integer, ".", below))
    return alt(*parts)


def _fraction_at_least(bound: str, is_open: bool) -> Expression:
    """Digits after the point that are at least the bound, or above it when open."""
    parts: list[Expression] = []
    for i, digit in enumerate(bound):
        if digit != "9":
            parts.append(seq(bound[:i], chars(f"{int(digit) + 1}-9"), _ANY_DIGITS))
    if is_open:
        parts.append(seq(bound, times("0", 0, None), NONZERO, _ANY_DIGITS))
    else:
        parts.append(seq(bound, _ANY_DIGITS) if bound else times(DIGIT, 1, None))
    return alt(*parts)


def _fraction_at_most(bound: str, after: Expression) -> Expression:
    """Digits after the point that are at most the bound; `after`: what may follow the bound itself."""
    equal = seq(bound, after) if bound else times("0", 1, None)
    return alt(_fraction_below(bound), equal)


def _fraction_below(bound: str) -> Expression:
    """Digits after the point that are below the bound (which does not end in 0)."""
    parts: list[Expression] = [seq(bound[:i]) for i in range(1, len(bound))]
    for i, digit in enumerate(bound):
        if digit != "0":
            parts.append(seq(bound[:i], chars(f"0-{int(digit) - 1}"), _ANY_DIGITS))
    return alt(*parts) if parts else NOTHING


def _split(bound: Decimal) -> tuple[str, str]:
    integer, _, fraction = f"{bound:f}".partition(".")
    return integer, fraction.rstrip("0")


def _fraction_digits(bound: Decimal) -> int:
    return len(_split(bound)[1])


NUMBER = _number()
