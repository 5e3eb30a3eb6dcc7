"""Ranges of integers as regular expressions, exact for numbers of any size.

The canonical spelling only: no leading zeros, no `-0`, no fraction, no exponent. Two numbers of equal length
compare digit by digit, so a range is a union over lengths, and within one length a union over the first digit
at which a member leaves a bound. Size: O(d) options of length O(d) for bounds of d digits.
"""

from __future__ import annotations

from functools import lru_cache

from ..grammar.expression import NOTHING, Expression
from .combine import alt, chars, seq, times

__all__ = ["DIGIT", "LARGEST_SAFE_INTEGER", "NONZERO", "at_least", "integer_range", "natural_range", "same_length"]

LARGEST_SAFE_INTEGER = 2**53 - 1  # every integer up to here is a double of its own (RFC 8259, section 6)

DIGIT = chars("0-9")
NONZERO = chars("1-9")


def integer_range(low: int, high: int) -> Expression:
    """The integers from `low` to `high`, both included.

    >>> integer_range(-1, 0)
    Choice(options=(Literal(text='-1'), Literal(text='0')))
    """
    parts: list[Expression] = []
    if low < 0:
        parts.append(seq("-", natural_range(max(1, -high), -low)))
    if high >= 0:
        parts.append(natural_range(max(0, low), high))
    return alt(*parts) if low <= high else NOTHING


@lru_cache(maxsize=128)  # most schemas have one range, or none, at all of their integers
def natural_range(low: int, high: int) -> Expression:
    """The integers from `low` >= 0 to `high`."""
    if low > high:
        return NOTHING
    parts: list[Expression] = []
    full: list[int] = []  # lengths of which every number is in the range
    for length in range(len(str(low)), len(str(high)) + 1):
        smallest, largest = 10 ** (length - 1), 10**length - 1
        if low <= smallest and largest <= high:
            full.append(length)
        else:
            first = 0 if length == 1 else smallest
            parts.append(same_length(str(max(low, first)), str(min(high, largest))))
    if full:
        parts.append(seq(NONZERO, _digits(full[0] - 1, full[-1] - 1)))
        if low == 0 and full[0] == 1:
            parts.append(seq("0"))
    return alt(*parts)


def at_least(low: int) -> Expression:
    """The integers from `low` >= 0 on, without an upper end."""
    length = len(str(low))
    return alt(same_length(str(low), "9" * length), seq(NONZERO, _digits(length, None)))


def same_length(low: str, high: str) -> Expression:
    """The digit strings between two of equal length, leading zeros allowed."""
    shared = next((i for i, (a, b) in enumerate(zip(low, high, strict=True)) if a != b), len(low))
    prefix, low, high = low[:shared], low[shared:], high[shared:]
    if not low:
        return seq(prefix)
    rest = len(low) - 1
    parts: list[Expression] = []
    first, last = int(low[0]), int(high[0])
    if low[1:].strip("0"):
        parts.append(seq(low[0], _not_below(low[1:])))
        first += 1
    if high[1:].strip("9"):
        parts.append(seq(high[0], _not_above(high[1:])))
        last -= 1
    if first <= last:
        parts.append(seq(_digit(first, last), _digits(rest, rest)))
    return seq(prefix, alt(*parts))


def _not_below(bound: str) -> Expression:
    """The digit strings of the same length that are not below the bound."""
    parts = [seq(bound)]
    for i, digit in enumerate(bound):
        if digit != "9":
            parts.append(seq(bound[:i], _digit(int(digit) + 1, 9), _digits(len(bound) - i - 1, len(bound) - i - 1)))
    return alt(*parts)


def _not_above(bound: str) -> Expression:
    """The digit strings of the same length that are not above the bound."""
    parts = [seq(bound)]
    for i, digit in enumerate(bound):
        if digit != "0":
            parts.append(seq(bound[:i], _digit(0, int(digit) - 1), _digits(len(bound) - i - 1, len(bound) - i - 1)))
    return alt(*parts)


def _digit(first: int, last: int) -> Expression:
    return seq(str(first)) if first == last else chars(f"{first}-{last}")


def _digits(minimum: int, maximum: int | None) -> Expression:
    return seq() if maximum == 0 else times(DIGIT, minimum, maximum)
