"""What a schema says about strings and numbers, as sets."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from types import MappingProxyType

from ..dialect import Dialect
from ..formats import CHECKED_FORMATS, MASK_FORMATS
from ..ledger import Ledger
from ..numbers import read_ends
from ..options import Options
from ..schema import Place
from .formats import EXACT_FORMATS
from .numbers import NumberRange, intersect_numbers
from .patterns import pattern_texts
from .texts import ALL_TEXTS, NO_TEXTS, TextAlgebra, Texts
from .values import Doubt

__all__ = ["EXACT_TEXTS", "MOST_CHARACTERS", "PARTIAL_TEXTS", "partial_doubt", "read_numbers", "read_texts"]

EXACT_TEXTS: Mapping[str, Texts] = MappingProxyType({n: Texts(None, shape) for n, shape in EXACT_FORMATS.items()})
"""The texts of formats that are exact."""

PARTIAL_TEXTS: Mapping[str, Texts] = MappingProxyType(
    {n: Texts(None, entry.shape, (), True) for n, entry in MASK_FORMATS.items() if n not in EXACT_FORMATS}
)
"""The texts that hold all of a format, and some that are not of it."""

MOST_CHARACTERS = 2**48
"""No text has as many, so a bound above this is as good as this one."""

_ONE = Decimal(1)


def read_texts(place: Place, ledger: Ledger, options: Options, algebra: TextAlgebra) -> tuple[Texts, Doubt | None]:
    """The strings of a schema, and what is not exact about them."""
    texts, doubt = ALL_TEXTS, None
    pattern = place.text("pattern")
    if pattern is not None:
        ledger.note(place, "pattern", "mask")
        texts = pattern_texts(pattern, limits=options.limits, pointer=place.at("pattern"))
    name = place.text("format")
    if name is None:
        pass
    elif name in EXACT_TEXTS:
        ledger.note(place, "format", "mask")
        texts = algebra.intersect(texts, EXACT_TEXTS[name])
    elif name in MASK_FORMATS:
        known = MASK_FORMATS[name]
        ledger.note(place, "format", known.column, known.note)
        texts = algebra.intersect(texts, PARTIAL_TEXTS[name])
        doubt = partial_doubt(place, name)
    elif name == "regex":
        ledger.note(place, "format", "mask", "regular expressions whose groups nest at most 4 deep")
        texts = algebra.intersect(texts, _regular_expressions())
        doubt = partial_doubt(place, name)
    elif name in CHECKED_FORMATS:
        ledger.note(place, "format", "checked", "the mask lets any string through")
        doubt = partial_doubt(place, name)
    else:
        ledger.note(place, "format", "annotation", "no format that is known here")
    return _with_lengths(texts, place, ledger, algebra), doubt


@cache
def _regular_expressions() -> Texts:
    from .format_regex import REGEX  # some milliseconds, which few schemas need

    return Texts(None, REGEX)


def partial_doubt(place: Place, name: str) -> Doubt | None:
    """What is not exact about a format; None where it is exact or unknown."""
    if name in PARTIAL_TEXTS or name == "regex":
        return Doubt(place.at("format"), "format", "the mask holds only a part of this format")
    if name in CHECKED_FORMATS:
        return Doubt(place.at("format"), "format", "the mask does not hold this format")
    return None


def _with_lengths(texts: Texts, place: Place, ledger: Ledger, algebra: TextAlgebra) -> Texts:
    """The texts that have a length in the range."""
    low, high = place.count("minLength") or 0, place.count("maxLength")
    for keyword in ("minLength", "maxLength"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    if high is not None and low > high:
        return NO_TEXTS
    high = None if high is None else min(high, MOST_CHARACTERS)
    return algebra.counted(texts, min(low, MOST_CHARACTERS), high, place.pointer)


def read_numbers(place: Place, dialect: Dialect, ledger: Ledger, *, only_integers: bool) -> tuple[NumberRange, ...]:
    """The numbers of a schema."""
    bounds = read_ends(place, dialect)
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    found = NumberRange(bounds.low, bounds.high, bounds.low_open, bounds.high_open, bounds.multiple)
    whole = NumberRange(multiple=_ONE) if only_integers else NumberRange()
    return () if found.is_empty() else intersect_numbers((found,), (whole,))
