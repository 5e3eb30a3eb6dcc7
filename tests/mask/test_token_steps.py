"""Steps of one token inside a module, against trying every token byte by byte."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.automaton.compiler import compile_automaton
from checkrail.errors import GrammarError
from checkrail.grammar.grammar import Grammar
from checkrail.mask.token_steps import TokenSteps
from checkrail.vocabulary.trie import Trie
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import grammars, vocabularies


def all_targets(automaton, state: int, tokens) -> set[int]:
    found = set()
    for token in filter(None, tokens):
        here = state
        for byte in token:
            here = automaton.step(here, byte) if here >= 0 else -1
        found |= {here} - {-1}
    return found


@given(grammars(), vocabularies(), st.sets(st.integers(0, 20), max_size=4))
@settings(max_examples=60)
def test_a_walk_to_its_end_finds_all_and_a_short_one_nothing_else(grammar, vocabulary, without):
    try:
        automaton = compile_automaton(grammar, contract="context-free")
    except GrammarError:
        assume(False)
    tokens = [t for i, t in enumerate(vocabulary.tokens) if i not in without]
    steps = TokenSteps(automaton, Trie.build(vocabulary), without)
    for state in range(min(len(automaton), 30)):
        wanted = all_targets(automaton, state, tokens)
        assert steps.targets(state, 10**6) == wanted
        assert all_targets(automaton, state, [t for t in tokens if t and len(t) == 1]) <= steps.targets(state, 0)
        assert steps.targets(state, 3) <= wanted


def test_a_short_walk_goes_towards_the_end_first() -> None:
    words = [b"z", *(b"a" * n for n in range(1, 9)), *(bytes([b]) for b in range(98, 122)), b'"x', b'"']
    vocabulary = Vocabulary.from_bytes([*words, None], eos=len(words))
    automaton = compile_automaton(Grammar.from_gbnf('root ::= [a-z]* "\\"" "x"'))
    steps = TokenSteps(automaton, Trie.build(vocabulary))
    end = automaton.accepting.index(1)
    assert end in steps.targets(0, 2)


def test_last_bytes_are_those_of_all_tokens() -> None:
    vocabulary = Vocabulary.from_bytes([b"ab", b"c", b"", None], eos=3)
    automaton = compile_automaton(Grammar.from_gbnf('root ::= "ab"'))
    assert TokenSteps(automaton, Trie.build(vocabulary), {0}).last_bytes() == {ord("b"), ord("c")}
