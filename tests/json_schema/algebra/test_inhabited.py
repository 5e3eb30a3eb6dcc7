"""What is seen of expressions against the minimal automaton of the whole set."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.grammar.expression import (
    ANY_CHARACTER,
    NOTHING,
    CharacterClass,
    Choice,
    Complement,
    Intersection,
    Literal,
    Repeat,
)
from checkrail.grammar.expression import Sequence as SequenceOf
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.inhabited import is_inhabited, lengths_of
from checkrail.regular.compile import compile_regular

ANY_TEXT = Repeat(ANY_CHARACTER, 0, None)
LEAVES = st.sampled_from([Literal(""), Literal("a"), Literal("ab"), NOTHING, CharacterClass(()), ANY_CHARACTER])
shapes = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: SequenceOf(tuple(items)))
        | st.lists(inner, max_size=3).map(lambda options: Choice(tuple(options)))
        | st.builds(Repeat, inner, st.integers(0, 2), st.sampled_from([None, 2, 3]))
    ),
    max_leaves=5,
)
ranges = st.tuples(st.integers(0, 3), st.none() | st.integers(0, 2))
lengths = ranges.map(lambda pair: Repeat(ANY_CHARACTER, pair[0], None if pair[1] is None else sum(pair)))
factors = st.lists(shapes | shapes.map(Complement) | lengths, min_size=1, max_size=3)
words = st.lists(st.sampled_from(["", "a", "ab", "aa", "b"]), unique=True, max_size=3).map(
    lambda found: tuple(sorted(found))
)


def whole(parts, without=()):
    """The minimal automaton of the words that are in all parts and none of `without`."""
    others = Complement(Choice(tuple(map(Literal, without))))
    return compile_regular(Intersection((ANY_TEXT, *parts, others)))


@settings(deadline=None, max_examples=400)
@given(factors, words)
def test_it_agrees_with_the_automaton_of_the_whole(parts, without):
    seen = is_inhabited(parts, without)
    assert seen is None or seen is not whole(parts, without).is_empty()


@settings(deadline=None, max_examples=400)
@given(shapes, ranges, words)
def test_of_one_expression_nearly_all_is_seen(shape, lengths, without):
    low, high = lengths[0], None if lengths[1] is None else sum(lengths)
    parts = [shape, Repeat(ANY_CHARACTER, low, high)]
    seen = is_inhabited(parts, without)
    assert seen is not None or without or low > 0
    assert seen is None or seen is not whole(parts, without).is_empty()


@settings(deadline=None, max_examples=400)
@given(st.lists(shapes | shapes.map(Complement), min_size=1, max_size=2))
def test_no_word_is_shorter_or_longer_than_it_says(parts):
    automaton = whole(parts)
    if not automaton.is_empty():
        low, high = lengths_of(parts)
        layer, found = {0}, set()
        for length in range(40):
            found |= {length} if any(automaton.accepting[state] for state in layer) else set()
            layer = {target for state in layer for target in automaton.moves[state].values()}
        assert all(low <= length <= high for length in found)


@pytest.mark.parametrize(
    ("patterns", "without", "inhabited"),
    [
        (["^a+$"], ("a",), True),
        (["^a+$"], ("a", "aa"), True),
        (["^a?$"], ("",), True),
        (["^a?$"], ("", "a"), None),
        (["^a", "b$", "^[^]{0,1}$"], (), None),
        (["^ab{3}$", "^[^]{5}$"], (), False),
        (["^(ab){3}$", "^[^]{6,9}$"], (), True),
        (["^(ab)*$", "^[^]{5}$"], (), None),
        (["^(abc|abd)+$", "^ac"], (), False),
        (["^(abc|abd)+$", "^abd"], (), None),
        (["^(?!a)"], (), True),
    ],
)
def test_patterns(patterns, without, inhabited):
    assert is_inhabited([search_expression(pattern) for pattern in patterns], without) is inhabited
