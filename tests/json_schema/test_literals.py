"""Spellings against Python's and the schema's own values."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.json_schema.literals import canonical_key, depth_of, quote, spell, spell_number
from checkrail.json_schema.whitespace import Whitespace

# What RFC 8785, appendix B, prescribes for these doubles.
RFC_8785 = {
    "0.0": "0",
    "-0.0": "0",
    "5e-324": "5e-324",
    "1.7976931348623157e308": "1.7976931348623157e+308",
    "9007199254740992.0": "9007199254740992",
    "295147905179352830000.0": "295147905179352830000",
    "9.999999999999997e22": "9.999999999999997e+22",
    "1e23": "1e+23",
    "1e21": "1e+21",
    "999999999999999700000.0": "999999999999999700000",
    "9.999999999999997e-7": "9.999999999999997e-7",
    "0.000001": "0.000001",
    "333333333.3333332": "333333333.3333332",
    "-0.0000033333333333333333": "-0.0000033333333333333333",
    "1424953923781206.2": "1424953923781206.2",
}

values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**18), 10**18),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), inner, max_size=3),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize(("written", "spelled"), RFC_8785.items())
def test_numbers_are_spelled_as_rfc_8785_says(written, spelled):
    assert spell_number(Decimal(written)) == spelled


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_no_digit_is_lost(value):
    assert Decimal(spell_number(value)) == value


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_strings_are_spelled_as_python_spells_them(text):
    assert quote(text) == json.dumps(text, ensure_ascii=False)


@given(values)
def test_values_are_spelled_as_python_spells_them(accepts, value):
    assert accepts(spell(value, Whitespace.of("compact")), json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    assert accepts(spell(value, Whitespace.of("json.dumps")), json.dumps(value, ensure_ascii=False))
    blanks = spell(value, Whitespace.of(3))
    assert accepts(blanks, json.dumps(value, ensure_ascii=False))
    assert not accepts(blanks, json.dumps([value], ensure_ascii=False))


def test_canonical_order_is_by_utf_16(accepts):
    keys = ["\U0001f600", "\ufb33", "b", "a", "é"]
    ordered = sorted(keys, key=canonical_key)
    assert ordered == ["a", "b", "é", "\U0001f600", "\ufb33"]
    text = json.dumps(dict.fromkeys(ordered), ensure_ascii=False, separators=(",", ":"))
    value = dict.fromkeys(keys)
    assert accepts(spell(value, Whitespace.of("compact"), canonical_order=True), text)
    assert not accepts(spell(value, Whitespace.of("compact")), text)


def test_depth():
    assert [depth_of(v) for v in (1, "[", [], {}, [[1]], {"a": [{}]})] == [0, 0, 1, 1, 2, 3]
