"""Formats that are exact, against the standard library and the examples of their specifications."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.json_schema.algebra.formats import EXACT_FORMATS
from checkrail.regular.compile import compile_regular


@pytest.fixture(scope="module")
def dfas():
    return {name: compile_regular(shape) for name, shape in EXACT_FORMATS.items()}


@settings(deadline=None, max_examples=300)
@given(st.integers(1, 9999), st.integers(0, 13), st.integers(0, 32))
def test_dates_are_those_of_the_calendar(dfas, year, month, day):
    text = f"{year:04}-{month:02}-{day:02}"
    try:
        date(year, month, day)
    except ValueError:
        assert not dfas["date"].accepts(text)
    else:
        assert dfas["date"].accepts(text)


@pytest.mark.parametrize("year", [4, 1900, 2000, 2023, 2024, 2100, 2400])
def test_leap_years(dfas, year):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    assert dfas["date"].accepts(f"{year:04}-02-29") == leap


@pytest.mark.parametrize(
    ("name", "text", "valid"),
    [
        ("date-time", "1985-04-12T23:20:50.52Z", True),
        ("date-time", "1990-12-31T23:59:60Z", True),
        ("date-time", "1990-12-31T22:59:60Z", False),
        ("date-time", "1990-02-31T15:59:59Z", False),
        ("date-time", "1985-04-12 23:20:50Z", False),
        ("time", "23:59:60+00:00", True),
        ("time", "24:00:00Z", False),
        ("json-pointer", "", True),
        ("json-pointer", "/foo/a~1b/m~0n/", True),
        ("json-pointer", "/~2", False),
        ("json-pointer", "a", False),
        ("relative-json-pointer", "0/objects", True),
        ("relative-json-pointer", "2#", True),
        ("relative-json-pointer", "01/a", False),
        ("relative-json-pointer", "1#/a", False),
        ("uri-template", "http://example.com/~{username}/{?query*,number:12}", True),
        ("uri-template", "{term:0}", False),
        ("uri-template", "{a,,b}", False),
        ("uri-template", "a b", False),
        ("uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", True),
    ],
)
def test_examples(dfas, name, text, valid):
    assert dfas[name].accepts(text) == valid
