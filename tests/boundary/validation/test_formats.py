"""Formats beyond what the official suite tests: calendars, leap seconds, and hostile lengths."""

from __future__ import annotations

import datetime
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.validation.formats import FORMATS
from checkrail.boundary.validation.patterns import is_pattern, matches

CASES = {
    "date": (
        ["2024-02-29", "0000-02-29", "2000-02-29", "9999-12-31"],
        [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-1-01",
            "2024-04-31",
            "２024-01-01",
            "2024-01-01 ",
        ],
    ),
    "time": (
        ["23:59:60Z", "00:29:60+00:30", "12:00:00.5z"],
        ["12:00:60Z", "12:00:00", "12:00Z", "24:00:00Z", "12:00:00.Z", "12:00:00+24:00"],
    ),
    "date-time": (
        ["2024-02-29T12:00:00Z", "2024-02-29t12:00:00+02:00"],
        ["2024-02-29 12:00:00Z", "2024-02-30T12:00:00Z", "2024-02-29", "T12:00:00Z"],
    ),
    "duration": (["P1Y", "PT1M", "P2W", "P1DT1H"], ["P", "PT", "P1Y2D", "PT1H2S", "P1W1D", "P1.5D"]),
    "email": (
        ["a@b", "a.b+c@example.org", '"a b"@example.org', "x@[127.0.0.1]"],
        ["a", "a@", "@b", "a b@c", ".a@b", "a..b@c", "a@b_c", "a@[1.2.3]", "x" * 65 + "@b"],
    ),
    "idn-email": (["ä@ö.example", "a@b"], ["ä", "ä@", "ä b@c"]),
    "hostname": (
        ["a", "ab--cd", "a-b.example", "xn--bcher-kva.example", "1.2"],
        ["", "-a", "a-", "a..b", "a_b", "xn--", "a" * 64, ".".join(["a" * 63] * 4) + ".a"],
    ),
    "idn-hostname": (
        ["a", "bücher.example", "例え。テスト", "xn--bcher-kva.example", "실례.테스트"],
        ["", "-ä", "ä..b", "〮한글", "a·l", "١۱", "xn--", "ä" * 64],
    ),
    "ipv4": (["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4 ", "１.2.3.4", "1.2.3.4/8"]),
    "ipv6": (
        ["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
        [":", "1:2", "::1::", "fe80::1%eth0", "12345::", "1:2:3:4:5:6:7:8:9"],
    ),
    "uri": (
        ["a:", "http://x", "urn:a:b", "http://[::1]:80/?a#b", "mailto:a@b"],
        ["", "x", "//x", "http://a b", "http://[::1", "http://[x]", "a:%zz", "http://ä"],
    ),
    "uri-reference": (["", "x", "//x/y", "?q", "#f", "a/b:c"], ["a b", "1:2", "%", "\\"]),
    "iri": (["http://ä/ö?ü", "http://x"], ["ä", "http://ä b"]),
    "iri-reference": (["ä", "#ö"], ["ä b", "%ä"]),
    "uuid": (
        ["2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
        ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g", ""],
    ),
    "json-pointer": (["", "/", "/a~0~1/0"], ["a", "/~", "/~2"]),
    "relative-json-pointer": (["0", "1/a", "0#"], ["", "/a", "01", "-1", "0##"]),
    "uri-template": (["", "a{b}", "{+a,b*}", "{a:3}"], ["{", "}", "{}", "{a:0}", "{a b}"]),
}


@pytest.mark.parametrize("name", FORMATS)
def test_examples(name: str) -> None:
    valid, invalid = CASES[name]
    assert [text for text in valid if not FORMATS[name](text)] == []
    assert [text for text in invalid if FORMATS[name](text)] == []


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 9999), st.integers(0, 14), st.integers(0, 33))
def test_dates_agree_with_the_standard_library(year: int, month: int, day: int) -> None:
    try:
        datetime.date(year, month, day)
    except ValueError:
        exists = False
    else:
        exists = True
    assert FORMATS["date"](f"{year:04}-{month:02}-{day:02}") == exists


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "piece", ["a", "1", "a.", "a-", "/a", "%41", "{a}", "1:", "@", "a@", ":", "[", "~0", '"', "P1Y", "é", "xn--"]
)
def test_long_strings_cost_linear_time(name: str, piece: str) -> None:
    started = time.perf_counter()
    for end in ("", " ", "\x00"):
        FORMATS[name](piece * 20_000 + end)
    assert time.perf_counter() - started < 3


def test_regex() -> None:
    for good in ("", "a|b", "^[a-z]{2,}$", r"(?<=a)b", r"(a)\1", r"\bx", "(?=a)b", r"\p{L}", "a{1000000}"):
        assert is_pattern(good), good
    for bad in ("(", "[a", "a**", "(?P<x>a)", "(?i)a", r"\Z", "(?>a)", "(?#c)"):
        assert not is_pattern(bad), bad


def test_patterns_search_as_ecma_does() -> None:
    assert matches("b", "abc")
    assert not matches("^b", "abc")
    assert not matches("^a$", "a\n")  # unlike Python's `re`
    assert not matches(r"^\d$", "٣")
    assert matches("^.$", "\U0001f600")
