"""The two engines and the slow mask agree, bit for bit, on what both take.

Random grammars of every kind of recursion, random vocabularies, random walks. CHECKRAIL_THOROUGH=1 looks at many more.
The cases of public bug reports, grammars of use and real schemas have files of their own.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail import Grammar, Limits, Vocabulary
from checkrail.earley.recognizer import Recognizer
from checkrail.grammar.lexical import LexicalGrammar
from engines_agree import Walk
from lexical_oracle import Meaning, alt, lexical
from reference import Recogniser
from strategies import ALPHABET, grammars, vocabularies

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
EXAMPLES = 2_000 if THOROUGH else 60


@settings(max_examples=EXAMPLES)
@given(grammars(), vocabularies(), st.data())
def test_random_grammars(grammar, vocabulary, data):
    Walk(grammar, vocabulary).wander(lambda ids: data.draw(st.sampled_from(ids)), 5)


LEXEMES = ("a", "ab", "ab?", "b+", "\\\\+", "é", "[a-bé]+", '"[^"]*"', "a(bb)?")
NAMES = ("start", "x", "y")
BODIES = st.lists(st.sampled_from(("A", "B", "C", *NAMES)), max_size=3).map(" ".join)


@st.composite
def lexical_grammars(draw: st.DrawFn) -> LexicalGrammar:
    """Two floors, with ambiguity, left recursion and ignored text; each rule can end."""
    rules = {name: alt(*draw(st.lists(BODIES, max_size=3)), draw(st.sampled_from("ABC"))) for name in NAMES}
    patterns = {name: draw(st.sampled_from(LEXEMES)) for name in "ABC"}
    return lexical(rules, draw(st.sampled_from([(), ("WS",)])), **patterns, WS="[b日]")


@settings(max_examples=EXAMPLES)
@given(lexical_grammars(), vocabularies(), st.data())
def test_random_grammars_of_two_floors(grammar, vocabulary, data):
    one_floor = Grammar(grammar.to_rules(), "start", "context-free", "lark", lexical=grammar)
    Walk(one_floor, vocabulary).wander(lambda ids: data.draw(st.sampled_from(ids)), 5)


@settings(max_examples=EXAMPLES)
@given(lexical_grammars(), st.lists(st.text(ALPHABET, max_size=5), max_size=5))
def test_texts_of_two_floors_mean_what_they_say(grammar, texts):
    recognizer = Recognizer.of(grammar)
    mark = recognizer.save()
    for text in texts:
        recognizer.restore(mark)
        found = recognizer.push_bytes(text.encode()) and recognizer.flush()
        assert found == Meaning(grammar, text).accepts


@settings(max_examples=EXAMPLES)
@given(grammars(), st.lists(st.text(ALPHABET, max_size=5), max_size=5))
def test_prefixes_are_those_of_the_textbook(grammar, texts):
    """Over characters, by the three steps of the textbook and without a lexer."""
    truth = Recogniser(grammar)
    recognizer = Recognizer.of(LexicalGrammar.of_grammar(grammar))
    mark = recognizer.save()
    for text in texts:
        recognizer.restore(mark)
        assert recognizer.push_bytes(text.encode()) == truth.viable(text)
        recognizer.restore(mark)
        recognizer.push_bytes(text.encode())
        assert (recognizer.flush() if truth.viable(text) else False) == truth.accepts(text)


# --- schemas: small, and deep ones, whose levels of nesting both engines count

WORDS = Vocabulary.from_bytes(
    [
        *(bytes([b]) for b in range(256)),
        *(b'", "', b'""', b'{"a":', b'{"k":[', b"[[", b"]]", b"]}", b"}}", b"},", b'":', b"[{", b"1.5", b"-0", b"null"),
        *("é".encode(), b"\xc3", b"ab", b"abc_1", b", ", b"tru", b"{}", b"[]"),
        None,
    ],
    eos=278,
)
NODE = {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}, "k": {"type": "array", "items": {"$ref": "#"}}}}
SCHEMAS: list[Any] = [
    {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]},
    {"type": "array", "items": {"enum": ["x", 1, None, True]}, "maxItems": 3},
    {"anyOf": [{"type": "string", "maxLength": 4}, {"type": "number"}, {"const": {"k": []}}]},
    {"type": "string", "pattern": "^[a-c]{2,5}$"},
    {},
    {"$ref": "#/$defs/n", "$defs": {"n": NODE}},
    {"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"type": "object", "properties": {"a": {"const": [[]]}}}]}},
]


@pytest.mark.parametrize("schema", SCHEMAS)
@settings(max_examples=60 if THOROUGH else 3)
@given(st.randoms(use_true_random=False), st.integers(1, 5))
def test_schemas(schema, random, nesting):
    def choose(allowed: list[int]) -> int:
        deep = [token for token in allowed if token >= 256 or token in b"[]{}"]
        return random.choice(deep if deep and random.random() < 0.8 else allowed)

    walk = Walk(Grammar.from_json_schema(schema), WORDS, limits=Limits(nesting=nesting))
    assert walk.automaton is not None
    walk.wander(choose, 12)


def test_masks_are_compared_three_ways():
    walk = Walk(Grammar.from_json_schema({}), WORDS)
    assert len(walk.matchers) == 2
    assert walk.slow is not None
    walk.matchers[0].accept_bytes(b"[")
    with pytest.raises(AssertionError):
        walk.compare()
    walk.matchers[1].accept_bytes(b"[")
    with pytest.raises(AssertionError):
        walk.compare()
    walk.slow.push_bytes(b"[")
    assert walk.compare()
