"""Patterns are remembered as sets; errors are not, since each has its own place."""

from __future__ import annotations

import pytest

from checkrail.errors import Error
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.patterns import pattern_texts
from checkrail.limits import Limits


def test_the_same_pattern_is_the_same_set():
    first = pattern_texts("^ab+$", pointer="/a/pattern")
    assert first.shape == search_expression("^ab+$")
    assert pattern_texts("^ab+$", pointer="/b/pattern") is first
    assert pattern_texts("^ab*$", pointer="/b/pattern") != first


def test_limits_belong_to_it():
    assert pattern_texts("a{1,9}", pointer="/p").shape == search_expression("a{1,9}")
    with pytest.raises(Error) as caught:
        pattern_texts("a{1,9}", limits=Limits(repetitions=3), pointer="/p")
    assert caught.value.pointer == "/p"


def test_an_error_has_its_own_place():
    for pointer in ("/a/pattern", "/b/pattern"):
        with pytest.raises(Error) as caught:
            pattern_texts("(", pointer=pointer)
        assert (caught.value.code, caught.value.pointer) == ("GRAMMAR_SYNTAX", pointer)


@pytest.mark.parametrize(
    ("pattern", "members"),
    [
        ("^a$", ("a",)),
        ("^(b|a)?$", ("", "b", "a")),
        ("^[0-2]x{1,2}$", ("0x", "1x", "2x", "0xx", "1xx", "2xx")),
        ("^$", ("",)),
        ("^[]$", ()),
    ],
)
def test_a_pattern_of_few_texts_is_these_texts(pattern, members):
    found = pattern_texts(pattern, pointer="").members
    assert found is not None
    assert sorted(found) == sorted(members)


@pytest.mark.parametrize("pattern", ["a", "^a", "^a+$", "^[a-z]{2}$", "^(?!a)b$", "^.$", "^a{33}?b{0,40}$", "^x{300}$"])
def test_other_patterns_stay_patterns(pattern):
    assert pattern_texts(pattern, pointer="").members is None
