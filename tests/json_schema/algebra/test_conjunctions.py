"""Unions of conjunctions against membership one by one, and against how they are written."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.grammar.expression import ANY_CHARACTER, NOTHING, Complement, Intersection, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.grammar.traverse import walk
from checkrail.json_schema.algebra.conjunctions import alternatives, both, factors_of, is_length, opposite
from checkrail.json_schema.algebra.tried import Tried
from checkrail.limits import Limits

WORDS = ["".join(letters) for n in range(6) for letters in itertools.product("ab", repeat=n)]
TRIED = Tried(Limits())
A, B = search_expression("^a"), search_expression("b$")


def length(low, high=None):
    return Repeat(ANY_CHARACTER, low, high)


programs = st.recursive(
    st.sampled_from([A, B, search_expression("^(ab|b)*$"), length(2), length(0, 3), length(1, 4), length(3, 3)]),
    lambda inner: st.tuples(inner, inner) | st.tuples(inner),
    max_leaves=6,
)


def evaluate(program):
    """The shape of a program, and the words in it."""
    if not isinstance(program, tuple):
        return program, {word for word in WORDS if TRIED.holds(program, word)}
    parts = [evaluate(part) for part in program]
    if len(parts) == 1:
        return opposite(parts[0][0]), {*WORDS} - parts[0][1]
    return both(parts[0][0], parts[1][0]), parts[0][1] & parts[1][1]


@settings(deadline=None, max_examples=300)
@given(programs)
def test_shapes_hold_what_they_should(program):
    shape, expected = evaluate(program)
    assert {word for word in WORDS if TRIED.holds(shape, word)} == expected


def test_lengths_stay_beside_patterns():
    counted = both(A, length(2, 1000))
    for shape in (counted, opposite(counted), both(B, opposite(counted)), both(opposite(counted), opposite(counted))):
        for option in alternatives(shape):
            for factor in factors_of(option):
                assert is_length(factor) or not any(is_length(node) and node != length(0) for node in walk(factor))


@pytest.mark.parametrize(
    "pair",
    [
        (A, opposite(A)),
        (length(0, 3), length(4)),
        (both(A, length(2)), opposite(both(A, length(2)))),
        (both(A, B), opposite(both(A, B))),
        (both(A, opposite(B)), opposite(both(A, opposite(B)))),
    ],
)
def test_what_excludes_one_another_as_it_is_written(pair):
    assert both(*pair) == both(*reversed(pair)) == NOTHING


def test_complements_are_put_together():
    shape = both(both(opposite(A), opposite(B)), opposite(search_expression("^b")))
    assert isinstance(shape, Complement)
    assert not any(isinstance(node, Intersection) for node in walk(shape))
