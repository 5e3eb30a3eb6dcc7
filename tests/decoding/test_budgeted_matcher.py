"""A text under a token budget is always complete in time, whatever is chosen; and never for free."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import compile
from checkrail.errors import BudgetError, GrammarError, MaskError, SamplingError, VocabularyError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import grammars, vocabularies

TOKENS = Vocabulary.from_bytes([b"a", b"b", b"ab", b"c", None], eos=4)
PAIRS = compile(Grammar.from_gbnf('root ::= "(" root ")" | "a" | [ab]+ "c"'), TOKENS, contract="context-free")


def compiled(text: str, vocabulary: Vocabulary = TOKENS):
    return compile(Grammar.from_gbnf(text), vocabulary)


@given(grammars(), vocabularies(), st.integers(0, 6), st.sampled_from([3, 40]), st.randoms(use_true_random=False))
@settings(max_examples=120)
def test_every_choice_ends_complete_within_the_budget(grammar, vocabulary, spare, nesting, rng):
    try:
        constraint = compile(grammar, vocabulary, contract="context-free", limits=Limits(nesting=nesting))
    except GrammarError:
        assume(False)
    need = constraint.min_tokens
    assert need is not None, "these vocabularies have all single bytes"
    matcher = constraint.matcher(token_budget=need + spare)
    free = constraint.matcher()
    taken = 0
    while True:
        allowed = matcher.allowed(None)
        assert set(allowed) <= set(free.allowed(None))
        assert allowed, "a dead end"
        refused = sorted(set(free.allowed(None)) - set(allowed))
        assert not refused or not matcher.accept_token(rng.choice(refused))
        token = rng.choice(allowed)
        assert matcher.accept_token(token)
        assert free.accept_token(token)
        if matcher.is_terminated():
            break
        taken += 1
        assert matcher.tokens_left == need + spare - taken >= matcher.min_tokens_to_finish()
    assert taken <= need + spare
    assert free.is_completed()


def test_too_small_a_budget_is_refused_with_what_it_takes() -> None:
    constraint = compiled('root ::= "abc" "abc"')
    assert constraint.min_tokens == 4
    with pytest.raises(BudgetError, match="BUDGET_TOO_SMALL: A complete output needs 4 tokens; 3 are allowed"):
        constraint.matcher(token_budget=3)
    assert constraint.matcher(token_budget=4).allowed() == [2]


def test_a_vocabulary_that_cannot_finish_is_refused() -> None:
    constraint = compiled('root ::= "ax"')
    assert constraint.min_tokens is None
    with pytest.raises(VocabularyError, match="VOCAB_DEAD_END"):
        constraint.matcher(token_budget=100)


def test_dead_ends_of_the_vocabulary_are_left_out() -> None:
    constraint = compiled('root ::= "ax" | "bc"')
    assert constraint.matcher().allowed() == [0, 1]
    assert constraint.matcher(token_budget=100).allowed() == [1]


@pytest.mark.parametrize("budget", [-1, 1.5, True, "9"])
def test_the_budget_is_a_number_of_tokens(budget: object) -> None:
    with pytest.raises(SamplingError, match="token_budget must be an integer >= 0"):
        compiled('root ::= "a"').matcher(token_budget=budget)  # type: ignore[call-overload]


def test_no_tokens_are_enough_for_the_empty_text() -> None:
    matcher = compiled('root ::= "a"*').matcher(token_budget=0)
    assert matcher.allowed() == [4]
    assert matcher.accept_token(4)
    assert matcher.allowed() == []


def test_rollback_fork_and_reset_give_tokens_back() -> None:
    matcher = compiled('root ::= [ab]* "c"').matcher(token_budget=3)
    assert matcher.accept_token(0)
    other = matcher.fork()
    assert matcher.accept_token(0)
    assert matcher.allowed() == [3]
    assert (matcher.tokens_left, other.tokens_left, matcher.forced_close, other.forced_close) == (1, 2, 1, 0)
    assert not matcher.accept_token(0)
    assert matcher.accept_token(3)
    assert matcher.accept_token(4)
    matcher.rollback(3)
    assert (matcher.tokens_left, matcher.allowed()) == (2, [0, 1, 2, 3])
    matcher.reset()
    assert matcher.tokens_left == 3
    assert other.allowed() == [0, 1, 2, 3]
    with pytest.raises(MaskError, match="MATCHER_ROLLBACK"):
        other.rollback(2)
    assert other.tokens_left == 2


def test_bytes_are_free_but_must_leave_a_way_to_the_end() -> None:
    matcher = compiled('root ::= "a" | "b" "ccc"').matcher(token_budget=2)
    assert not matcher.accept_bytes(b"b")
    assert not matcher.accept_bytes(b"c")
    assert matcher.accept_bytes(b"a")
    assert matcher.tokens_left == 2
    rejection = compiled('root ::= "b" "ccc"').matcher(token_budget=4).explain(b"bcx")
    assert rejection is not None
    assert (rejection.offset, rejection.expected) == (2, b"c")


def test_a_generous_budget_changes_no_mask() -> None:
    matcher = compiled('root ::= [ab]{1,4} "c"').matcher(token_budget=50)
    plain = compiled('root ::= [ab]{1,4} "c"').matcher()
    for token in (2, 0, 3, 4):
        assert matcher.allowed() == plain.allowed()
        assert matcher.accept_token(token)
        assert plain.accept_token(token)
    assert matcher.forced_close == 0


def test_the_two_dimensional_bitmask_is_narrowed_in_its_row() -> None:
    np = pytest.importorskip("numpy")
    matcher = compiled('root ::= [ab]* "c"').matcher(token_budget=1)
    bitmask = np.full((2, 1), -1, dtype=np.int32)
    assert matcher.fill_next_token_bitmask(bitmask, 1)
    assert bitmask.tolist() == [[-1], [0b01000]]
