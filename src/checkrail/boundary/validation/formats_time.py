"""The formats of dates and times: RFC 3339, and its appendix A for durations.

The calendar is the proleptic Gregorian one; a leap second is taken at 23:59:60 UTC, on any date, since the list of
leap seconds grows.
"""

from __future__ import annotations

import re

__all__ = ["is_date", "is_date_time", "is_duration", "is_time"]

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")
_CLOCK = r"T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_DAYS = r"(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
_DURATION = re.compile(rf"P(?:{_DAYS}(?:{_CLOCK})?|{_CLOCK}|[0-9]+W)")
_DAYS_OF_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """`2026-02-28`, a day that exists."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    return 1 <= month <= 12 and 1 <= day <= _DAYS_OF_MONTH[month - 1] + (month == 2 and _is_leap(year))


def is_time(text: str) -> bool:
    """`08:30:06.25+02:00`: with an offset or Z; second 60 only where it is 23:59:60 in UTC."""
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    hour, minute, second = (int(part) for part in match.groups()[:3])
    sign, *offset = match.groups()[3:]
    offset_hour, offset_minute = (int(part or 0) for part in offset)
    if hour > 23 or minute > 59 or second > 60 or offset_hour > 23 or offset_minute > 59:
        return False
    shift = (offset_hour * 60 + offset_minute) * (-1 if sign == "-" else 1)
    return second < 60 or (hour * 60 + minute - shift) % 1440 == 1439


def is_date_time(text: str) -> bool:
    """A date, `T`, and a time."""
    return len(text) > 10 and text[10] in "Tt" and is_date(text[:10]) and is_time(text[11:])


def is_duration(text: str) -> bool:
    """`P3DT4H`: units from the largest to the smallest without a gap, or weeks alone."""
    return _DURATION.fullmatch(text) is not None


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
