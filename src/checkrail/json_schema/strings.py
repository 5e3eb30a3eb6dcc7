"""String schemas: length, pattern and format, combined exactly.

Length and pattern are languages of decoded characters; their intersection is spelled as JSON last, so a length
counts characters and not escapes. A format's language needs no escapes and is intersected with the spellings.
Counting costs about twenty states for each character, so lengths beyond `Limits.counted_length` are checked
after generation instead.
"""

from __future__ import annotations

from ..grammar.expression import ANY_CHARACTER, Expression, Intersection, JsonString, Repeat
from ..grammar.regex import search_expression
from ..limits import Limits
from .combine import seq
from .formats import CHECKED_FORMATS, MASK_FORMATS
from .ledger import Ledger
from .schema import Place

__all__ = ["ANY_STRING", "STRING_KEYWORDS", "string_expression"]

STRING_KEYWORDS = frozenset({"minLength", "maxLength", "pattern", "format"})

ANY_STRING = seq('"', JsonString(Repeat(ANY_CHARACTER, 0, None)), '"')


def string_expression(place: Place, ledger: Ledger, limits: Limits) -> Expression | None:
    """The strings of a schema, quotes included; None where nothing in the mask constrains them."""
    decoded = _lengths(place, ledger, limits)
    pattern = place.text("pattern")
    if pattern is not None:
        decoded.append(search_expression(pattern, limits=limits, pointer=place.at("pattern")))
        ledger.note(place, "pattern", "mask")
    spelled: list[Expression] = []
    shape = _format(place, ledger)
    if shape is not None:
        spelled.append(shape)
    if decoded:
        spelled.append(JsonString(_all_of(decoded)))
    return seq('"', _all_of(spelled), '"') if spelled else None


def _all_of(parts: list[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else Intersection(tuple(parts))


def _lengths(place: Place, ledger: Ledger, limits: Limits) -> list[Expression]:
    minimum, maximum = place.count("minLength"), place.count("maxLength")
    if minimum is not None and maximum is not None and minimum > maximum:
        raise place.conflict(f"minLength {minimum} is above maxLength {maximum}")
    counted: list[int | None] = []
    for keyword, value in (("minLength", minimum), ("maxLength", maximum)):
        if value is None:
            counted.append(None)
        elif value <= limits.counted_length:
            ledger.note(place, keyword, "mask")
            counted.append(value)
        else:
            ledger.note(
                place, keyword, "checked", f"above {limits.counted_length} characters are not counted in the mask"
            )
            counted.append(None if keyword == "maxLength" else limits.counted_length)
    low, high = counted
    return [] if not low and high is None else [Repeat(ANY_CHARACTER, low or 0, high)]


def _format(place: Place, ledger: Ledger) -> Expression | None:
    name = place.text("format")
    if name is None:
        return None
    known = MASK_FORMATS.get(name)
    if known is not None:
        ledger.note(place, "format", known.column, known.note)
        return known.shape
    if name in CHECKED_FORMATS:
        ledger.note(place, "format", "checked", "the mask lets any string through")
    else:
        ledger.note(place, "format", "annotation", "no format that is known here")
    return None
