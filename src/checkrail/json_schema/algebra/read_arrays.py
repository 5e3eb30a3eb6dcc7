"""What a schema says about arrays, as records."""

from __future__ import annotations

from ..dialect import Dialect
from ..items import read_items
from ..keywords import Keywords
from ..ledger import Ledger
from ..options import Options
from ..schema import Place
from .arrays import ArrayRecord, Contains
from .terms import Terms

__all__ = ["read_array"]


def read_array(
    place: Place, terms: Terms, dialect: Dialect, ledger: Ledger, keywords: Keywords, options: Options
) -> tuple[ArrayRecord, ...]:
    """The arrays of a schema, at most one record."""
    prefix_places, rest_place = read_items(place, dialect, ledger)
    prefix = tuple(terms.place(item) for item in prefix_places)
    rest = terms.true if rest_place is None else terms.place(rest_place)
    minimum, maximum = _counts(place, ledger)
    if terms.false in prefix:
        cut = prefix.index(terms.false)
        prefix, rest = prefix[:cut], terms.false
    if rest is terms.false:
        maximum = len(prefix) if maximum is None else min(maximum, len(prefix))
    if maximum is not None:
        prefix = prefix[:maximum]
    contains, impossible = _contains(place, terms, ledger)
    unique = _unique(place, ledger, keywords, options)
    if impossible or (maximum is not None and minimum > maximum):
        return ()
    return (ArrayRecord(prefix, None if rest is terms.true else rest, minimum, maximum, contains, unique),)


def _counts(place: Place, ledger: Ledger) -> tuple[int, int | None]:
    """The least and the greatest number of items."""
    minimum, maximum = place.count("minItems") or 0, place.count("maxItems")
    for keyword in ("minItems", "maxItems"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    return minimum, maximum


def _contains(place: Place, terms: Terms, ledger: Ledger) -> tuple[tuple[Contains, ...], bool]:
    """What must be contained, and whether that is impossible."""
    minimum, maximum = place.count("minContains"), place.count("maxContains")
    if "contains" not in place.keywords:
        for keyword in ("minContains", "maxContains"):
            if keyword in place.keywords:
                ledger.note(place, keyword, "annotation", "means nothing without contains")
        return (), False
    for keyword in ("contains", "minContains", "maxContains"):
        if keyword in place.keywords:
            ledger.note(place, keyword, "mask")
    value = terms.place(place.child(place.keywords["contains"], "contains"))
    least = 1 if minimum is None else minimum
    if least == 0 and maximum is None:
        return (), False
    impossible = least > 0 and (value is terms.false or (maximum is not None and maximum < least))
    return (Contains(value, least, maximum),), impossible


def _unique(place: Place, ledger: Ledger, keywords: Keywords, options: Options) -> str | None:
    """The pointer of `uniqueItems: true`. With `unsupported="report"` it is left to the check, which is said here."""
    unique = place.keywords.get("uniqueItems")
    if unique is None and "uniqueItems" not in place.keywords:
        return None
    if not isinstance(unique, bool):
        raise place.malformed("uniqueItems", "must be true or false")
    if not unique:
        ledger.note(place, "uniqueItems", "annotation")
        return None
    if options.report:
        keywords.refuse(place, "uniqueItems", "")
    else:
        ledger.note(place, "uniqueItems", "mask")
    return place.at("uniqueItems")
