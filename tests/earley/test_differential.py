"""The two engines and the slow mask agree, bit for bit, on what both take.

Random grammars of every kind of recursion, random vocabularies, random walks. CHECKRAIL_THOROUGH=1 looks at many more.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail import Constraint, Grammar, Limits, Matcher, Vocabulary, compile
from checkrail.earley.masks import mask_by_tokens
from checkrail.earley.recognizer import Recognizer
from checkrail.errors import Error
from checkrail.grammar.lexical import LexicalGrammar
from checkrail.mask.kernel import active
from lexical_oracle import Meaning, alt, lexical
from reference import Recogniser
from strategies import ALPHABET, grammars, vocabularies

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
EXAMPLES = 2_000 if THOROUGH else 60
ROOM = Limits(nesting=100)
BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)
# What the automaton engine may not take: two of its bounds, and left recursion that it cannot remove.
REFUSED = {"GRAMMAR_BUDGET_STATES", "GRAMMAR_BUDGET_TRANSITIONS", "GRAMMAR_LEFT_RECURSION"}


def row_of(matcher: Matcher, vocabulary: Vocabulary) -> array[int]:
    row = array("I", bytes(4 * ((len(vocabulary) + 31) // 32)))
    matcher.fill_next_token_bitmask(row)
    return row


def ids(row: array[int]) -> list[int]:
    return [32 * place + bit for place, word in enumerate(row) for bit in range(32) if word >> bit & 1]


def agree(grammar: Grammar, vocabulary: Vocabulary, choose: Callable[[list[int]], int], steps: int) -> None:
    """Walk through the grammar with both engines and the slow mask; with two of them if the first one refuses it."""
    earley = compile(grammar, vocabulary, engine="earley", limits=ROOM)
    other = earley.matcher()
    try:
        one = compile(grammar, vocabulary, engine="automaton", contract="context-free", limits=ROOM).matcher()
    except Error as error:
        if error.code not in REFUSED:
            raise
        one = None
    slow = Recognizer(earley.engine.readings)  # type: ignore[attr-defined]  # it is that engine
    for _ in range(steps):
        row = row_of(other, vocabulary)
        assert one is None or row == row_of(one, vocabulary)
        allowed = ids(row)
        ends = list(vocabulary.eos) if slow.is_accepting() else []
        assert allowed == sorted([*mask_by_tokens(slow, vocabulary), *ends])
        assert one is None or one.is_completed() == other.is_completed()
        text = [token for token in allowed if token not in vocabulary.eos]
        if not text:
            return
        token = choose(text)
        assert one is None or one.accept_token(token)
        assert other.accept_token(token)
        assert slow.push_bytes(vocabulary.tokens[token] or b"")


@settings(max_examples=EXAMPLES)
@given(grammars(), vocabularies(), st.data())
def test_random_grammars(grammar, vocabulary, data):
    agree(grammar, vocabulary, lambda ids: data.draw(st.sampled_from(ids)), 5)


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
    agree(one_floor, vocabulary, lambda ids: data.draw(st.sampled_from(ids)), 5)


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


# --- grammars of use

LARK = {
    "sums": 'start: e\ne: e "+" e | e "*" e | "-" e | N | "(" e ")"\nN: /[0-9]+(\\.[0-9]+)?/\n%ignore " "',
    "lists": 'start: (pair ("," pair)*)?\npair: K ":" V\nK: /[a-z]+/\nV: /"[^"]*"/ | K\n%ignore /[ \\n]+/',
    "dangling else": 'start: s\ns: "if" N s | "if" N s "else" s | N ";"\nN: /[a-z]+/\n%ignore / +/',
    "csv": 'start: row ("\\n" row)*\nrow: cell ("," cell)*\ncell: /[^,"\\n]*/ | /"([^"]|"")*"/',
    "keys": 'start: line+\nline: K ":" " "? V? "\\n"\nK: /[a-z_]+/\nV: /[^\\n: ][^\\n]*/',
    "chess": (
        'start: (NO ". " m (" " m)? " "?)+\nm: /[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?[+#]?/ | "O-O" "-O"?\n'
        "NO: /[1-9][0-9]*/"
    ),
    "dates": (
        'start: Y "-" M "-" D ("T" /[0-2][0-9]:[0-5][0-9]/)?\nY: /[0-9]{4}/\nM: /0[1-9]|1[0-2]/\nD: /[0-2][0-9]|3[01]/'
    ),
    "sql": (
        'start: "SELECT" cols "FROM" NAME ("WHERE" cond)? ";"?\ncols: "*" | NAME ("," NAME)*\n'
        'cond: cond "AND" cond | cond "OR" cond | "NOT" cond | val OP val | "(" cond ")"\n'
        "val: NAME | /[0-9]+/ | /'[^']*'/\n"
        'NAME: /[a-z][a-z0-9_]*/\nOP: "=" | "<" | ">" | "<>"\n%ignore /[ \\n\\t]+/'
    ),
}
WORDS = Vocabulary.from_bytes(
    [
        *(bytes([b]) for b in range(256)),
        *(b"SELECT", b" FROM", b"WHERE ", b"AND", b"NOT (", b"if", b" else", b"el", b"se ", b"1.."),
        *(b'", "', b'""', b"e4 e5"),
        *(b" 2. Nf3", b"O-O", b"-O", b"2024", b"-0", b"1-3", b"T2", b"key: ", b"\n\n", b":\n", b"((", b")*"),
        *(b"1.5", b" + "),
        *("é".encode(), b"\xc3", b"ab", b"abc_1", b", b", b"=' x'", b"<>", b"> "),
        None,
    ],
    eos=289,
)  # fmt: skip


@pytest.mark.parametrize("name", LARK)
@settings(max_examples=100 if THOROUGH else 4)
@given(st.randoms(use_true_random=False))
def test_grammars_of_use(name, random):
    def choose(allowed: list[int]) -> int:
        long = [token for token in allowed if token > 256]
        return random.choice(long if long and random.random() < 0.5 else allowed)

    agree(Grammar.from_lark(LARK[name]), WORDS, choose, 8)


SCHEMAS: list[Any] = [
    {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]},
    {"type": "array", "items": {"enum": ["x", 1, None, True]}, "maxItems": 3},
    {"anyOf": [{"type": "string", "maxLength": 4}, {"type": "number"}, {"const": {"k": []}}]},
    {"type": "string", "pattern": "^[a-c]{2,5}$"},
]


@pytest.mark.parametrize("schema", SCHEMAS)
@settings(max_examples=60 if THOROUGH else 3)
@given(st.randoms(use_true_random=False))
def test_schemas(schema, random):
    agree(Grammar.from_json_schema(schema), WORDS, random.choice, 8)


def test_both_engines_are_compared():
    kinds = {type(compile(Grammar.from_lark(LARK["sums"]), WORDS, engine=e).engine) for e in ("automaton", "earley")}
    assert len(kinds) == 2
    assert isinstance(compile(Grammar.from_lark(LARK["sums"]), WORDS, kernel=active()), Constraint)
