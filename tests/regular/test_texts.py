"""Sets of texts against the definition of what matches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import ANY_CHARACTER, Choice, Complement, Intersection, Literal, Repeat, Sequence
from checkrail.grammar.regex import search_expression
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.regular.compile import compile_regular
from checkrail.regular.derivatives import ENDLESS
from checkrail.regular.texts import text_automaton
from reference import matches
from strategies import combinations, regular_expressions, texts

ANYTHING = Repeat(ANY_CHARACTER, 0, None)
SHORT = ["", "a", "b", "ab", "ba", "aa", "é", "日", '"', "aab"]


@given(combinations, st.sets(texts, max_size=4), st.lists(texts, max_size=6))
@settings(max_examples=150, deadline=None)
def test_texts_without_some(shape, without, some):
    automaton = text_automaton(shape, without, DEFAULT_LIMITS)
    for text in {*SHORT, *without, *some}:
        expected = text not in without and matches(shape, text)
        assert (automaton is not None and automaton.accepts(text)) == expected, text


@given(st.sets(texts, max_size=6), st.sets(texts, max_size=6))
@settings(max_examples=100, deadline=None)
def test_finite_sets_run_out_exactly(members, without):
    automaton = text_automaton(Choice(tuple(map(Literal, sorted(members)))), without, DEFAULT_LIMITS)
    assert (automaton is None) == (members <= without)


@given(
    st.lists(st.tuples(regular_expressions, st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=3),
    st.lists(texts, max_size=6),
)
@settings(max_examples=100, deadline=None)
def test_unions_of_bounded_texts(parts, some):
    shapes = [Intersection((e, Repeat(ANY_CHARACTER, low, low + more))) for e, low, more in parts]
    automaton = text_automaton(Choice(tuple(shapes)), (), DEFAULT_LIMITS)
    for text in [*SHORT, *some]:
        expected = any(matches(e, text) and low <= len(text) <= low + more for e, low, more in parts)
        assert (automaton is not None and automaton.accepts(text)) == expected, text


def test_every_state_leads_to_a_text():
    without = ("foo", "foobar", "fob", "")
    automaton = text_automaton(search_expression("^(foo|foobar|fob|fox*)?$"), without, DEFAULT_LIMITS)
    assert automaton is not None
    characters = automaton.characters
    order = [characters.start]
    before: dict[int, set[int]] = {}
    for state in order:
        for target in characters.row(state):
            if target >= 0:
                before.setdefault(target, set()).add(state)
                if target not in order:
                    order.append(target)
    alive = [state for state in order if characters.accepting(state)]
    for state in alive:
        alive += [source for source in before.get(state, ()) if source not in alive]
    assert set(alive) == set(order)


def test_several_lengths_of_one_set_are_all_kept():
    bounds = [Repeat(ANY_CHARACTER, 2, None), Repeat(ANY_CHARACTER, 0, 9), Repeat(ANY_CHARACTER, 1, 4)]
    automaton = text_automaton(Intersection((search_expression("x"), *bounds)), (), DEFAULT_LIMITS)
    assert automaton is not None
    assert [automaton.accepts("x" * n) for n in range(7)] == [False, False, True, True, True, False, False]


@pytest.mark.parametrize("most", [10, 10_000, 1_000_000])
def test_lengths_are_as_cheap_to_begin_however_long(most):
    shape = Intersection((search_expression("^[a-z ]+$"), Repeat(ANY_CHARACTER, 5, most)))
    automaton = text_automaton(shape, (), DEFAULT_LIMITS)
    assert automaton is not None
    assert automaton.accepts("hello")
    assert not automaton.accepts("hell")


def test_runs_and_names_are_those_of_the_lengths_that_are_left():
    bounded = text_automaton(Repeat(ANY_CHARACTER, 0, 5_000), (), DEFAULT_LIMITS)
    other = text_automaton(Repeat(ANY_CHARACTER, 0, 6_000), (), DEFAULT_LIMITS)
    assert bounded is not None
    assert other is not None
    everything = frozenset({0})
    first = bounded.characters.row(bounded.characters.start)[0]
    assert bounded.characters.run(first, everything) == 4_999
    names = [a.characters.name_of(a.characters.start, 100) for a in (bounded, other)]
    assert names[0] == names[1]
    assert bounded.characters.name_of(first, 5_500) != other.characters.name_of(other.characters.start, 5_500)
    endless = text_automaton(ANYTHING, (), DEFAULT_LIMITS)
    assert endless is not None
    assert endless.characters.run(endless.characters.start, everything) == ENDLESS


def test_large_sets_of_names_and_deep_ones():
    names = [f"{number:04}" for number in range(10_000)]
    digits = search_expression("^[0-9]{4}$")
    assert text_automaton(digits, names, DEFAULT_LIMITS) is None
    one_left = text_automaton(digits, names[:-1], DEFAULT_LIMITS)
    assert one_left is not None
    assert one_left.accepts("9999")
    assert not one_left.accepts("9998")
    deep = text_automaton(ANYTHING, ["x" * 50_000], DEFAULT_LIMITS)
    assert deep is not None
    assert deep.accepts("x" * 49_999)


def test_what_is_too_large_is_refused():
    shape = Complement(search_expression("a.{9}b"))
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        text_automaton(Sequence((Literal("x"), shape)), (), Limits(states=100))
    automaton = text_automaton(shape, (), Limits(states=100))  # its own states are made on demand
    assert automaton is not None
    many = "".join(f"{number:09b}" for number in range(512)).replace("0", "c").replace("1", "a")
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        automaton.accepts(many)
    assert not compile_regular(shape).is_empty()


def test_states_of_unions_and_of_names_are_bounded():
    long = Intersection((search_expression("^a*$"), Repeat(ANY_CHARACTER, 0, 1_000)))
    for shape, without in ((Choice((long, Complement(search_expression("b")))), ()), (ANYTHING, ["a" * 1_000])):
        automaton = text_automaton(shape, without, Limits(states=50))
        assert automaton is not None
        with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
            automaton.accepts("a" * 900)
