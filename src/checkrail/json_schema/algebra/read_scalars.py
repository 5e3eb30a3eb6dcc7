"""What a schema says about strings and numbers, as sets."""

from __future__ import annotations

from decimal import Decimal

from ...errors import BudgetError
from ...grammar.expression import ANY_CHARACTER, Repeat
from ...grammar.regex import search_expression
from ..dialect import Dialect
from ..formats import CHECKED_FORMATS, MASK_FORMATS
from ..ledger import Ledger
from ..numbers import read_ends
from ..options import Options
from ..schema import Place
from .formats import EXACT_FORMATS
from .numbers import NumberRange, intersect_numbers
from .texts import ALL_TEXTS, NO_TEXTS, TextAlgebra, Texts, needs_no_escapes
from .values import Doubt

__all__ = ["read_numbers", "read_texts"]

_ONE = Decimal(1)
_SPELLINGS = 24  # states of a character with all its escapes


def read_texts(place: Place, ledger: Ledger, options: Options, algebra: TextAlgebra) -> tuple[Texts, Doubt | None]:
    """The strings of a schema, and what is not exact about them."""
    texts, doubt = ALL_TEXTS, None
    pattern = place.text("pattern")
    if pattern is not None:
        ledger.note(place, "pattern", "mask")
        texts = Texts(None, search_expression(pattern, limits=options.limits, pointer=place.at("pattern")))
    name = place.text("format")
    if name is None:
        pass
    elif name in EXACT_FORMATS:
        ledger.note(place, "format", "mask")
        texts = algebra.intersect(texts, Texts(None, EXACT_FORMATS[name]))
    elif name in MASK_FORMATS:
        known = MASK_FORMATS[name]
        ledger.note(place, "format", known.column, known.note)
        texts = algebra.intersect(texts, Texts(None, known.shape, (), True))
        doubt = Doubt(place.at("format"), "format", "the mask holds only a part of this format")
    elif name in CHECKED_FORMATS:
        ledger.note(place, "format", "checked", "the mask lets any string through")
        doubt = Doubt(place.at("format"), "format", "the mask does not hold this format")
    else:
        ledger.note(place, "format", "annotation", "no format that is known here")
    texts, length_doubt = _with_lengths(texts, place, ledger, options, algebra)
    return texts, doubt or length_doubt


def _with_lengths(
    texts: Texts, place: Place, ledger: Ledger, options: Options, algebra: TextAlgebra
) -> tuple[Texts, Doubt | None]:
    """The texts that have a length in the range. A bound that they keep anyway is not counted."""
    low, high = place.count("minLength"), place.count("maxLength")
    for keyword in ("minLength", "maxLength"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    if low is not None and high is not None and low > high:
        return NO_TEXTS, None
    states = 1
    if texts != ALL_TEXTS and (low or high is not None):
        known = algebra.lengths(texts.shape)
        states = algebra.size(texts.shape) or options.limits.decided_states
        if known is not None:
            low = None if low is not None and low <= known[0] else low
            high = None if high is not None and known[1] is not None and known[1] <= high else high
    if high == 0:
        return algebra.intersect(texts, Texts(("",)), place.pointer), None
    # Each character of a count is a copy of the automaton, and of all its spellings where there are escapes.
    copies = states * (2 if needs_no_escapes(texts) else _SPELLINGS)
    most = min(options.limits.counted_length, options.limits.states // copies)
    doubt = None
    if low is not None and low > most:
        low, doubt = most, _not_counted(place, "minLength", most, ledger, options)
    if high is not None and high > most:
        high, doubt = None, _not_counted(place, "maxLength", most, ledger, options)
    if not low and high is None:
        return texts, doubt
    return algebra.intersect(texts, Texts(None, Repeat(ANY_CHARACTER, low or 0, high))), doubt


def _not_counted(place: Place, keyword: str, most: int, ledger: Ledger, options: Options) -> Doubt:
    """Lengths of free strings and formats are left to the check; beside a pattern that is for the caller to allow."""
    if "pattern" in place.keywords and not options.report:
        what = "characters of a pattern to count"
        raise BudgetError("SCHEMA_BUDGET", pointer=place.at(keyword), limit=most, what=what, name="states")
    why = f"above {most} characters are not counted in the mask"
    ledger.note(place, keyword, "checked", why)
    return Doubt(place.at(keyword), keyword, why)


def read_numbers(place: Place, dialect: Dialect, ledger: Ledger, *, only_integers: bool) -> tuple[NumberRange, ...]:
    """The numbers of a schema."""
    bounds = read_ends(place, dialect)
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    found = NumberRange(bounds.low, bounds.high, bounds.low_open, bounds.high_open, bounds.multiple)
    whole = NumberRange(multiple=_ONE) if only_integers else NumberRange()
    return () if found.is_empty() else intersect_numbers((found,), (whole,))
