"""A schema's text: what the quick questions miss is found all the same."""

from __future__ import annotations

import json
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import Error
from checkrail.json_schema.schema import read_document
from checkrail.json_schema.schema_text import parse_schema
from checkrail.limits import DEFAULT_LIMITS, Limits


def refused(text, limits=DEFAULT_LIMITS):
    with pytest.raises(Error) as caught:
        parse_schema(text, limits)
    return caught.value.code


# Colons in strings and blanks before colons are what the count of members could be wrong about.
strings = st.sampled_from(["a", "b", ":", '":', " :", "\\", '\\":', "\n:", "a:b", "\u003a", "\t"])
values = st.recursive(
    st.none() | st.integers(-9, 9) | strings,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(strings, inner), max_size=4).map(tuple),
    max_leaves=8,
)
blanks = st.sampled_from(["", " ", "\n", "\r\t"])


def spelled(value, blank, escapes):
    """The text of a value; a tuple is an object that may have keys twice."""
    if isinstance(value, list):
        return "[" + ",".join(spelled(item, blank, escapes) for item in value) + "]"
    if isinstance(value, tuple):
        members = (f"{spelled(k, blank, escapes)}{blank}:{blank}{spelled(v, blank, escapes)}" for k, v in value)
        return "{" + ",".join(members) + "}"
    text = json.dumps(value)
    return text.replace(":", "\\u003a") if escapes and isinstance(value, str) else text


def has_twice(value):
    if isinstance(value, tuple):
        return max(Counter(key for key, _ in value).values(), default=0) > 1 or any(has_twice(v) for _, v in value)
    return isinstance(value, list) and any(map(has_twice, value))


@settings(deadline=None, max_examples=500)
@given(values, blanks, st.booleans())
def test_keys_that_occur_twice_are_found_and_no_others(value, blank, escapes):
    text = spelled(value, blank, escapes)
    if has_twice(value):
        assert refused(text) == "SCHEMA_SYNTAX"
    else:
        assert parse_schema(text, DEFAULT_LIMITS) == json.loads(text)


@pytest.mark.parametrize("surrogate", ['"\\ud800"', '"\\uDC00x"', '{"\\ud83d": 1}', '["\ud800"]'])
def test_half_of_a_surrogate_pair(surrogate):
    assert refused(surrogate) == "SCHEMA_SYNTAX"
    assert parse_schema('"\\ud83d\\ude00"', DEFAULT_LIMITS) == "\U0001f600"


def test_depth_is_bounded_whatever_the_recursion_limit():
    deep = "[" * 65 + "]" * 65
    limit = sys.getrecursionlimit()
    assert refused(deep) == "GRAMMAR_BUDGET_DEPTH"
    assert refused("[" * 50_000 + "]" * 50_000) == "GRAMMAR_BUDGET_DEPTH"
    try:
        sys.setrecursionlimit(10**6)
        assert refused('{"a":' * 500_000) == "GRAMMAR_BUDGET_DEPTH"
    finally:
        sys.setrecursionlimit(limit)
    assert parse_schema(deep[1:-1], DEFAULT_LIMITS)


def test_the_number_of_values_is_bounded():
    text = "[" + ",".join("1" * 30) + "]"
    assert refused(text, Limits(expression_nodes=30)) == "GRAMMAR_BUDGET_NODES"
    assert len(parse_schema(text, Limits(expression_nodes=31))) == 30


def test_numbers():
    assert parse_schema("[-0, 1e2, -0.0, 12345678901234567890]", DEFAULT_LIMITS) == [0, 100, 0, 12345678901234567890]
    assert parse_schema("9" * 308, DEFAULT_LIMITS) == int("9" * 308)
    for text in ("9" * 309, "-" + "9" * 401, "1e309", "0." + "1" * 1100):
        assert refused(text) == "SCHEMA_SYNTAX"


@pytest.mark.parametrize(
    ("source", "may"),
    [('{"a": "$id"}', True), ('{"$id": "x"}', True), ("{}", False), ({"a": 1}, True), ('{"\\u0069d": "x"}', True)],
)
def test_whether_a_part_may_have_an_id(source, may):
    assert read_document(source, DEFAULT_LIMITS)[1] is may
