"""Tokens that a grammar names: the rows equal the oracle, and take no memory of their own."""

from __future__ import annotations

import tracemalloc
from array import array

import pytest

from checkrail.automaton.modules import TokenEdge
from checkrail.decoding.constraint import compile
from checkrail.errors import VocabularyError
from checkrail.grammar.grammar import Grammar
from checkrail.mask.bitmask import allowed_tokens, words_for
from checkrail.mask.named_tokens import NamedTokens
from checkrail.mask.slow import get_mask_slow, token_edge_matches
from checkrail.vocabulary.vocabulary import Vocabulary

VOCABULARY = Vocabulary.from_bytes(
    [*(bytes([b]) for b in range(256)), b"ab", None, None, None], eos=[257, 259], special={"<think>": 258}
)
EDGES = [TokenEdge(t, negated) for t in (0, 97, 256, 257, "<think>", 259) for negated in (False, True)]


@pytest.mark.parametrize("edge", EDGES, ids=repr)
@pytest.mark.parametrize("before", [(), (0, 31, 32, 97, 256, 257, 258), (258,), tuple(range(260))])
def test_a_row_gets_what_the_edge_takes_and_keeps_what_it_had(edge, before, kernel):
    named = NamedTokens(EDGES, VOCABULARY, kernel)
    row = array("I", [0]) * words_for(len(VOCABULARY))
    for token in before:
        row[token >> 5] |= 1 << (token & 31)
    named.add(memoryview(row), edge)
    taken = {t for t in range(len(VOCABULARY)) if token_edge_matches(edge, t, VOCABULARY)}
    assert set(allowed_tokens(row)) == taken | set(before)
    ids = named.ids()[edge]
    assert (set(ids), len(ids)) == (taken, len(taken))
    assert all((t in ids) == (t in taken) for t in range(-1, len(VOCABULARY) + 1))


def test_a_token_that_is_not_there_is_refused(kernel):
    for edge in (TokenEdge(260, False), TokenEdge("<none>", True), TokenEdge(-1, False)):
        with pytest.raises(VocabularyError) as caught:
            NamedTokens([edge], VOCABULARY, kernel)
        assert caught.value.code == "GRAMMAR_TOKEN"


def test_several_edges_in_one_place(kernel):
    text = "root ::= !<[97]> !<[98]> | !<think> | <[97]> <think> | <think> !<[256]>"
    constraint = compile(Grammar.from_gbnf(text), VOCABULARY, kernel=kernel)
    for taken in ((), (98,), (97,), (258,)):
        matcher = constraint.matcher()
        assert all(map(matcher.accept_token, taken))
        slow = get_mask_slow(constraint.engine.stepper, matcher.configuration(), VOCABULARY)
        assert set(matcher.allowed(None)) == slow


def test_naming_every_token_of_a_large_vocabulary_takes_little():
    """A list of ids for each edge would be 160 megabytes here."""
    size = 10_000
    vocabulary = Vocabulary.from_bytes([*(str(i).encode() for i in range(size)), None], eos=[size])
    grammar = Grammar.from_gbnf("root ::= " + " | ".join(f"!<[{i}]>" for i in range(0, size, 5)))
    tracemalloc.start()
    try:
        constraint = compile(grammar, vocabulary)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert constraint.matcher().allowed(None) == list(range(size))
    assert peak < 40 * 2**20
