"""The matcher's contract: bools, free rollback and fork, forced bytes, explanations."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import compile
from checkrail.errors import GrammarError, MaskError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import grammars, vocabularies

TOKENS = Vocabulary.from_bytes([b"a", b"b", b"ab", b"c", None, None], eos=[4, 5])


def matcher(text: str):
    return compile(Grammar.from_gbnf(text), TOKENS).matcher()


def test_a_refused_token_changes_nothing():
    m = matcher('root ::= "ab" "c"')
    assert not m.accept_token(3)
    assert not m.accept_token(99)
    assert not m.accept_token(-1)
    assert not m.accept_token(4)
    assert m.steps == 0
    assert m.accept_token(2)
    assert m.allowed() == [3]


def test_any_end_token_terminates_and_rollback_opens_again():
    m = matcher('root ::= "a"')
    m.accept_token(0)
    assert m.is_completed()
    assert m.allowed() == [4, 5]
    assert m.accept_token(5)
    assert m.is_terminated()
    assert m.allowed() == []
    assert m.next_bytes() == b""
    assert not m.accept_token(4)
    assert not m.accept_bytes(b"a")
    m.rollback()
    assert not m.is_terminated()
    assert m.allowed() == [4, 5]
    m.rollback()
    assert m.allowed() == [0]
    with pytest.raises(MaskError) as caught:
        m.rollback()
    assert caught.value.code == "MATCHER_ROLLBACK"


def test_forks_are_independent():
    m = matcher('root ::= [ab] "c"')
    m.accept_token(0)
    other = m.fork()
    assert other.accept_token(3)
    assert m.allowed() == [3]
    assert other.is_completed()
    other.reset()
    assert other.allowed() == [0, 1]
    assert m.steps == 1


def test_validate_tokens_counts_without_moving():
    m = matcher('root ::= "ab" "c"')
    assert m.validate_tokens([2, 3, 4, 0]) == 3
    assert m.validate_tokens([1]) == 0
    assert m.steps == 0


def test_forced_bytes_stop_where_a_choice_or_an_end_begins():
    assert matcher('root ::= "abc" [ab]').find_jump_forward_bytes() == b"abc"
    assert matcher('root ::= "ab" "c"?').find_jump_forward_bytes() == b"ab"
    assert matcher('root ::= "a"*').find_jump_forward_bytes() == b""


def test_an_explanation_names_the_byte_the_expected_set_and_the_pending_rules():
    m = matcher('root ::= "a" item "c"\nitem ::= "(" item ")" | "b"')
    why = m.explain(b"a((bx")
    assert why is not None
    assert (why.offset, why.byte, why.expected, why.complete) == (4, ord("x"), b")", False)
    assert why.rules == (("item", "item", "root"),)
    unfinished = m.explain(b"ab")
    assert unfinished is not None
    assert (unfinished.offset, unfinished.byte, unfinished.expected) == (2, None, b"c")
    assert m.explain(b"abc") is None
    assert m.explain(3).expected == b"a"
    assert m.explain(0) is None  # a token that may follow, whether or not it completes the text
    assert m.explain(4).expected == b"a"  # an end token where the text may not end
    assert matcher('root ::= "a"?').explain(b"") is None
    assert m.steps == 0


@given(grammars(), vocabularies(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_rollback_after_any_walk_returns_to_the_same_mask(grammar, vocabulary, rng):
    try:
        constraint = compile(grammar, vocabulary, contract="context-free", limits=Limits(nesting=40))
    except GrammarError:
        assume(False)
    m = constraint.matcher()
    masks = [m.allowed(None)]
    for _ in range(6):
        if not masks[-1]:
            break
        assert m.accept_token(rng.choice(masks[-1]))
        masks.append(m.allowed(None))
    while m.steps:
        assert m.allowed(None) == masks.pop()
        m.rollback()
    assert m.allowed(None) == masks.pop()


def test_reprs_say_what_they_are():
    constraint = compile(Grammar.from_gbnf('root ::= "a"'), TOKENS)
    assert repr(constraint) == f"<Constraint 2 states sha256:{constraint.sha256[:8]}>"
    m = constraint.matcher()
    assert repr(m) == "<Matcher 0 steps, open>"
    m.accept_token(0)
    assert repr(m) == "<Matcher 1 steps, completed>"
    assert constraint.report.states == 2
    assert constraint.report.shortest == 1
    assert set(constraint.memory) == {"automaton", "budgets", "masks", "table"}
