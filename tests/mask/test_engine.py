"""Masks against two truths: the slow oracle bit for bit, and an independent Earley recogniser for the language.

Soundness: every allowed token leads to a state from which a text of the grammar can be completed, shown by
completing it. Completeness: every prefix of a text of the grammar is allowed, for every way to cut it into tokens.
"""

from __future__ import annotations

import itertools
import random
from array import array

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.automaton.compiler import compile_automaton
from checkrail.decoding.constraint import compile
from checkrail.decoding.matcher import Matcher
from checkrail.errors import GrammarError, MaskError, VocabularyError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask.bitmask import allowed_tokens
from checkrail.mask.configuration import Stepper
from checkrail.mask.kernel import load_compiled, load_interpreted
from checkrail.mask.slow import get_mask_slow
from checkrail.vocabulary.vocabulary import Vocabulary
from reference import Recogniser
from strategies import ALPHABET, grammars, vocabularies

KERNELS = [load_interpreted(), *filter(None, [load_compiled()])]
WIDE = Limits(nesting=64)
BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=[256])


def try_compile(grammar, vocabulary, kernel, limits=WIDE):
    """Compile under the general contract; grammars with an empty language are not of interest here."""
    try:
        return compile(grammar, vocabulary, contract="context-free", limits=limits, kernel=kernel)
    except GrammarError as error:
        assume(error.code not in ("GRAMMAR_UNPRODUCTIVE", "GRAMMAR_EMPTY_LANGUAGE"))
        raise


def complete(matcher: Matcher, bound: int = 400) -> bool:
    """Finish a text byte by byte along states that need ever fewer bytes."""
    stepper = matcher._engine.stepper
    automaton = stepper.automaton

    def distance(configuration):
        def along(state, frame):
            below = min((along(r, f) for r, f in frame.entries), default=0)
            return automaton.length[state] + below

        return min(along(q, f) for q, f in configuration.pairs)

    here = matcher.configuration()
    for _ in range(bound):
        if here.accepting:
            return True
        following = [c for b in range(256) if (c := stepper.step(here, b)) is not None]
        here = min(following, key=distance)
    return False


