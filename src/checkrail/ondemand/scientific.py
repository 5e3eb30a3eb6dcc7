"""Ranges of numbers in scientific notation, made on demand by arithmetic.

The literals of `json_schema.scientific`: one digit other than 0, perhaps a fraction, and an exponent. Of two of them
the one with the larger exponent is larger, so a number's digits matter only where its exponent is that of a bound.
While they are read it is kept how they compare with those of the bounds; the exponents that may follow are an interval
then, and what may follow some digits of an exponent is what they leave of that interval.

    from 1.5 to 200:    7.25 may have exponents from 0 to 1; 1.25 from 1 to 2
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal

from ..json_schema.algebra.numbers import NumberRange
from ..json_schema.decimals import PLAIN_DIGITS
from ..json_schema.scientific import LARGEST_EXPONENT
from ..limits import Limits
from .language import KeyedLanguage
from .words import byte_classes

__all__ = ["ScientificLanguage", "scientific_language"]

_CLASSES, _WIDTH = byte_classes(b"+-.0123456789Ee")
_PLUS, _MINUS, _POINT, _ZERO = 0, 1, 2, 3  # classes; digit d has class d + 3
_E = (13, 14)
_PLACES = PLAIN_DIGITS + 1  # after the point: one more than a bound may have, so that there is room beside an open one

_BELOW, _OPEN, _ABOVE = -1, 0, 1  # how digits compare with a bound; open: as those that follow do

_Span = tuple[int, int]
_NONE: _Span = (0, -1)
_START, _DIGITS, _EXPONENT, _UNSIGNED, _NATURAL = range(5)


@dataclass(frozen=True, slots=True)
class _Magnitudes:
    """The numbers of one sign, without it.

    first, last: exponents of the bounds. low: all digits of the least number with the first exponent, high: of the
    greatest one with the last exponent. None: there is no number with that exponent.
    """

    first: int
    last: int
    low: str | None
    high: str | None

    @property
    def start(self) -> tuple[int, int]:
        """How no digits compare with the bounds."""
        return _BELOW if self.low is None else _OPEN, _ABOVE if self.high is None else _OPEN

    @property
    def is_empty(self) -> bool:
        """Whether there is no such number."""
        return not any(self.following(*self.start, 0, digit) for digit in range(1, 10))

    def exponents(self, low: int, high: int) -> _Span:
        """Those that may follow digits that compare so with the bounds, zeros added."""
        first = max(self.first + (low != _ABOVE), -LARGEST_EXPONENT)
        last = min(self.last - (high == _ABOVE), LARGEST_EXPONENT)
        return (first, last) if first <= last else _NONE

    def following(self, low: int, high: int, count: int, digit: int) -> tuple[int, int] | None:
        """How digits compare with the bounds behind `count` others that compare so; None where no number follows.

        What is equal to a bound counts as inside.
        """
        if low == _OPEN:
            assert self.low is not None
            low = _compared(digit, count, self.low, "0", _ABOVE)
        if high == _OPEN:
            assert self.high is not None
            high = _compared(digit, count, self.high, "9", _BELOW)
        if low == high == _OPEN and (self.low or "") > (self.high or ""):
            chances = [self.exponents(_ABOVE, _ABOVE), self.exponents(_BELOW, _BELOW)]
        else:
            chances = [self.exponents(low or _ABOVE, high or _BELOW)]
        return None if chances.count(_NONE) == len(chances) else (low, high)


def _compared(digit: int, count: int, bound: str, least: str, inside: int) -> int:
    """How `count` digits that are the bound's and this one compare with it. Where only `least` follows in the bound,
    all that may follow the same digits is `inside`."""
    own = int(bound[count])
    if digit != own:
        return _BELOW if digit < own else _ABOVE
    return _OPEN if bound[count + 1 :].strip(least) else inside


class ScientificLanguage(KeyedLanguage):
    """Numbers in scientific notation, as magnitudes of either sign (None: no numbers of that sign).

    Keys: _START and a sign; _DIGITS, sign, digits after the point (-1: there is no point), how they compare with the
    bounds; _EXPONENT and the exponents that may follow; _UNSIGNED and the same behind their sign; _NATURAL, whether the
    exponent may end here, and what may follow in one more digit, and in two.
    """

    def __init__(self, positive: _Magnitudes | None, negative: _Magnitudes | None, limits: Limits) -> None:
        super().__init__(_CLASSES, _WIDTH, limits, (_START, 1))
        self._sides = {1: positive, -1: negative}

    def accepting(self, state: int) -> bool:
        key = self._keys[state]
        assert isinstance(key, tuple)
        return key[0] == _NATURAL and key[1] is True

    def _made(self, key: Hashable) -> list[int]:
        assert isinstance(key, tuple)
        row = [-1] * _WIDTH
        kind, *values = key
        if kind == _START:
            self._add_start(row, *values)
        elif kind == _DIGITS:
            self._add_after_digit(row, *values)
        elif kind == _EXPONENT:
            first, last = values
            if first <= 0:
                row[_MINUS] = self._number((_UNSIGNED, max(-last, 0), -first))
            if last >= 0:
                row[_PLUS] = self._number((_UNSIGNED, max(first, 0), last))
                self._add_exponent(row, max(first, 0), last)
        elif kind == _UNSIGNED:
            self._add_exponent(row, *values)
        else:
            _, one, two = values
            for digit in range(10):
                self._add_natural(row, digit, one[0] <= digit <= one[1], _part(two, 10 * digit, 10), _NONE)
        return row

    def _add_start(self, row: list[int], sign: int) -> None:
        side = self._sides[sign]
        if sign > 0 and self._sides[-1] is not None:
            row[_MINUS] = self._number((_START, -1))
        if side is not None:
            self._add_digits(row, side, 1, (sign, -1, *side.start), 0)

    def _add_after_digit(self, row: list[int], sign: int, places: int, low: int, high: int) -> None:
        side = self._sides[sign]
        assert side is not None
        if places < 0:
            row[_POINT] = self._number((_DIGITS, sign, 0, low, high))
        elif places < _PLACES:
            self._add_digits(row, side, 0, (sign, places + 1, low, high), places + 1)
        exponents = _NONE if places == 0 else side.exponents(low, high)
        if exponents != _NONE:
            row[_E[0]] = row[_E[1]] = self._number((_EXPONENT, *exponents))

    def _add_digits(
        self, row: list[int], side: _Magnitudes, least: int, place: tuple[int, int, int, int], count: int
    ) -> None:
        """The moves on one more digit, from `least` on. place: how it will be but for what the digit makes of it."""
        *here, low, high = place
        if low != _OPEN and high != _OPEN:
            row[_ZERO + least : _ZERO + 10] = [self._number((_DIGITS, *place))] * (10 - least)
            return
        for digit in range(least, 10):
            found = side.following(low, high, count, digit)
            if found is not None:
                row[_ZERO + digit] = self._number((_DIGITS, *here, *found))

    def _add_exponent(self, row: list[int], first: int, last: int) -> None:
        """The natural numbers between two; those of one digit may have a zero before it."""
        self._add_natural(row, 0, first == 0, _part((first, last), 0, 10), _NONE)
        for digit in range(1, 10):
            one, two = _part((first, last), 10 * digit, 10), _part((first, last), 100 * digit, 100)
            self._add_natural(row, digit, first <= digit <= last, one, two)

    def _add_natural(self, row: list[int], digit: int, may_end: bool, one: _Span, two: _Span) -> None:
        if may_end or one != _NONE or two != _NONE:
            row[_ZERO + digit] = self._number((_NATURAL, may_end, one, two))


def _part(span: _Span, low: int, size: int) -> _Span:
    """What lies in `size` numbers from `low` on, counted from there."""
    first, last = max(span[0] - low, 0), min(span[1] - low, size - 1)
    return (first, last) if first <= last else _NONE


def scientific_language(range_: NumberRange, limits: Limits) -> ScientificLanguage | None:
    """The numbers of a range; None where there are none."""
    low, high = range_.low, range_.high
    positive = negative = None
    if high is None or high > 0:
        positive = _magnitudes(low if low is not None and low > 0 else None, range_.low_open, high, range_.high_open)
    if low is None or low < 0:
        least = high.copy_negate() if high is not None and high < 0 else None
        negative = _magnitudes(least, range_.high_open, None if low is None else low.copy_negate(), range_.low_open)
    return ScientificLanguage(positive, negative, limits) if positive or negative else None


def _magnitudes(low: Decimal | None, low_open: bool, high: Decimal | None, high_open: bool) -> _Magnitudes | None:
    """The numbers above 0 between two bounds (None: as small, or as large, as exponents can make them); None where
    there are none."""
    found = _Magnitudes(
        -LARGEST_EXPONENT - 1 if low is None else low.adjusted(),
        LARGEST_EXPONENT + 1 if high is None else high.adjusted(),
        "1" + _PLACES * "0" if low is None else _digits(low, int(low_open)),
        "9" * (_PLACES + 1) if high is None else _digits(high, -int(high_open)),
    )
    return None if found.is_empty else found


def _digits(bound: Decimal, beside: int) -> str | None:
    """The digits of a bound, or of the number beside it; None where a bound has too many, or that one digit less."""
    text = "".join(map(str, bound.as_tuple().digits)).rstrip("0")
    if len(text) > _PLACES:
        return None
    digits = str(int(text.ljust(_PLACES + 1, "0")) + beside)
    return digits if len(digits) == _PLACES + 1 else None
