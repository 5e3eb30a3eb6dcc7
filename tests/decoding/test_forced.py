"""Forced bytes and tokens: nothing that could have been otherwise is ever taken."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import compile
from checkrail.errors import GrammarError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import grammars, vocabularies

#          0     1     2      3       4      5     6
TOKENS = [b"a", b"b", b"ab", b"abc", b"bc", b"c", None]
VOCABULARY = Vocabulary.from_bytes([*TOKENS, None], eos=6, special={"<x>": 7})


def matcher(text: str, vocabulary: Vocabulary = VOCABULARY):
    return compile(Grammar.from_gbnf(text), vocabulary).matcher()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('root ::= "abc"', [3]),  # the longest
        ('root ::= "abab" "c"', [2, 3]),
        ('root ::= "ab" [ab]', [2]),  # no token runs on from "ab" to what may follow
        ('root ::= "ab" [ac]', []),  # "abc" does
        ('root ::= "aab" [ac]', [0]),  # the seam is held back, what is before it is not
        ('root ::= "aab" "c"?', [0]),
        ('root ::= "a" | "b"', []),
        ('root ::= "a"*', []),
        ('root ::= <[7]> "ab"', [7, 2]),  # a named token, the only choice
        ('root ::= "a" <[7]>', [0, 7]),
        ('root ::= "a" | <[7]>', []),
        ('root ::= "a" ("b" | <[7]>)', []),  # "ab" runs on; the bytes are forced up to a choice
        ('root ::= "a" ("a" | <[7]>)', [0]),
        ('root ::= "ax"', [0]),  # then no token fits
    ],
)
def test_tokens(text: str, tokens: list[int]) -> None:
    m = matcher(text)
    assert m.find_jump_forward_tokens() == tokens
    assert m.steps == 0


def test_bytes_stop_where_a_named_token_is_a_choice() -> None:
    assert matcher('root ::= "a" ("b" | <[7]>)').find_jump_forward_bytes() == b"a"


def test_a_limit_and_an_end() -> None:
    m = matcher('root ::= "aaaa"')
    assert m.find_jump_forward_tokens(3) == [0, 0, 0]
    assert m.find_jump_forward_bytes(2) == b"aa"
    for token in (0, 0, 0, 0, 6):
        assert m.accept_token(token)
    assert (m.find_jump_forward_tokens(), m.find_jump_forward_bytes()) == ([], b"")


def test_a_budget_forces_too() -> None:
    vocabulary = Vocabulary.from_bytes([b"a", b"b", b"c", None], eos=3)
    m = compile(Grammar.from_gbnf('root ::= "a" [ab]* "c"'), vocabulary).matcher(token_budget=2)
    assert m.find_jump_forward_bytes() == b"a"
    assert m.find_jump_forward_tokens() == [0, 2]
    assert (m.steps, m.tokens_left) == (0, 2)


@given(grammars(), vocabularies(), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_every_allowed_token_at_each_place_spells_forced_bytes(grammar, vocabulary, rng):
    try:
        constraint = compile(grammar, vocabulary, contract="context-free", limits=Limits(nesting=40))
    except GrammarError:
        assume(False)
    m = constraint.matcher()
    for _ in range(rng.randrange(5)):
        allowed = [t for t in m.allowed(None) if t not in vocabulary.eos]
        if not allowed:
            break
        m.accept_token(rng.choice(allowed))
    forced = m.find_jump_forward_bytes()
    tokens = m.find_jump_forward_tokens()
    assert forced.startswith(vocabulary.decode(tokens))
    for token in tokens:
        choices = m.allowed(None)
        assert token in choices
        texts = [vocabulary.tokens[choice] for choice in choices]
        assert all(text is not None and forced.startswith(text) for text in texts)
        assert len(vocabulary.tokens[token]) == max(map(len, texts))
        assert m.accept_token(token)
        forced = forced[len(vocabulary.tokens[token]) :]
    if forced:  # held back for a reason: some token there runs on
        assert any(not forced.startswith(vocabulary.tokens[choice]) for choice in m.allowed(None))