@given(grammars(), vocabularies(), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_masks_equal_the_oracle_on_random_walks_in_both_kernels(grammar, vocabulary, rng):
    constraints = [try_compile(grammar, vocabulary, kernel) for kernel in KERNELS]
    matchers = [c.matcher() for c in constraints]
    for _ in range(8):
        stepper = constraints[0].engine.stepper
        slow = get_mask_slow(stepper, matchers[0].configuration(), vocabulary)
        for matcher in matchers:
            assert set(matcher.allowed(None)) == slow
        choices = sorted(slow - set(vocabulary.eos))
        if not choices:
            break
        token = rng.choice(choices)
        assert all(m.accept_token(token) for m in matchers)


@given(grammars(), st.integers(0, 2**32))
@settings(max_examples=120)
def test_the_language_is_that_of_an_independent_recogniser(grammar, seed):
    constraint = try_compile(grammar, BYTES, KERNELS[-1])
    truth = Recogniser(grammar)
    rng = random.Random(seed)
    some = ["".join(rng.choices(ALPHABET, k=rng.randint(0, 4))) for _ in range(6)]
    for text in ["", *"abé", *map("".join, itertools.product('ab"', repeat=2)), *some]:
        matcher = constraint.matcher()
        fits = matcher.accept_bytes(text.encode())
        assert fits == truth.viable(text), text
        assert (fits and matcher.is_completed()) == truth.accepts(text), text


@given(grammars(), vocabularies(), st.randoms(use_true_random=False))
@settings(max_examples=80)
def test_soundness_every_allowed_token_can_be_completed(grammar, vocabulary, rng):
    constraint = try_compile(grammar, vocabulary, KERNELS[-1])
    matcher = constraint.matcher()
    for _ in range(4):
        tokens = [t for t in matcher.allowed(None) if t not in vocabulary.eos]
        for token in tokens:
            fork = matcher.fork()
            assert fork.accept_token(token)
            assert complete(fork)
        if not tokens:
            break
        matcher.accept_token(rng.choice(tokens))


@given(grammars(), st.randoms(use_true_random=False), vocabularies())
@settings(max_examples=80)
def test_completeness_every_cut_of_a_text_into_tokens_is_allowed(grammar, rng, vocabulary):
    constraint = try_compile(grammar, vocabulary, KERNELS[-1])
    walker = constraint.matcher()
    text = b""
    for _ in range(6):
        following = walker.next_bytes()
        if not following:
            break
        byte = bytes([rng.choice(following)])
        walker.accept_bytes(byte)
        text += byte
    tokens = [(i, t) for i, t in enumerate(vocabulary.tokens) if t]
    cuts = [(0, constraint.matcher())]
    for start, matcher in cuts:
        mask = set(matcher.allowed(None))
        for token, data in tokens:
            if text.startswith(data, start):
                assert token in mask
                if len(cuts) < 200:
                    fork = matcher.fork()
                    assert fork.accept_token(token)
                    cuts.append((start + len(data), fork))


@pytest.mark.parametrize("depth", range(1, 6))
def test_the_nesting_bound_is_exact_and_never_leads_into_a_wall(depth, kernel):
    grammar = Grammar.from_gbnf('root ::= value\nvalue ::= "[" (value ("," value)*)? "]" | "1"')
    tokens = [b"[", b"]", b"[[", b"]]", b"1", b",", b"[[[[", b"[1", b"1]", b"]],[[", None]
    vocabulary = Vocabulary.from_bytes(tokens, eos=[10])
    constraint = compile(grammar, vocabulary, limits=Limits(nesting=depth), kernel=kernel)
    deepest = b"[" * (depth + 1)
    matcher = constraint.matcher()
    assert matcher.accept_bytes(deepest)  # the value inside the last bracket would be one call too many
    assert matcher.next_bytes() == b"]"
    assert not constraint.matcher().accept_bytes(deepest + b"[")
    rng = random.Random(depth)
    for _ in range(30):
        matcher = constraint.matcher()
        for _ in range(12):
            slow = get_mask_slow(constraint.engine.stepper, matcher.configuration(), vocabulary)
            assert set(matcher.allowed(None)) == slow
            assert complete(matcher)
            choices = sorted(slow - {10})
            if not choices:
                break
            matcher.accept_token(rng.choice(choices))


def test_a_frame_shared_by_several_callers_keeps_them_apart(kernel):
    grammar = Grammar.from_gbnf('root ::= "(" x "1" | "(" x "2" | "[" x "3"\nx ::= "{" x "}" | "a"')
    constraint = compile(grammar, BYTES, contract="context-free", kernel=kernel)
    for text in (b"(a1", b"(a2", b"({a}1", b"[{{a}}3"):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text)
        assert matcher.is_completed()
    for text in (b"(a3", b"[a1", b"({a}3", b"[{a}}"):
        assert not constraint.matcher().accept_bytes(text)


def test_ambiguity_stays_polynomial():
    grammar = Grammar.from_gbnf('root ::= root root | "a" | "aa"')
    constraint = compile(grammar, BYTES, contract="context-free", limits=Limits(nesting=300))
    matcher = constraint.matcher()
    for _ in range(200):
        assert matcher.accept_bytes(b"a")
    assert len(matcher.configuration().pairs) < 2_000
    assert matcher.is_completed()


def test_more_readings_than_the_bound_are_refused_with_their_code():
    grammar = Grammar.from_gbnf('root ::= "(" root ")" | "(" root "]" | "(" x ")" | "a"\nx ::= "(" x "]" | root')
    constraint = compile(grammar, BYTES, contract="context-free", limits=Limits(configuration_pairs=2, nesting=64))
    with pytest.raises(MaskError) as caught:
        constraint.matcher().accept_bytes(b"((((((((a")
    assert caught.value.code == "MASK_BUDGET"


