"""Formats that are regular to the last detail: dates with the calendar, pointers, URI templates.

The common table (`json_schema.formats`) holds the shape of dates and leaves the calendar to the check after
generation; here it is in the language, so these formats can be complemented.

Sources: RFC 3339, section 5.6 and appendix C (leap years); RFC 6901 (pointers); draft-bhutton-relative-json-pointer;
RFC 6570, section 2, with erratum 6937 (URI templates, up to level 4). A leap second is 23:59:60 in UTC, and is taken
with the offsets that say UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...grammar.codepoints import character_class, difference, normalise
from ...grammar.expression import Expression
from ..combine import alt, chars, optional, seq, times
from ..formats import MASK_FORMATS
from ..integers import DIGIT, same_length

__all__ = ["EXACT_FORMATS"]

_FOURTHS = alt(seq(chars("02468"), chars("048")), seq(chars("13579"), chars("26")))  # 00, 04, ..., 96
_FOURTHS_BUT_00 = alt(seq("0", chars("48")), seq(chars("2468"), chars("048")), seq(chars("13579"), chars("26")))
_YEAR = times(DIGIT, 4, 4)
_LEAP_YEAR = alt(seq(times(DIGIT, 2, 2), _FOURTHS_BUT_00), seq(_FOURTHS, "00"))
_DATE = alt(
    seq(_YEAR, "-", alt(seq("0", chars("13578")), "10", "12"), "-", same_length("01", "31")),
    seq(_YEAR, "-", alt(seq("0", chars("469")), "11"), "-", same_length("01", "30")),
    seq(_YEAR, "-02-", same_length("01", "28")),
    seq(_LEAP_YEAR, "-02-29"),
)
_FRACTION = optional(".", times(DIGIT, 1, None))
_OFFSET = alt(chars("Zz"), seq(chars("+-"), same_length("00", "23"), ":", same_length("00", "59")))
_TIME = alt(
    seq(same_length("00", "23"), ":", same_length("00", "59"), ":", same_length("00", "59"), _FRACTION, _OFFSET),
    seq("23:59:60", _FRACTION, alt(chars("Zz"), "+00:00", "-00:00")),
)

_ANY = ((0x0, 0xD7FF), (0xE000, 0x10FFFF))


def _but(*removed: str) -> Expression:
    """Any character but these."""
    return character_class(difference(_ANY, normalise((ord(char), ord(char)) for char in "".join(removed))))


_POINTER = times(seq("/", times(alt(_but("/~"), seq("~", chars("01"))), 0, None)), 0, None)
_RELATIVE_POINTER = seq(alt("0", seq(chars("1-9"), times(DIGIT, 0, None))), alt("#", _POINTER))


def _uri_template() -> Expression:
    percent = seq("%", chars("0-9a-fA-F"), chars("0-9a-fA-F"))
    controls = "".join(map(chr, (*range(0x21), 0x7F)))
    literal = alt(_but(controls, '"%<>\\^`{|}'), percent)
    character = alt(chars("0-9A-Z_a-z"), percent)
    name = seq(character, times(seq(optional("."), character), 0, None))
    prefix = seq(":", chars("1-9"), times(DIGIT, 0, 3))
    variable = seq(name, optional(alt(prefix, "*")))
    operator = optional(chars("+#./;?&=,!@|"))
    return times(alt(literal, seq("{", operator, variable, times(seq(",", variable), 0, None), "}")), 0, None)


EXACT_FORMATS: Mapping[str, Expression] = MappingProxyType(
    {
        "date": _DATE,
        "time": _TIME,
        "json-pointer": _POINTER,
        "relative-json-pointer": _RELATIVE_POINTER,
        "uri-template": _uri_template(),
        "date-time": seq(_DATE, chars("Tt"), _TIME),
        **{name: entry.shape for name, entry in MASK_FORMATS.items() if entry.column == "mask"},
    }
)
