"""The lexical shape of the common `format`s, as regular languages over ASCII.

Each entry says which column of the coverage it earns: "mask" where the language is exactly the format,
"checked" where the shape is in the mask and the rest (the calendar, lengths over several parts) is left to the
check after generation. None of the languages holds a quote, a backslash or a control character, so their texts
need no escapes in JSON. What else the check after generation knows is in `CHECKED_FORMATS`;
all other names are annotations.

Sources: RFC 3339 (dates, times, durations), RFC 4122 (UUID), RFC 2673 and 4291 (addresses), RFC 1123 and 5321 (host
names and mail, in `hostnames.py`), RFC 3986 (URIs, in `uri.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from ..grammar.expression import Expression
from .combine import alt, chars, optional, seq, times
from .hostnames import EMAIL, HOSTNAME
from .integers import DIGIT, same_length
from .uri import IPV4, IPV6, URI, URI_REFERENCE

__all__ = ["CHECKED_FORMATS", "MASK_FORMATS", "Format"]


@dataclass(frozen=True, slots=True)
class Format:
    """shape: the texts that the mask lets through. column: who enforces the format as a whole."""

    shape: Expression
    column: Literal["mask", "checked"]
    note: str = ""


@cache
def _duration() -> Expression:
    number = times(DIGIT, 1, None)
    second = seq(number, "S")
    minute = seq(number, "M", optional(second))
    hour = seq(number, "H", optional(minute))
    time = seq("T", alt(hour, minute, second))
    day = seq(number, "D")
    month = seq(number, "M", optional(day))
    year = seq(number, "Y", optional(month))
    return seq("P", alt(seq(alt(day, month, year), optional(time)), time, seq(number, "W")))


_HEX = chars("0-9a-fA-F")
_DATE = seq(times(DIGIT, 4, 4), "-", same_length("01", "12"), "-", same_length("01", "31"))
_OFFSET = alt(chars("Zz"), seq(chars("+-"), same_length("00", "23"), ":", same_length("00", "59")))
_TIME = seq(
    same_length("00", "23"),
    ":",
    same_length("00", "59"),
    ":",
    same_length("00", "60"),
    optional(".", times(DIGIT, 1, None)),
    _OFFSET,
)
_UUID = seq(times(_HEX, 8, 8), times(seq("-", times(_HEX, 4, 4)), 3, 3), "-", times(_HEX, 12, 12))

MASK_FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "date": Format(_DATE, "checked", "the shape is in the mask; the days of the month are checked afterwards"),
        "time": Format(_TIME, "checked", "the shape is in the mask; leap seconds are checked afterwards"),
        "date-time": Format(
            seq(_DATE, chars("Tt"), _TIME),
            "checked",
            "the shape is in the mask; the days of the month and leap seconds are checked afterwards",
        ),
        "duration": Format(_duration(), "mask"),
        "uuid": Format(_UUID, "mask"),
        "ipv4": Format(IPV4, "mask"),
        "ipv6": Format(IPV6, "mask"),
        "hostname": Format(
            HOSTNAME, "checked", "the shape is in the mask, without xn-- labels; the whole length is checked afterwards"
        ),
        "email": Format(
            EMAIL,
            "checked",
            "the shape is in the mask, without quoted names and xn-- labels; lengths are checked afterwards",
        ),
        "uri": Format(URI, "mask"),
        "uri-reference": Format(URI_REFERENCE, "mask"),
    }
)

# Of the standard, asserted by the check after generation alone.
CHECKED_FORMATS = frozenset(
    {
        "idn-email",
        "idn-hostname",
        "iri",
        "iri-reference",
        "json-pointer",
        "regex",
        "relative-json-pointer",
        "uri-template",
    }
)
