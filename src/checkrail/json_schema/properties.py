"""What an object schema says about members beyond the declared ones, and about their number.

Objects of the strict profile are closed and their properties are not counted, so these keywords either follow
from `properties` and `required` or are refused.
"""

from __future__ import annotations

from .keywords import Keywords
from .ledger import Ledger
from .schema import Place

__all__ = ["close_object", "count_properties"]


def close_object(place: Place, keywords: Keywords, ledger: Ledger) -> None:
    """`additionalProperties`: absent and false are the same here, all else is refused."""
    if "additionalProperties" not in place.keywords:
        ledger.note(place, "additionalProperties", "mask", "absent: the object is closed")
    elif place.keywords["additionalProperties"] is False:
        ledger.note(place, "additionalProperties", "mask")
    else:
        what = "objects are closed; declare each property, or use an array of objects with a key and a value"
        keywords.refuse(place, "additionalProperties", what)


def count_properties(place: Place, required: int, possible: int, keywords: Keywords, ledger: Ledger) -> None:
    """`minProperties` and `maxProperties`: fine where the number of members implies them.

    required, possible: how many members there are at least and at most.
    """
    minimum, maximum = place.count("minProperties"), place.count("maxProperties")
    least = 0 if minimum is None else minimum
    most = possible if maximum is None else maximum
    if least > min(possible, most) or most < required:
        raise place.conflict(f"{required} to {possible} properties are possible, and none of these numbers is allowed")
    for keyword, implied in (("minProperties", least <= required), ("maxProperties", most >= possible)):
        if keyword not in place.keywords:
            continue
        if implied:
            ledger.note(place, keyword, "mask", "implied by the declared properties")
        else:
            keywords.refuse(place, keyword, "properties are not counted; list what must be there in required")
