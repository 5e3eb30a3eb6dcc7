"""Boolean combinations on demand: equal to the static pipeline's automata, without dead ends, and never slow."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import ANY_CHARACTER, Complement, Expression, Intersection, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.regular.compile import compile_regular
from checkrail.regular.conjunctions import Conjunction
from checkrail.regular.derivatives import Derivatives
from checkrail.regular.texts import text_automaton
from language_oracle import walk_both
from strategies import regular_expressions

# A pattern of a published schema: host names, of parts that are counted, with something that must not be in them.
HOST_NAME = r"^(?!.*://)(?=.{1,255}$)((.{1,63}\.){1,127}(?![0-9]*$)[a-z0-9-]+\.?)$"


def conjunction(inside: list[Expression], outside: list[Expression], low: int, high: int) -> Conjunction:
    derivatives = Derivatives([*inside, *map(Complement, outside)], DEFAULT_LIMITS)
    nodes = [[derivatives.node(part) for part in parts] for parts in (inside, outside)]
    return Conjunction(derivatives, *nodes, low, high)


@given(
    st.lists(regular_expressions, min_size=1, max_size=2),
    st.lists(regular_expressions, max_size=2),
    st.integers(0, 3),
    st.one_of(st.just(-1), st.integers(3, 5)),
)
@settings(max_examples=150, deadline=None)
def test_they_are_the_automata_of_their_expressions(inside, outside, low, high):
    found = conjunction(inside, outside, low, high)
    lengths = Repeat(ANY_CHARACTER, low, None if high < 0 else high)
    expression = Intersection((*inside, *map(Complement, outside), lengths))
    dfa = compile_regular(expression)
    if found.start < 0:
        assert dfa.is_empty()
        return
    assert not dfa.is_empty()
    partition = Derivatives([*inside, *map(Complement, outside)], DEFAULT_LIMITS).partition

    def step(state: int, value: int) -> int:
        letter = partition.letter(value)
        return found.row(state)[letter] if letter >= 0 else -1

    starts = [ranges[0][0] for p in (partition, dfa.partition) for ranges in p.ranges_by_letter()]
    walk_both(dfa, step, found.accepting, {0x1F600, 0x10FFFF, *starts})


@pytest.mark.parametrize(
    "text",
    [
        ("x" * 60 + ".") * 4 + "y" * 11,
        ("x" * 60 + ".") * 4 + "y" * 12,
        "www.example.com",
        "example.com.",
        "example",
        "a.1",
        "a.1b",
        "a://b.c",
        "a.b.c." * 4,
        "x" * 64 + ".y",
        ".",
    ],
)
def test_a_combination_too_large_for_a_table(text):
    automaton = text_automaton(search_expression(HOST_NAME), (), DEFAULT_LIMITS)
    assert automaton is not None
    assert isinstance(automaton.characters, Conjunction)
    assert automaton.accepts(text) == bool(re.search(HOST_NAME, text))


@pytest.mark.parametrize("pattern", ["^(?!.*a.{20}b).*$", "^(?!" + "ab" * 30_000 + "$).*$", HOST_NAME])
def test_hostile_patterns_begin_at_once(pattern):
    shape = search_expression(pattern)
    started = time.perf_counter()
    automaton = text_automaton(shape, (), DEFAULT_LIMITS)
    assert time.perf_counter() - started < 1
    assert automaton is not None
    assert automaton.accepts("abc.def")


def test_what_no_text_satisfies_is_found_out_or_refused():
    apart = [search_expression(f"^(?:.{{{n}}})+x$") for n in (2, 3, 5)]
    assert conjunction(apart, [search_expression("y|^.{60}")], 2, -1).start >= 0
    assert conjunction(apart, [search_expression("y|^.{28}")], 2, -1).start < 0
    shape = Intersection((search_expression("a.{10}b.*c$"), search_expression("^[^c]*$")))
    assert text_automaton(shape, (), DEFAULT_LIMITS) is None
    with pytest.raises(BudgetError):
        text_automaton(
            Intersection((search_expression("a.{30}b.*c$"), search_expression("^[^c]*$"))), (), Limits(states=900)
        )


def test_repr():
    assert repr(conjunction([search_expression("^a*$")], [], 0, -1)) == "<Conjunction 1 states so far>"
