"""Ranges of numbers, made on demand by arithmetic: which digits may follow is asked of the bounds themselves.

What was read so far stands for an interval of values: 12 for those from 12 to 12.99..., and with more digits for those
from 120 on, and so on. A digit may follow where one of these intervals holds a member of the range. States are told
apart by what matters to that: how many digits there are, how they compare with those of the bounds, and the remainders
where members are multiples of something. All numbers are integers here: values times 10**places.

The languages are those of `json_schema.algebra.lower_scalars.number_expression`: integers in canonical spelling,
perhaps with a fraction of zeros; other numbers as plain decimals with at most 17 digits before the point and 18 after
it, whole ones up to 2**53 - 1. What is in scientific notation comes beside it (`scalars`).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd

from ..errors import SchemaError
from ..json_schema.algebra.numbers import NumberRange
from ..json_schema.decimals import PLAIN_DIGITS
from ..json_schema.integers import LARGEST_SAFE_INTEGER
from ..json_schema.numbers import Bounds, integer_span
from ..limits import Limits
from .language import KeyedLanguage
from .words import byte_classes

__all__ = ["RangeLanguage", "range_language"]

_CLASSES, _WIDTH = byte_classes(b"-.0123456789")
_MINUS, _POINT, _ZERO = 0, 1, 2  # classes; digit d has class d + 2
_FRACTION_DIGITS = PLAIN_DIGITS + 1
_SCALE = 10**_FRACTION_DIGITS

_ALL_DIGITS = [(0, 10)]
_EACH_DIGIT = [(digit, digit + 1) for digit in range(10)]

_START: Hashable = "start"
_ZEROS = 0  # in the place of a sign, with how many zeros were read


@dataclass(frozen=True, slots=True)
class _Magnitudes:
    """The numbers of one sign, without it, times `scale`: those from `low` to `high` (both included) that are multiples
    of `multiple`, and of none of `but_not`. digits: the most before the point. whole: the largest number, not scaled,
    that may stand without a fraction. scale: 1 for integers, which have no fraction at all. ends: the digits before the
    point of the low end, the high end and `whole`: how many, and the values of the first ones.
    """

    low: int
    high: int
    multiple: int
    but_not: tuple[int, ...]
    digits: int
    whole: int
    scale: int
    ends: tuple[tuple[int, list[int]], ...]

    @property
    def is_interval(self) -> bool:
        """Whether all numbers between the ends are members."""
        return self.multiple == 1 and not self.but_not

    def compared(self, value: int, count: int) -> tuple[int, ...]:
        """How `count` digits of this value compare with as many of those of the low end, of the high end, and of the
        largest number without a fraction: -1, 0 or 1; 1 where an end has fewer."""
        if count == 0:
            return ()
        return tuple(
            [1 if count > length else (value > (p := prefixes[count])) - (value < p) for length, prefixes in self.ends]
        )

    def whole_stretches(self, value: int, count: int) -> list[tuple[int, int]]:
        """The digits that may follow `count` digits of this value, before the point, in stretches (first, end) of
        digits that make no difference to each other: no end parts them, nor a multiple."""
        if not self.is_interval:
            return _EACH_DIGIT
        borders = set() if count else {1}  # 0 has no digits behind it
        for length, prefixes in self.ends:
            if count < length and prefixes[count] == value:
                digit = prefixes[count + 1] - 10 * value
                borders |= {digit, digit + 1}
        return _stretches(borders)

    def fraction_stretches(self, value: int, unit: int) -> list[tuple[int, int]]:
        """The same behind the point. unit: what the digit counts."""
        if not self.is_interval:
            return _EACH_DIGIT
        borders = set()
        for end in (self.low, self.high):
            digit = end // unit - 10 * value
            if 0 <= digit < 10:
                borders |= {digit, digit + 1}
        return _stretches(borders)

    def holds(self, low: int, high: int) -> bool:
        """Whether there is a member from `low` to `high`."""
        low, high = max(low, self.low), min(high, self.high)
        if low > high:
            return False
        multiple = self.multiple
        if self.is_interval:
            return True
        first, last = -(-low // multiple), high // multiple
        steps = [other // gcd(other, multiple) for other in self.but_not]
        if 1 in steps:
            return False
        # Of a few numbers in a row one is no multiple of any step, so this ends soon.
        return any(all(k % step for step in steps) for k in range(first, last + 1))

    def remainders(self, value: int, unit: int) -> tuple[int, ...]:
        """What matters of a value to its being a multiple once digits behind it make it larger, by less than `unit`
        (0: by any amount): what is missing to the next multiple, -1 where that is out of reach."""
        missing = [-value % modulus for modulus in (self.multiple, *self.but_not)]
        return tuple([m if m < unit else -1 for m in missing] if unit else missing)

    def may_begin(self, value: int, count: int) -> bool:
        """Whether a member begins with these digits before the point: `count` of them, of this value."""
        if value == 0:
            return self.holds(0, self.scale - 1)
        missing = max(0, self.ends[0][0] - count)
        step = self.scale * 10**missing
        for _ in range(missing, self.digits - count + 1):
            low = value * step
            if low > self.high:
                return False
            if self.is_interval:
                if low + step > self.low:
                    return True
            elif self.holds(low, low + step - 1):
                return True
            step *= 10
        return False


class RangeLanguage(KeyedLanguage):
    """The numbers of one range, as magnitudes of either sign (None: no numbers of that sign).

    Keys: (sign, digits before the point, how they compare, remainders), and the same for digits after the point; each
    with the first value that was read for it, which stands for all others. Or (0, zeros read) in a fraction of zeros.
    """

    def __init__(
        self, positive: _Magnitudes | None, negative: _Magnitudes | None, limits: Limits, *, zeros: bool = False
    ) -> None:
        """zeros: of integers, which may have a fraction of zeros."""
        super().__init__(_CLASSES, _WIDTH, limits, _START)
        self._zeros = zeros
        self._sides = {1: positive, -1: negative}
        self._places: dict[
            int, tuple[_Magnitudes, int, int, int]
        ] = {}  # side, value, digits before and after the point

    def accepting(self, state: int) -> bool:
        place = self._places.get(state)
        if place is None:
            key = self._keys[state]
            return key.__class__ is tuple and key[0] == _ZEROS and key[1] > 0
        side, value, before, after = place
        if after < 0:
            return before > 0 and value <= side.whole and side.holds(value * side.scale, value * side.scale)
        scaled = value * 10 ** (_FRACTION_DIGITS - after)
        return after > 0 and side.holds(scaled, scaled)

    def _made(self, key: Hashable) -> list[int]:
        row = [-1] * _WIDTH
        if key == _START:
            if self._sides[-1] is not None:
                row[_MINUS] = self._place(self._sides[-1], -1, 0, 0, -1)
            if self._sides[1] is not None:
                self._add_whole(row, self._sides[1], 1, 0, 0)
            return row
        assert isinstance(key, tuple)
        sign = key[0]
        if sign == _ZEROS:
            if key[1] < PLAIN_DIGITS:
                row[_ZERO] = self._number((_ZEROS, key[1] + 1))
            return row
        side, value, before, after = self._places[self._numbers[key]]
        if after >= 0:
            if after < _FRACTION_DIGITS:
                self._add_fraction(row, side, sign, value, after)
            return row
        self._add_whole(row, side, sign, value, before)
        if before and side.scale > 1 and side.holds(value * side.scale, (value + 1) * side.scale - 1):
            row[_POINT] = self._place(side, sign, value, before, 0)
        elif self._zeros and self.accepting(self._numbers[key]):
            row[_POINT] = self._number((_ZEROS, 0))
        return row

    def _add_whole(self, row: list[int], side: _Magnitudes, sign: int, value: int, count: int) -> None:
        """The moves on one more digit before the point."""
        if count and (value == 0 or count == side.digits):
            return
        for digit, end in side.whole_stretches(value, count):
            following = 10 * value + digit
            if side.may_begin(following, count + 1):
                row[digit + 2 : end + 2] = [self._place(side, sign, following, count + 1, -1)] * (end - digit)

    def _add_fraction(self, row: list[int], side: _Magnitudes, sign: int, value: int, count: int) -> None:
        unit = 10 ** (_FRACTION_DIGITS - count - 1)
        for digit, end in side.fraction_stretches(value, unit):
            following = 10 * value + digit
            if side.holds(following * unit, (following + 1) * unit - 1):
                row[digit + 2 : end + 2] = [self._place(side, sign, following, 0, count + 1)] * (end - digit)

    def _place(self, side: _Magnitudes, sign: int, value: int, before: int, after: int) -> int:
        """The state in which a value was read. before, after: how many digits; -1 after: there was no point."""
        if after < 0:
            unit = side.scale
            compared: Hashable = (before, value == 0, side.compared(value, before))
        else:
            unit = 10 ** (_FRACTION_DIGITS - after)
            # Ends that no digit can miss any more are not told from those that are far away.
            above = value * unit >= side.low
            below = (value + 1) * unit - 1 <= side.high
            compared = above, below
        remainders = side.remainders(value * unit, unit if after >= 0 else 0)
        number = self._number((sign, after, compared, remainders))
        self._places.setdefault(number, (side, value, before, after))
        return number


def _stretches(borders: set[int]) -> list[tuple[int, int]]:
    if not borders:
        return _ALL_DIGITS
    return list(pairwise(sorted(borders | {0, 10})))


@lru_cache(maxsize=256)
def _end(value: int) -> tuple[int, list[int]]:
    """How many digits a value has, and the values of the first ones: of none, of one, and so on. Most ranges have an
    end that others have too: where there is no bound."""
    found = [value]
    while found[-1] >= 10:
        found.append(found[-1] // 10)
    return len(found), [0, *reversed(found)]


def range_language(range_: NumberRange, pointer: str, limits: Limits) -> RangeLanguage | None:
    """The numbers of a range that is more than one number; None where there are none.

    Raises SchemaError SCHEMA_KEYWORD_UNSUPPORTED for ends that plain decimals do not reach.
    """
    if range_.is_whole:
        bounds = Bounds(range_.low, range_.low_open, range_.high, range_.high_open, None)
        low, high = integer_span(bounds.least_integer, bounds.greatest_integer)
        scale = 1
    else:
        low, high = _scaled_ends(range_, pointer)
        scale = _SCALE
    positive = _magnitudes(range_, max(low, 0), high, scale)
    negative = _magnitudes(range_, max(-high, 1), -low, scale)
    return RangeLanguage(positive, negative, limits, zeros=range_.zeros) if positive or negative else None


def _scaled_ends(range_: NumberRange, pointer: str) -> tuple[int, int]:
    """The ends of plain decimals, times _SCALE."""
    reach = 10**PLAIN_DIGITS
    for end in (range_.low, range_.high):
        if end is not None and (Fraction(end) * reach).denominator != 1:
            raise _unreachable(pointer)
    low, high = -reach * _SCALE + 1, reach * _SCALE - 1
    if range_.low is not None:
        if range_.low >= reach:
            raise _unreachable(pointer)
        low = max(low, int(Fraction(range_.low) * _SCALE) + range_.low_open)
    if range_.high is not None:
        if range_.high <= -reach:
            raise _unreachable(pointer)
        high = min(high, int(Fraction(range_.high) * _SCALE) - range_.high_open)
    return low, high


def _unreachable(pointer: str) -> SchemaError:
    what = f"they need more than {PLAIN_DIGITS} digits before or after the point"
    return SchemaError("SCHEMA_KEYWORD_UNSUPPORTED", pointer=pointer, keyword="minimum or maximum", what=what)


def _magnitudes(range_: NumberRange, low: int, high: int, scale: int) -> _Magnitudes | None:
    """The members of one sign; None where there are none."""
    if low > high:
        return None
    multiple = 1 if range_.multiple is None else _scaled(range_.multiple, scale)
    but_not = tuple(_scaled(other, scale) for other in range_.but_not)
    whole, digits = (high, _end(high)[0]) if scale == 1 else (LARGEST_SAFE_INTEGER, PLAIN_DIGITS)
    ends = tuple([_end(end) for end in (low // scale, high // scale, whole)])
    found = _Magnitudes(low, high, multiple, but_not, digits, whole, scale, ends)
    return found if found.holds(low, high) else None


def _scaled(step: Decimal, scale: int) -> int:
    """What divides an integer, times the scale, exactly when the step divides the number."""
    return (Fraction(step) * scale).numerator
