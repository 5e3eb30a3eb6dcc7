"""JSON pointers: the examples of RFC 6901, and the round trip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary.pointers import join, split

RFC_6901 = {
    "": [],
    "/foo": ["foo"],
    "/foo/0": ["foo", "0"],
    "/": [""],
    "/a~1b": ["a/b"],
    "/c%d": ["c%d"],
    "/ ": [" "],
    "/m~0n": ["m~n"],
    "/~01": ["~1"],
}


@pytest.mark.parametrize(("pointer", "tokens"), RFC_6901.items())
def test_examples_of_the_rfc(pointer: str, tokens: list[str]) -> None:
    assert split(pointer) == tokens
    assert join(tokens) == pointer


@pytest.mark.parametrize("pointer", ["a", "a/b", "/~", "/~2", "/a~"])
def test_what_is_no_pointer(pointer: str) -> None:
    with pytest.raises(ValueError, match="JSON pointer"):
        split(pointer)


@given(st.lists(st.text("a/~01", max_size=4), max_size=4))
def test_round_trip(tokens: list[str]) -> None:
    assert split(join(tokens)) == tokens
