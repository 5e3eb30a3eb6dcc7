"""Strings: RFC 8259's spellings, length in code points, pattern and format together."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.limits import Limits

characters = st.characters(exclude_categories=["Cs"])


def escaped(text: str) -> str:
    """The same string with every character as \\uXXXX."""
    units = text.encode("utf-16-be")
    return '"' + "".join(f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2)) + '"'


@given(st.text(characters))
def test_every_string_in_every_spelling(accepts, text):
    for spelling in (json.dumps(text), json.dumps(text, ensure_ascii=False), escaped(text)):
        assert accepts({"type": "string"}, spelling)


@pytest.mark.parametrize(
    "spelling",
    [
        '"\x00"',
        '"\n"',
        '"\t"',
        '"\x1f"',
        '"\\x41"',
        '"\\u12"',
        '"\\u12G4"',
        '"\\q"',
        "'a'",
        '"a',
        'a"',
        '"a"b"',
        '"\\"',
        '"\\ud800"',
        '"\\udc00"',
        '"\\ud800\\ud800"',
        '"\\ud800x"',
        '"\\udc00\\ud800"',
        '"\\U0041"',
        '"\\a"',
        "a",
        '""""',
    ],
)
def test_what_is_no_string(accepts, spelling):
    assert not accepts({"type": "string"}, spelling)


@settings(max_examples=150)
@given(st.text(characters, max_size=6), st.integers(0, 5), st.integers(0, 5))
def test_length_counts_code_points(accepts, text, low, high):
    schema = {"type": "string", "minLength": min(low, high), "maxLength": max(low, high)}
    fits = min(low, high) <= len(text) <= max(low, high)
    assert accepts(schema, json.dumps(text, ensure_ascii=False)) is fits
    assert accepts(schema, escaped(text)) is fits


PATTERNS = ["^[a-c]+$", "b", "^a", "c$", "^$", "^(ab|c){1,2}$", "[^a]", "^.{2}$", '^"\\\\$', "\\d"]


@settings(max_examples=200)
@given(st.sampled_from(PATTERNS), st.text('abc1"\\', max_size=4), st.integers(0, 3))
def test_pattern_and_length(accepts, pattern, text, low):
    # These patterns mean the same to Python once `$` is spelled out.
    found = re.search(pattern.replace("$", r"\Z"), text) is not None
    assert accepts({"type": "string", "pattern": pattern, "minLength": low}, json.dumps(text)) is (
        found and len(text) >= low
    )


def test_pattern_and_format(accepts):
    schema = {"type": "string", "format": "date", "pattern": "^20", "maxLength": 10}
    assert accepts(schema, '"2026-11-29"')
    assert not accepts(schema, '"1926-11-29"')
    assert not accepts(schema, '"2026-13-29"')
    assert not accepts({**schema, "maxLength": 9}, '"2026-11-29"')


def test_formats_are_spelled_without_escapes(accepts):
    assert not accepts({"type": "string", "format": "date"}, '"202\\u0036-11-29"')
    assert accepts({"type": "string", "pattern": "^6$"}, '"\\u0036"')


def test_columns(columns):
    def column(**keywords):
        return columns({"type": "string", **keywords})

    assert column(minLength=1, maxLength=1024, pattern="a") == {
        "type": "mask",
        "minLength": "mask",
        "maxLength": "mask",
        "pattern": "mask",
    }
    assert column(maxLength=1025)["maxLength"] == column(minLength=1025)["minLength"] == "checked"
    assert column(format="uuid")["format"] == "mask"
    assert column(format="date")["format"] == "checked"
    assert column(format="iri")["format"] == "checked"
    assert column(format="color")["format"] == "annotation"


def test_lengths_above_the_count(accepts):
    limits = Limits(counted_length=3)
    assert accepts({"type": "string", "maxLength": 4}, '"12345"', limits=limits)
    assert not accepts({"type": "string", "minLength": 5}, '"12"', limits=limits)
    assert accepts({"type": "string", "minLength": 5}, '"123"', limits=limits)


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"minLength": 3, "maxLength": 2}, "SCHEMA_CONFLICT", ""),
        ({"minLength": -1}, "SCHEMA_SYNTAX", "/minLength"),
        ({"pattern": 1}, "SCHEMA_SYNTAX", "/pattern"),
        ({"format": 1}, "SCHEMA_SYNTAX", "/format"),
        ({"pattern": "^(unclosed$"}, "GRAMMAR_SYNTAX", "/pattern"),
        ({"pattern": r"(a)\1"}, "GRAMMAR_UNSUPPORTED", "/pattern"),
        ({"pattern": "(?<=a)b"}, "GRAMMAR_UNSUPPORTED", "/pattern"),
    ],
)
def test_refused(refusal, schema, code, pointer):
    error = refusal({"type": "string", **schema})
    assert (error.code, error.pointer) == (code, pointer)
