"""Where an unfinished JSON text is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary.strictjson import parse
from checkrail.cli.json_place import pointer_at


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("", ""),
        ("12", ""),
        ("{", ""),
        ('{"a', "/a"),
        ('{"a": ', "/a"),
        ('{"a": {"b": [true, false, nu', "/a/b/2"),
        ('{"a": [1, 2], "b": "}]', "/b"),
        ('{"a": 1, ', ""),
        ('{"a": [{"x": 1}, {"y~": "\\"', "/a/1/y~0"),
        ('{"\\u0061": 1', "/a"),
        ("[[], [[", "/1/0/0"),
        ("[1]", ""),
        ('{"": [2', "//0"),
        ("]}:,", ""),
    ],
)
def test_places(text: str, pointer: str) -> None:
    assert pointer_at(text) == pointer


KEYS = st.text(max_size=4)
VALUES = st.recursive(
    st.integers() | st.text(max_size=4) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_it_agrees_with_the_strict_reader(value: Any) -> None:
    text = json.dumps(value)
    for node in parse(text, big_integers=True).nodes():
        assert node.span is not None
        if not isinstance(node.value, (dict, list)):
            assert pointer_at(text[: node.span[0] + 1]) == node.pointer
