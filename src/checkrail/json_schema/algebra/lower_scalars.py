"""Strings, keys and numbers of a set, as expressions over the text of JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from ...errors import BudgetError, SchemaError
from ...grammar.codepoints import character_class, difference
from ...grammar.expression import (
    EMPTY,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Multiple,
    Reference,
    Repeat,
)
from ...limits import Limits
from ..combine import alt, chars, optional, seq, times
from ..decimals import PLAIN_DIGITS, decimal_range
from ..integers import integer_range
from ..literals import quote
from ..numbers import Bounds, integer_span
from ..scientific import scientific_range
from .format_texts import shape_of_all
from .numbers import NumberRange
from .texts import ALL_TEXTS, Texts, needs_no_escapes

__all__ = [
    "OTHER_CHARACTER",
    "OTHER_CHARACTERS",
    "ZEROS",
    "check_numbers",
    "key_expression",
    "number_expression",
    "text_expression",
]

_STRING = Reference("string")
_NUMBER = Reference("number")
_INTEGER = Reference("integer")
_ONE = Decimal(1)

ZEROS = optional(".", times("0", 1, PLAIN_DIGITS))
"""What may follow an integer where a fraction of zeros is allowed."""

_UNIT = re.compile(r"\\u....|\\.|.", re.DOTALL)
_RAW = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0xD7FF), (0xE000, 0x10FFFF))
_RAW_ASCII = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7F))
_ESCAPES = tuple(quote(chr(code))[1:-1] for code in (*range(0x20), 0x22, 0x5C))
_ANY_ESCAPE = seq("\\", alt(chars('"\\bfnrt'), seq("u00", alt(seq("0", chars("0-7bef")), seq("1", chars("0-9a-f"))))))

# A rule, because the compiler lets all its uses that lead to one place share one copy.
OTHER_CHARACTER = Reference("other-character")
OTHER_CHARACTERS = alt(character_class(((0x80, 0xD7FF), (0xE000, 0x10FFFF))), _ANY_ESCAPE)

_ANYTHING = Repeat(alt(character_class(_RAW), _ANY_ESCAPE), 0, None)
_DEEPEST_NAME = 60  # characters; nested expressions get two levels for each


def text_expression(texts: Texts) -> Expression:
    """The strings, quotes included: listed ones in one spelling, others in all that RFC 8259 allows."""
    if texts.members is not None:
        return alt(*(seq(quote(text)) for text in texts.members))
    if texts == ALL_TEXTS:
        return _STRING
    inner = shape_of_all(texts)
    return seq('"', inner if needs_no_escapes(texts) else JsonString(inner), '"')


def key_expression(texts: Texts) -> Expression:
    """The keys, quotes included. Keys beside some names have one spelling each, so that no escape can spell one of
    the names."""
    if texts.members is not None or not texts.without:
        return text_expression(texts)
    if Texts(None, texts.shape) == ALL_TEXTS:
        return seq('"', _any_but(texts.without), '"')
    inner = texts.expression
    return seq('"', inner if needs_no_escapes(texts) else Intersection((JsonString(inner), _ANYTHING)), '"')


def _any_but(names: Sequence[str]) -> Expression:
    """Every text but the names, in its one spelling: what leaves their trie at some point, and what ends within it."""
    spelled = [tuple(_UNIT.findall(quote(name)[1:-1])) for name in names]
    if any(len(name) > _DEEPEST_NAME for name in spelled):
        return _any_but_flat(spelled)
    within, leaving = _ending(spelled, 0), seq(_leaving(spelled, 0), _ANYTHING)
    return leaving if _is_nothing(within) else Choice((within, leaving))


def _below(names: list[tuple[str, ...]], depth: int) -> dict[str, list[tuple[str, ...]]]:
    """The names that go on after `depth` characters, by the next one."""
    below: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        if len(name) > depth:
            below.setdefault(name[depth], []).append(name)
    return below


def _leaving(names: list[tuple[str, ...]], depth: int) -> Expression:
    """From a place in the trie to the first character that leaves it."""
    below = _below(names, depth)
    # Not alt(): it would hash the whole trie below at each of its levels.
    return Choice((*_elsewhere(below), *(seq(unit, _leaving(longer, depth + 1)) for unit, longer in below.items())))


def _ending(names: list[tuple[str, ...]], depth: int) -> Expression:
    """From a place in the trie to an end within it that is none of the names."""
    ends = ((unit, _ending(longer, depth + 1)) for unit, longer in _below(names, depth).items())
    parts = [seq(unit, end) for unit, end in ends if not _is_nothing(end)]
    here = [] if any(len(name) == depth for name in names) else [EMPTY]
    return Choice((*here, *parts))


def _is_nothing(expression: Expression) -> bool:
    return isinstance(expression, Choice) and not expression.options


def _any_but_flat(names: list[tuple[str, ...]]) -> Expression:
    """The same without nesting, for names that are long: one option for each prefix."""
    following: dict[tuple[str, ...], set[str]] = {}
    for name in names:
        for i, unit in enumerate(name):
            following.setdefault(name[:i], set()).add(unit)
        following.setdefault(name, set())
    ends: list[Expression] = [seq("".join(prefix)) for prefix in following if prefix not in names]
    leaving = [seq("".join(prefix), Choice(_elsewhere(units))) for prefix, units in following.items()]
    return alt(*ends, seq(alt(*leaving), _ANYTHING))


def _elsewhere(units: Iterable[str]) -> tuple[Expression, ...]:
    """One character that is none of the units, as alternatives."""
    taken = set(units)
    ranges = tuple((ord(unit), ord(unit)) for unit in sorted(taken) if len(unit) == 1)
    if all(len(unit) == 1 and unit.isascii() for unit in taken):
        return character_class(difference(_RAW_ASCII, ranges)), OTHER_CHARACTER
    escapes = [seq(escape) for escape in _ESCAPES if escape not in taken]
    return (character_class(difference(_RAW, ranges)), *escapes)


def number_expression(ranges: Iterable[NumberRange], pointer: str, limits: Limits) -> Expression:
    """The numbers. Integers are digits alone, unless a fraction of zeros is allowed; other numbers are plain decimals
    or, where no multiple is asked for, in scientific notation."""
    return alt(*(_range(range_, pointer, limits) for range_ in ranges))


def check_numbers(range_: NumberRange, pointer: str) -> None:
    """Raise SchemaError where a bound is out of the reach of plain decimals. Multiples of anything can be written one
    digit after the other; only an automaton that is made as a whole may have too few states for them."""
    if not range_.is_whole and not range_.spellings():
        ends = decimal_range(range_.low, range_.high, low_open=range_.low_open, high_open=range_.high_open)
        if ends is None:
            raise _out_of_reach(pointer)


def _out_of_reach(pointer: str) -> SchemaError:
    what = f"they need more than {PLAIN_DIGITS} digits before or after the point"
    return SchemaError("SCHEMA_KEYWORD_UNSUPPORTED", pointer=pointer, keyword="minimum or maximum", what=what)


def _range(range_: NumberRange, pointer: str, limits: Limits) -> Expression:
    if range_ == NumberRange():
        return _NUMBER
    if range_ == NumberRange(multiple=_ONE):
        return _INTEGER
    spellings = range_.spellings()
    if spellings:
        return alt(*map(seq, spellings))
    bounds = Bounds(range_.low, range_.low_open, range_.high, range_.high_open, None)
    parts: list[Expression] = []
    if range_.is_whole:
        least, greatest = bounds.least_integer, bounds.greatest_integer
        whole = integer_range(*integer_span(least, greatest))
        parts.append(seq(whole, ZEROS) if range_.zeros else whole)
    else:
        decimals = decimal_range(range_.low, range_.high, low_open=range_.low_open, high_open=range_.high_open)
        if decimals is None:
            raise _out_of_reach(pointer)
        if range_.has_exponents:
            ends = scientific_range(range_.low, range_.high, low_open=range_.low_open, high_open=range_.high_open)
            decimals = alt(decimals, ends)
        parts.append(decimals)
    if range_.multiple is not None and range_.multiple != _ONE:
        parts.append(_multiples(range_.multiple, pointer, limits))
    parts += [Complement(_multiples(other, pointer, limits)) for other in range_.but_not]
    return parts[0] if len(parts) == 1 else Intersection(tuple(parts))


def _multiples(step: Decimal, pointer: str, limits: Limits) -> Expression:
    exact = Fraction(step)
    places = max(0, -int(step.normalize().as_tuple().exponent)) if exact.denominator > 1 else 0
    modulus = int(exact * 10**places)
    limit = limits.counted_states
    if modulus * (places + 2) > limit:
        what = "states to divide by its multipleOf"
        raise BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=limit, what=what, name="counted_states")
    return seq(optional("-"), Multiple(modulus, places))
