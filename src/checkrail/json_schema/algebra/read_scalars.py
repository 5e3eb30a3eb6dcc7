"""What a schema says about strings and numbers, as sets."""

from __future__ import annotations

from decimal import Decimal

from ..dialect import Dialect
from ..ledger import Ledger
from ..numbers import read_ends
from ..options import Options
from ..schema import Place
from .format_texts import FormatTexts, format_texts
from .numbers import NumberRange, intersect_numbers
from .patterns import pattern_texts
from .texts import ALL_TEXTS, NO_TEXTS, TextAlgebra, Texts
from .values import Doubt

__all__ = ["MOST_CHARACTERS", "format_doubt", "read_numbers", "read_texts"]

MOST_CHARACTERS = 2**48
"""No text has as many, so a bound above this is as good as this one."""

_ONE = Decimal(1)


def read_texts(place: Place, ledger: Ledger, options: Options, algebra: TextAlgebra) -> tuple[Texts, Doubt | None]:
    """The strings of a schema, and what is not exact about them."""
    matching = ALL_TEXTS
    pattern = place.text("pattern")
    if pattern is not None:
        ledger.note(place, "pattern", "mask")
        matching = pattern_texts(pattern, limits=options.limits, pointer=place.at("pattern"))
    for keyword in ("minLength", "maxLength"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    name = place.text("format")
    known = None if name is None else format_texts(name)
    if known is None:
        if name is not None:
            ledger.note(place, "format", "annotation", "no format that is known here")
        return _with_lengths(matching, place, algebra), None
    ledger.note(place, "format", known.column, known.note)
    texts = _with_lengths(algebra.intersect(matching, known.texts), place, algebra)
    doubt = format_doubt(known)
    if doubt is not None:
        doubt = Doubt(_with_lengths(algebra.intersect(matching, doubt.texts), place, algebra))
    return texts, doubt


def format_doubt(known: FormatTexts) -> Doubt | None:
    """What is not exact about a format; None where it is exact."""
    return None if known.whole is None else Doubt(known.whole)


def _with_lengths(texts: Texts, place: Place, algebra: TextAlgebra) -> Texts:
    """The texts that have a length in the range."""
    low, high = place.count("minLength") or 0, place.count("maxLength")
    if high is not None and low > high:
        return NO_TEXTS
    high = None if high is None else min(high, MOST_CHARACTERS)
    return algebra.counted(texts, min(low, MOST_CHARACTERS), high, place.pointer)


def read_numbers(
    place: Place, dialect: Dialect, ledger: Ledger, *, only_integers: bool, zeros: bool = False
) -> tuple[NumberRange, ...]:
    """The numbers of a schema. zeros: integers may have a fraction of zeros."""
    bounds = read_ends(place, dialect)
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    found = NumberRange(bounds.low, bounds.high, bounds.low_open, bounds.high_open, bounds.multiple, zeros=zeros)
    if found == NumberRange(zeros=True):
        found = NumberRange()  # a number with nothing said about it
    whole = NumberRange(multiple=_ONE, zeros=zeros) if only_integers else NumberRange()
    return () if found.is_empty() else intersect_numbers((found,), (whole,))
