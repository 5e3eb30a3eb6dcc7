"""Rests of expressions against the definition of what matches, and against the automata of the static pipeline."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError, GrammarError
from checkrail.grammar.expression import ANY_CHARACTER, EMPTY, NOTHING, Choice, Expression, Literal, Reference, Repeat
from checkrail.grammar.expression import Sequence as SequenceOf
from checkrail.grammar.regex import search_expression
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.regular.compile import compile_regular
from checkrail.regular.derivatives import END, ENDLESS, Derivatives
from reference import matches
from strategies import combinations, texts


def accepts(derivatives: Derivatives, rest: int, text: str) -> bool:
    rests = {rest}
    for char in text:
        letter = derivatives.partition.letter(ord(char))
        rests = {target for r in rests for letters, target in derivatives.moves(r)[0] if letter in letters}
    return any(derivatives.moves(r)[1] for r in rests)


def lengths(expression: Expression) -> tuple[int, int] | None:
    """The fewest and the most letters, by layers of the minimal automaton."""
    dfa = compile_regular(expression)
    if dfa.is_empty():
        return None
    layer, low = {0}, None
    for length in range(len(dfa) + 1):
        if low is None and any(dfa.accepting[state] for state in layer):
            low = length
        layer = {target for state in layer for target in dfa.moves[state].values()}
        if not layer:
            return low or 0, length
    return low or 0, ENDLESS


@given(combinations, st.lists(texts, max_size=8))
@settings(max_examples=150, deadline=None)
def test_rests_lead_to_the_texts_of_the_expression(expression, some):
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    start = derivatives.start(derivatives.node(expression))
    for text in ["", "a", "b", "ab", "aa", "é", *some]:
        expected = matches(expression, text)
        assert (start >= 0 and accepts(derivatives, start, text)) == expected, text


@given(combinations)
@settings(max_examples=150, deadline=None)
def test_nodes_and_rests_know_their_lengths(expression):
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    node = derivatives.node(expression)
    expected = lengths(expression)
    if expected is None:
        assert derivatives.start(node) == -1
        return
    assert (node.low, min(node.high, ENDLESS)) == expected
    start = derivatives.start(node)
    order = [start]
    for rest in order:
        assert derivatives.low(rest) <= node.peak
        moves, ends = derivatives.moves(rest)
        assert moves or ends
        assert ends == (derivatives.low(rest) == 0)
        if not ends:
            assert derivatives.low(rest) == 1 + min(derivatives.low(target) for _, target in moves)
        if moves:
            assert derivatives.high(rest) == min(ENDLESS, 1 + max(derivatives.high(target) for _, target in moves))
        order += [target for _, target in moves if target not in order]
        if len(order) > 60:
            break


def test_counts_are_numbers_and_not_copies():
    expression = search_expression("^((a{0,30}){0,30}){0,30}b$")
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    node = derivatives.node(expression)
    rest = derivatives.start(node)
    for _ in range(5):
        moves, _ = derivatives.moves(rest)
        rest = max(target for _, target in moves)
    assert node.high == 27_001
    assert len(derivatives) < 20


def test_what_takes_everything_is_one_rest():
    expression = Choice((search_expression("x"), search_expression("y.*|[^]"), search_expression("(?!)")))
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    rest = derivatives.start(derivatives.node(expression))
    letter = derivatives.partition.letter(ord("x"))
    assert derivatives.universal in {t for letters, t in derivatives.moves(rest)[0] if letter in letters}


def test_a_repeated_class_is_told():
    expression = search_expression("^[^]{2,5}$")
    derivatives = Derivatives([expression], DEFAULT_LIMITS)
    start = derivatives.start(derivatives.node(expression))
    (letters, after), *_ = derivatives.moves(start)[0]
    assert derivatives.repeated(start) == (letters, 2, 5)
    assert derivatives.repeated(after) == (letters, 1, 4)
    assert derivatives.repeated(END) is None


def test_rounds_without_letters_change_nothing():
    for pattern in ("^(a?){3,5}b$", "^(a{0,3}b?){2,4}$", "^((a*)*)*$", "^(a?){60000}$"):
        expression = search_expression(pattern)
        derivatives = Derivatives([expression], DEFAULT_LIMITS)
        start = derivatives.start(derivatives.node(expression))
        for text in ("", "a", "aab", "aaaaab", "aaaaaab", "bb", "abab", "aaabaaab"):
            if pattern.endswith("60000}$"):
                assert accepts(derivatives, start, text) == (set(text) <= {"a"})
            else:
                assert accepts(derivatives, start, text) == compile_regular(expression).accepts(text)


def test_impossible_parts_are_left_out():
    nothing = Derivatives([NOTHING], DEFAULT_LIMITS)
    assert nothing.start(nothing.node(NOTHING)) == -1
    assert nothing.start(nothing.node(EMPTY)) == END
    mixed = SequenceOf((Repeat(NOTHING, 0, 3), Choice((NOTHING, Literal("a")))))
    derivatives = Derivatives([mixed], DEFAULT_LIMITS)
    assert accepts(derivatives, derivatives.start(derivatives.node(mixed)), "a")


def test_references_are_refused():
    derivatives = Derivatives([Reference("x")], DEFAULT_LIMITS)
    with pytest.raises(GrammarError, match="GRAMMAR_NOT_REGULAR"):
        derivatives.node(Reference("x"))


def test_rests_and_moves_are_bounded():
    expression = Repeat(ANY_CHARACTER, 0, 1_000)
    derivatives = Derivatives([expression], Limits(states=4))
    order = [derivatives.start(derivatives.node(expression))]

    def follow_all() -> None:
        for rest in order:
            order.extend(target for _, target in derivatives.moves(rest)[0])

    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        follow_all()


def test_its_repr_counts():
    derivatives = Derivatives([Literal("ab")], DEFAULT_LIMITS)
    assert repr(derivatives) == "<Derivatives 1 rests so far, 2 letters>"