def test_special_tokens_match_only_where_the_grammar_names_them(kernel):
    grammar = Grammar.from_gbnf('root ::= "a" <[3]> "b" | "a" <think> !<[0]>')
    vocabulary = Vocabulary.from_bytes(
        [b"a", b"b", b"<think>", None, None, None], eos=[5], special={"<call>": 3, "<think>": 4}
    )
    matcher = compile(grammar, vocabulary, kernel=kernel).matcher()
    assert matcher.allowed() == [0]
    assert matcher.accept_token(0)
    assert matcher.allowed() == [3, 4]  # token 2 spells <think> in bytes and is not it
    assert matcher.accept_token(4)
    assert matcher.allowed() == [1, 2, 3, 4]
    assert matcher.accept_token(1)
    assert matcher.allowed() == [5]
    with pytest.raises(VocabularyError) as caught:
        compile(Grammar.from_gbnf("root ::= <[17]>"), vocabulary)
    assert caught.value.code == "GRAMMAR_TOKEN"


def test_an_ordinary_token_may_be_named_too_and_is_read_both_ways(kernel):
    grammar = Grammar.from_gbnf('root ::= <[1]> "x" | "ab" "y"')
    vocabulary = Vocabulary.from_bytes([b"a", b"ab", b"b", b"x", b"y", None], eos=[5])
    matcher = compile(grammar, vocabulary, kernel=kernel).matcher()
    assert matcher.allowed() == [0, 1]
    assert matcher.accept_token(1)
    assert matcher.allowed() == [3, 4]
    matcher.rollback()
    assert matcher.accept_token(0)
    assert matcher.allowed() == [2]


def test_a_long_text_does_not_make_configurations_grow():
    constraint = compile(Grammar.from_gbnf('root ::= item ("," item)*\nitem ::= [a-z]+ | "[" root "]"'), BYTES)
    matcher = constraint.matcher()
    for _ in range(3000):
        assert matcher.accept_bytes(b"[a,b],c,")
    assert len(constraint.engine.stepper._configurations) < 100


def test_a_bitmask_row_is_written_whole_and_only_that_row(kernel):
    vocabulary = Vocabulary.from_bytes([b"a"] * 40 + [None], eos=[40])
    matcher = compile(Grammar.from_gbnf('root ::= "a"'), vocabulary, kernel=kernel).matcher()
    bitmask = memoryview(array("i", [-1] * 6)).cast("B").cast("i", (2, 3))
    matcher.fill_next_token_bitmask(bitmask, 1)
    assert bitmask.tolist() == [[-1, -1, -1], [-1, 255, 0]]
    assert allowed_tokens(bitmask, 1) == list(range(40))
    for bad, index in (
        (array("i", [0]), 0),
        (bitmask, 2),
        (memoryview(bytes(12)).cast("i"), 0),
        (array("d", [0.0]), 0),
    ):
        with pytest.raises(MaskError) as caught:
            matcher.fill_next_token_bitmask(bad, index)
        assert caught.value.code == "MASK_BUFFER"


def test_bytes_and_tokens_reach_the_same_configuration():
    constraint = compile(Grammar.from_gbnf('root ::= "é" [a-z]*'), BYTES)
    by_bytes, by_tokens = constraint.matcher(), constraint.matcher()
    by_bytes.accept_bytes("éa".encode())
    for byte in "éa".encode():
        by_tokens.accept_token(byte)
    assert by_bytes.configuration() is by_tokens.configuration()


def test_a_stepper_starts_where_the_automaton_starts():
    automaton = compile_automaton(Grammar.from_gbnf('root ::= "a"?'))
    assert Stepper(automaton).start.accepting
    assert repr(Stepper(automaton).start).startswith("<Configuration")
