"""Equality of JSON values against a plain recursive definition."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.document import document_from_value
from checkrail.boundary.strictjson import parse
from checkrail.boundary.validation.identity import identity

values = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 1.0, -0.0, 0.5, "", "1", "a", "null"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", ""]), inner, max_size=2),
    max_leaves=6,
)


def equal(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    return bool(left == right)


def digest(value: Any) -> bytes:
    return identity(document_from_value(value).root)


@settings(max_examples=400, deadline=None)
@given(values, values)
def test_equal_digests_mean_equal_values(left: Any, right: Any) -> None:
    assert (digest(left) == digest(right)) == equal(left, right)


def test_spelling_does_not_matter_and_precision_does() -> None:
    def of(text: str) -> bytes:
        return identity(parse(text, big_integers=True).root)

    assert of('{"b":1.0,"a":"\\u0041"}') == of('{"a":"A","b":10e-1}')
    assert of("9007199254740992") != of("9007199254740993")
    assert of("0.1") != of("0.1000000000000000055511151231257827")  # one double, two numbers
    assert of("[[1],[2]]") != of("[[1,2]]")
    assert of('["a","b"]') != of('["ab"]')


def test_depth_does_not_matter() -> None:
    deep = parse("[" * 20_000 + "]" * 20_000, max_depth=20_000)
    assert len(identity(deep.root)) == 32
