from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.earley.compile import readings_of
from checkrail.earley.lexer import Lexer, LexerState
from checkrail.earley.terminal_dfa import byte_dfa, shortest_word, terminal_dfa
from checkrail.errors import BudgetError, GrammarError
from checkrail.grammar.expression import NOTHING, Literal
from checkrail.limits import DEFAULT_LIMITS, Limits
from lexical_oracle import alt, lexical, terminal
from reference_chart import matches_expression
from strategies import regular_expressions, texts


def lexer_of(**patterns: str) -> tuple[Lexer, dict]:
    grammar = lexical({"start": alt(*patterns)}, [n for n in patterns if n.startswith("WS")], **patterns)
    rules, readings = readings_of(grammar)
    return readings.lexer, {t.name: t for t in rules.terminals}


def run(lexer: Lexer, state: LexerState | None, data: bytes) -> LexerState | None:
    for byte in data:
        if state is None:
            return None
        state = lexer.step(state, lexer.class_of[byte])
    return state


@given(regular_expressions, texts)
def test_a_terminal_takes_the_bytes_of_its_texts(expression, text):
    dfa = byte_dfa(expression, DEFAULT_LIMITS)
    assert dfa.accepts(text.encode()) == matches_expression(expression, text)


@given(regular_expressions)
def test_the_shortest_word(expression):
    dfa = byte_dfa(expression, DEFAULT_LIMITS)
    word = dfa.shortest()
    assert shortest_word(dfa) == (None if word is None else len(word))


def test_all_terminals_that_end_here_are_found_in_order():
    lexer, of = lexer_of(KEYWORD="if", NAME="[a-z]+", NUMBER="[0-9]+")
    state = run(lexer, lexer.start(tuple(of.values()), may_end=False, after_ignored=False), b"if")
    assert state is not None
    assert [t.name for t in state.matched] == ["KEYWORD", "NAME"]
    assert repr(state) == "{KEYWORD@2 NAME@1}"


def test_only_terminals_that_are_wanted_are_looked_for():
    lexer, of = lexer_of(NAME="[a-z]+", NUMBER="[0-9]+")
    start = lexer.start((of["NAME"],), may_end=False, after_ignored=False)
    assert run(lexer, start, b"1") is None
    assert run(lexer, start, b"x") is not None


def test_equal_states_are_one():
    lexer, of = lexer_of(NAME="[a-z]+", NUMBER="[0-9]+")
    start = lexer.start(tuple(of.values()), may_end=False, after_ignored=False)
    assert run(lexer, start, b"ab") is run(lexer, start, b"xyz")
    assert start.fresh
    assert not run(lexer, start, b"ab").fresh


def test_a_state_without_moves_is_not_alive():
    lexer, of = lexer_of(KEYWORD="if", NAME="[a-z]+")
    start = lexer.start((of["KEYWORD"],), may_end=False, after_ignored=False)
    assert start.alive
    assert not run(lexer, start, b"if").alive


def test_joined_states_go_on_as_either():
    lexer, of = lexer_of(A="ab", B="cd")
    one, other = (lexer.start((of[n],), may_end=False, after_ignored=False) for n in "AB")
    joined = lexer.join(one, other)
    assert run(lexer, joined, b"ab").matched == (of["A"],)
    assert run(lexer, joined, b"cd").matched == (of["B"],)
    assert lexer.join(joined, one) is joined


def test_ignored_text_stands_before_terminals_and_at_the_end():
    lexer, of = lexer_of(A="a", WS=" ")
    fresh = lexer.start((of["A"],), may_end=False, after_ignored=False)
    assert run(lexer, fresh, b" ").skips
    assert run(lexer, lexer.start((), may_end=True, after_ignored=False), b" ").skips
    assert run(lexer, lexer.start((), may_end=False, after_ignored=False), b" ") is None


def test_ignored_text_is_kept_away_from_terminals_that_have_their_own():
    lexer = Lexer({}, ())
    assert len(lexer) == 0
    grammar = lexical({"start": alt("A B")}, ["WS"], WS=" ")
    terminals = {**grammar.terminals, "A": terminal("A", "a", ignored_around=False), "B": terminal("B", "b")}
    rules, readings = readings_of(type(grammar)("start", grammar.rules, terminals, ("WS",)))
    lexer, of = readings.lexer, {t.name: t for t in rules.terminals}
    assert run(lexer, lexer.start((of["A"],), may_end=False, after_ignored=False), b" ") is None
    both = lexer.start((of["A"], of["B"]), may_end=False, after_ignored=False)
    assert run(lexer, both, b"a").matched == (of["A"],)
    assert run(lexer, both, b" ").skips
    assert run(lexer, lexer.start((of["A"], of["B"]), may_end=False, after_ignored=True), b"a") is None


def test_byte_classes_agree_with_the_automata():
    lexer, of = lexer_of(A="[a-f]+", B="[d-z]+", C="é")
    start = lexer.start(tuple(of.values()), may_end=False, after_ignored=False)
    for byte in range(256):
        alone = [
            n for n in "ABC" if run(lexer, lexer.start((of[n],), may_end=False, after_ignored=False), bytes([byte]))
        ]
        state = lexer.step(start, lexer.class_of[byte])
        assert [t.name for t in lexer.owners(state)] == alone if state else not alone
    assert len(lexer.sample) < 12


@given(st.binary(max_size=4))
def test_the_classes_that_may_follow(data):
    lexer, of = lexer_of(A="[a-f]+é?", B="[d-z]{2}", C="\\x00?x")
    state = run(lexer, lexer.start(tuple(of.values()), may_end=False, after_ignored=False), data)
    if state is not None:
        assert lexer.classes_after(state) == {c for c in range(len(lexer.sample)) if lexer.step(state, c) is not None}


def test_forgetting_changes_nothing():
    lexer, of = lexer_of(A="ab+")
    state = run(lexer, lexer.start((of["A"],), may_end=False, after_ignored=False), b"a")
    lexer.forget()
    assert len(lexer) == 0
    assert run(lexer, state, b"bb").matched == (of["A"],)


def test_an_empty_terminal_is_refused():
    with pytest.raises(GrammarError) as caught:
        terminal_dfa("A", Literal(""), DEFAULT_LIMITS)
    assert (caught.value.code, caught.value.params["rule"]) == ("GRAMMAR_EMPTY_TERMINAL", "A")


def test_a_terminal_without_texts_is_never_found():
    assert shortest_word(terminal_dfa("A", NOTHING, DEFAULT_LIMITS)) is None


def test_states_and_moves_of_all_terminals_together_are_bounded():
    grammar = lexical({"start": alt("A", "B")}, A="[a-z]{60}", B="[0-9]{60}")
    with pytest.raises(BudgetError) as caught:
        readings_of(grammar, limits=Limits(states=100))
    assert caught.value.code == "GRAMMAR_BUDGET_STATES"
    with pytest.raises(BudgetError) as caught:
        readings_of(grammar, limits=Limits(transitions=100))
    assert caught.value.code == "GRAMMAR_BUDGET_TRANSITIONS"
    readings_of(grammar, limits=Limits(states=200, transitions=200))
