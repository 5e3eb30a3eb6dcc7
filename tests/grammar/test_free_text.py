"""Free text with an end, against definitions in Python, on all short texts."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.grammar.free_text import ANY_TEXT, anything_but, text_until, text_without
from checkrail.regular.compile import compile_regular

TEXTS = ["".join(letters) for size in range(7) for letters in itertools.product("ab", repeat=size)]
strings = st.text("ab", min_size=1, max_size=4)


def ends(text: str, string: str) -> list[int]:
    """Where the string ends in the text."""
    return [n for n in range(len(text) + 1) if text[:n].endswith(string)]


@settings(max_examples=60)
@given(st.lists(strings, max_size=3))
def test_text_without_strings(never: list[str]) -> None:
    dfa = compile_regular(text_without(never))
    for text in TEXTS:
        assert dfa.accepts(text) == (not any(string in text for string in never))


@settings(max_examples=100)
@given(strings, st.lists(strings, max_size=2))
def test_text_until_the_first_of_some_strings(stop: str, others: list[str]) -> None:
    dfa = compile_regular(text_until(stop, others))
    for text in TEXTS:
        whole = text + stop
        early = any(end < len(whole) for string in (stop, *others) for end in ends(whole, string))
        assert dfa.accepts(text) == (not early), text


@given(st.lists(strings, max_size=3))
def test_anything_but_some_texts(never: list[str]) -> None:
    dfa = compile_regular(anything_but(never))
    for text in TEXTS:
        assert dfa.accepts(text) == (text not in never)


def test_nothing_to_avoid() -> None:
    assert text_without(()) == ANY_TEXT


@pytest.mark.parametrize("stop", ["</think>", "```", "<tool_call>", "aabaab"])
def test_a_state_for_each_prefix(stop: str) -> None:
    assert len(compile_regular(text_until(stop))) <= len(stop)
    assert len(compile_regular(text_without([stop]))) == len(stop)
