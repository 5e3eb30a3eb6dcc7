"""The order of suffixes, against sorting them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.ondemand.suffix_order import suffix_order, suffixes_from

TEXTS = st.one_of(st.binary(max_size=60), st.text("ab", max_size=200).map(str.encode))


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_all_suffixes(data: bytes) -> None:
    assert suffix_order(data) == sorted(range(len(data)), key=lambda at: data[at:])


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sets(st.integers(0, 199)), st.integers(1, 4))
def test_some_suffixes_of_texts_with_long_repetitions(data: bytes, wanted: set[int], times: int) -> None:
    data *= times
    starts = [at for at in wanted if at < len(data)]
    assert suffixes_from(data, starts) == sorted(starts, key=lambda at: data[at:])


@pytest.mark.parametrize("data", [b"a" * 3_000, b"ab" * 1_500, b"x" + b"abcabd" * 500], ids=["one", "two", "six"])
def test_repetitions_are_no_trouble(data: bytes) -> None:
    assert suffix_order(data) == sorted(range(len(data)), key=lambda at: data[at:])
