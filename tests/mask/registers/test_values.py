"""One spelling for all texts of a JSON value."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.mask.registers.values import canonical, number_key, plain_number, scalars_of

NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(NUMBERS, NUMBERS)
def test_numbers_are_compared_by_what_they_are_worth(a: str, b: str) -> None:
    assert (number_key(a) == number_key(b)) == (Decimal(a) == Decimal(b))
    assert Decimal(plain_number(number_key(a))) == Decimal(a)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_texts_of_one_value_have_one_spelling(value: Any, ascii_only: bool, indent: int | None) -> None:
    def turned(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: turned(part[key]) for key in reversed(part)}
        return [turned(each) for each in part] if isinstance(part, list) else part

    text = json.dumps(value).encode()
    other = json.dumps(turned(value), ensure_ascii=ascii_only, indent=indent).encode()
    assert canonical(text) == canonical(other)


@given(VALUES, VALUES)
def test_different_values_have_different_spellings(a: Any, b: Any) -> None:
    def exact(value: Any) -> Any:  # True is no number here
        if isinstance(value, dict):
            return {key: exact(each) for key, each in value.items()}
        return [exact(each) for each in value] if isinstance(value, list) else (type(value), value)

    same = canonical(json.dumps(a).encode()) == canonical(json.dumps(b).encode())
    assert same == (exact(a) == exact(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [(b'"\\u0061"', b'"a"'), (b'"\\/"', b'"/"'), (b'"\\ud83d\\ude00"', '"\U0001f600"'.encode()), (b"-0", b"0.0")],
)
def test_spellings_of_one_scalar(a: bytes, b: bytes) -> None:
    assert canonical(a) == canonical(b)


def test_the_scalars_of_a_value_are_its_keys_and_leaves() -> None:
    assert sorted(scalars_of(b'{"a": [1, "a"], "b": {}}')) == ['"a"', '"a"', '"b"', "1e0"]
