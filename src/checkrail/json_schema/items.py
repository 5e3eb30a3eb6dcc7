"""What an array schema says about its items: which schemas they have, how many there are, what is checked later."""

from __future__ import annotations

from ..limits import Limits
from .dialect import Dialect
from .keywords import Keywords
from .ledger import Ledger
from .schema import Place

__all__ = ["note_checked_items", "read_item_counts", "read_items"]


def read_items(place: Place, dialect: Dialect, ledger: Ledger) -> tuple[tuple[Place, ...], Place | None]:
    """The schemas of the first items, and that of all after them; None where there is none.

    A list in `items` with `additionalItems` is how drafts before 2020-12 spell `prefixItems` with `items`.
    """
    keywords = place.keywords
    items = keywords.get("items")
    for keyword in ("items", "prefixItems"):
        if keyword in keywords:
            ledger.note(place, keyword, "mask")
    if not isinstance(items, list):
        if "additionalItems" in keywords:
            ledger.note(place, "additionalItems", "annotation", "means nothing unless items is a list")
        return place.schemas("prefixItems"), place.child(items, "items") if "items" in keywords else None
    dialect.refuse_old_spelling(place, "items", 2019, "prefixItems")
    if "prefixItems" in keywords:
        raise place.malformed("items", "is a list beside prefixItems; write one schema for the items after those")
    if "additionalItems" not in keywords:
        return place.schemas("items"), None
    ledger.note(place, "additionalItems", "mask")
    return place.schemas("items"), place.child(keywords["additionalItems"], "additionalItems")


def read_item_counts(place: Place, ledger: Ledger, limits: Limits) -> tuple[int, int | None]:
    """The least and the greatest number of items that the mask counts; None is without end."""
    minimum, maximum = place.count("minItems"), place.count("maxItems")
    if minimum is not None and maximum is not None and minimum > maximum:
        raise place.conflict(f"minItems {minimum} is above maxItems {maximum}")
    most = limits.counted_items
    for keyword, value in (("minItems", minimum), ("maxItems", maximum)):
        if value is not None and value > most:
            ledger.note(place, keyword, "checked", f"above {most} items are not counted in the mask")
        elif value is not None:
            ledger.note(place, keyword, "mask")
    return min(minimum or 0, most), None if maximum is None or maximum > most else maximum


def note_checked_items(place: Place, keywords: Keywords, ledger: Ledger) -> None:
    """`uniqueItems` and `contains` look at several items together, which is left to the check."""
    if "uniqueItems" in place.keywords:
        unique = place.keywords["uniqueItems"]
        if not isinstance(unique, bool):
            raise place.malformed("uniqueItems", "must be true or false")
        ledger.note(place, "uniqueItems", "checked" if unique else "annotation")
    contains = "contains" in place.keywords
    for keyword in ("minContains", "maxContains"):
        if place.count(keyword) is not None:
            note = "" if contains else "means nothing without contains"
            ledger.note(place, keyword, "checked" if contains else "annotation", note)
    if contains:
        ledger.note(place, "contains", "checked")
        keywords.leave_to_check(place.child(place.keywords["contains"], "contains"))
