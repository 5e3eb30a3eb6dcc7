"""Subset automata with windows on the length, against the static pipeline's automata of the same language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import (
    ANY_CHARACTER,
    CharacterClass,
    Choice,
    Expression,
    Intersection,
    Literal,
    Repeat,
)
from checkrail.grammar.expression import Sequence as SequenceOf
from checkrail.grammar.regex import search_expression
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.regular.compile import compile_regular
from checkrail.regular.derivatives import Derivatives
from checkrail.regular.subsets import NO_BOUND, subsets_of
from language_oracle import walk_both
from strategies import combinations


def check(expression: Expression, low: int, high: int) -> int:
    """How many states there are; AssertionError where they are not those of the expression within the lengths."""
    bounds = Repeat(ANY_CHARACTER, low, None if high == NO_BOUND else high)
    dfa = compile_regular(Intersection((expression, bounds)))
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    subsets = subsets_of(derivatives)
    start = subsets.start(derivatives.node(expression), low, high)
    if start < 0:
        assert dfa.is_empty()
        return 0
    assert not dfa.is_empty()
    starts = [ranges[0][0] for p in (derivatives.partition, dfa.partition) for ranges in p.ranges_by_letter()]

    def step(state: int, value: int) -> int:
        letter = derivatives.partition.letter(value)
        return subsets.row(state)[letter] if letter >= 0 else -1

    walk_both(dfa, step, subsets.accepting, {0x1F600, 0x10FFFF, ord("~"), *starts})
    return len(subsets)


@given(combinations, st.integers(0, 4), st.one_of(st.just(NO_BOUND), st.integers(0, 5)))
@settings(max_examples=200, deadline=None)
def test_they_are_the_texts_within_the_window(expression, low, high):
    check(expression, low, high if high < 0 else low + high)


@pytest.mark.parametrize("window", [(0, NO_BOUND), (3, NO_BOUND), (0, 7), (2, 5), (7, 7), (0, 40), (31, 33)])
@pytest.mark.parametrize(
    "pattern",
    [
        r"^[a-z0-9-]+$",
        r"^\d{4}-\d{2}$",
        r"^(foo|bar)_[A-Z]+$",
        r"[^ ]",
        r"^([a-z]+ ){0,9}[a-z]+$",
        r"^(a?){3,5}b",
        r"(ab)*c{2,}",
        r"^((ab)*|(abc)*)$",
        r"^(abc|de){2,9}$",
        r"^(?!.*x).*y$",
        r"^(a{0,3}b?){2,4}$",
    ],
)
def test_patterns_within_windows(pattern, window):
    check(search_expression(pattern), *window)


def test_a_window_that_all_words_keep_is_dropped():
    assert check(search_expression(r"^\d{4}-\d{2}$"), 3, 7) == check(search_expression(r"^\d{4}-\d{2}$"), 0, NO_BOUND)
    assert check(search_expression("^a+$"), 1, NO_BOUND) == 2


def test_states_that_take_everything_say_so():
    expression = search_expression("[^ ]")
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    subsets = subsets_of(derivatives)
    letter = derivatives.partition.letter(ord("x"))
    free = subsets.row(subsets.start(derivatives.node(expression)))[letter]
    bounded = subsets.row(subsets.start(derivatives.node(expression), 0, 9))[letter]
    assert subsets.takes_all(free)
    assert not subsets.takes_all(bounded)
    assert subsets.window(bounded)[1:] == (0, 8)


def test_long_windows_cost_nothing_to_begin():
    expression = search_expression("^[a-z]+( [a-z]+)*$")
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    subsets = subsets_of(derivatives)
    subsets.row(subsets.start(derivatives.node(expression), 5, 1_000_000))
    assert len(subsets) < 4


def test_states_are_bounded():
    expression = search_expression("a.{12}b")
    derivatives = Derivatives([expression], Limits(states=100))
    subsets = subsets_of(derivatives)
    assert subsets.start(derivatives.node(expression)) == 0
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        list(map(subsets.row, range(200)))
    assert repr(subsets) == "<Subsets 100 states so far>"


@pytest.mark.parametrize("count", [40, 1_100])
def test_letters_in_many_sets_lead_to_what_all_of_these_say(count):
    """Each of many alternatives leaves out one letter, and says which by what follows. Beyond `_most_parts` too."""
    letters = [0x4E00 + i for i in range(count)]
    others = [(CharacterClass(((0x4E00, code - 1), (code + 1, 0x9FFF))), Literal(chr(code))) for code in letters[1:]]
    options = [SequenceOf(pair) for pair in others]
    expression = Choice(tuple(options))
    derivatives = Derivatives([expression], Limits(states=1_000_000))
    subsets = subsets_of(derivatives)
    row = subsets.row(subsets.start(derivatives.node(expression)))
    letter = [derivatives.partition.letter(code) for code in letters]
    assert len({row[number] for number in letter}) == count
    for first in (0, 1, 7, count - 1):
        after = subsets.row(row[letter[first]])
        assert [i for i in range(count) if after[letter[i]] < 0] == [i for i in range(count) if i in (0, first)]
