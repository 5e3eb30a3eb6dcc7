"""The eight grammars that llama.cpp ships: read, compiled, and generated from.

The files lie in `cases/llama_cpp_grammars` with their licence. Two of them are ambiguous at a byte; the strict
contract says where, and the general one takes them.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from checkrail.decoding.constraint import compile
from checkrail.errors import GrammarError
from checkrail.grammar.grammar import Grammar
from checkrail.mask.slow import get_mask_slow
from checkrail.vocabulary.vocabulary import Vocabulary
from reference import Recogniser

FOLDER = Path(__file__).parent / "cases" / "llama_cpp_grammars"
PIECES = [
    "1. ",
    " e4",
    " Nf3",
    "O-O",
    "\n",
    "int ",
    "x=",
    "x ",
    "();",
    "{}",
    "- ",
    "日本",
    '{"',
    '":',
    '", ',
    "], ",
    "==",
    "  ",
]
VOCABULARY = Vocabulary.from_bytes(
    [*(bytes([b]) for b in range(256)), *map(str.encode, PIECES), None], eos=[256 + len(PIECES)]
)

# name -> (ambiguous: what the strict contract says, texts it has, near misses)
CASES = {
    "arithmetic": (
        "follow the end of term",
        ["x = 1\n", "(a+2)*b=3\n", "1=2\n3 = y\n", "((x_1))= 0\n"],
        ["", "x = 1", "X=1\n", "1+=2\n", "(a=1\n", "x=1+2\n"],
    ),
    "c": (
        "begin expression",
        ["", "int f(){}", "int f(int x){x =\t1;return x;}", "float g(){// hi\n}", "char h(){if(a<b){f ();}else{}}"],
        ["int f()", "int f(){x=1;}", "int 1f(){}", "int f(){return}", "int f(){/* x }"],
    ),
    "chess": (
        None,
        ["1. e4 e5\n2. Nf3 Nc6\n", "1. d4 d5\n2. O-O O-O-O\n10. exd8=Q+ Rae1#\n"],
        ["1. e4 e5\n", "1. e4\n2. Nf3 Nc6\n", "1. i4 e5\n2. Nf3 Nc6\n", "1. e4 e5\n02. Nf3 Nc6\n"],
    ),
    "english": (None, ["Hi, there!", "a\tb", "[]\\^_`~"], ["", " a", "a  b", "é", "a "]),
    "japanese": (None, ["こんにちは", "日本、\tカナ"], ["", "a", "日 ", "ｶ"]),
    "json": (
        None,
        ["{}", '{"a": [1, -2.5e3, true], "b\\n": {"c": null} }', '{"é": "\\u00e9"}', "{\n\t\t}"],
        ["", "[]", '{"a":01}', '{"a":}', "{'a':1}", '{"a":1,}', '{"a"\t:1}', '{"\t":1}', '{"a":1e}'],
    ),
    "json_arr": (None, ["[\n]", '[\n1,\n {"a":"b"}]', "[\n[[]]]"], ["[]", "[\n1, 2]", "{}", "[\n1]\n"]),
    "list": (None, ["- a\n", "- é!\n- two words\n"], ["", "- \n", "-a\n", "- a", "- a\u2028b\n", "- a\rb\n"]),
}


def load(name: str) -> Grammar:
    return Grammar.from_gbnf((FOLDER / f"{name}.gbnf").read_text("utf-8"))


def constraint_of(name: str, kernel=None):
    ambiguous = CASES[name][0]
    return compile(load(name), VOCABULARY, contract="context-free" if ambiguous else None, kernel=kernel)


def test_all_eight_are_here():
    assert {path.stem for path in FOLDER.glob("*.gbnf")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_the_strict_contract_takes_it_or_says_why_not(name):
    reason = CASES[name][0]
    if reason is None:
        constraint = compile(load(name), VOCABULARY)
        assert constraint.report.contract == "visibly-pushdown"
        assert constraint.report.visible
        return
    with pytest.raises(GrammarError) as caught:
        compile(load(name), VOCABULARY)
    assert caught.value.code == "GRAMMAR_NOT_VISIBLE"
    assert reason in caught.value.message
    constraint = constraint_of(name)
    assert constraint.report.contract == "context-free"
    assert not constraint.report.visible


@pytest.mark.parametrize("name", CASES)
def test_it_takes_its_texts_and_refuses_near_misses(name):
    constraint, truth = constraint_of(name), Recogniser(load(name))
    for text in CASES[name][1]:
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text.encode()), text
        assert matcher.is_completed(), text
        assert truth.accepts(text)
    for text in CASES[name][2]:
        matcher = constraint.matcher()
        assert not (matcher.accept_bytes(text.encode()) and matcher.is_completed()), text
        assert not truth.accepts(text)


@pytest.mark.parametrize("name", CASES)
def test_random_generation_stays_inside_and_can_always_end(name, kernel):
    constraint = constraint_of(name, kernel)
    automaton, stepper = constraint.automaton, constraint.engine.stepper
    truth = Recogniser(load(name))

    def distance(configuration) -> int:
        def along(state, frame):
            return automaton.length[state] + min((along(r, f) for r, f in frame.entries), default=0)

        return min(along(q, f) for q, f in configuration.pairs)

    for seed in range(3):
        rng = random.Random(seed)
        matcher, text = constraint.matcher(), b""
        for _ in range(25):
            allowed = set(matcher.allowed(None))
            assert allowed == get_mask_slow(stepper, matcher.configuration(), VOCABULARY)
            tokens = sorted(allowed - set(VOCABULARY.eos))
            if not tokens:
                break
            token = rng.choice(tokens)
            assert matcher.accept_token(token)
            text += VOCABULARY.token_bytes(token)
        while not matcher.is_completed():
            here = matcher.configuration()
            steps = {b: c for b in range(256) if (c := stepper.step(here, b)) is not None}
            byte = bytes([min(steps, key=lambda b: distance(steps[b]))])
            assert matcher.accept_bytes(byte)
            text += byte
            assert len(text) < 2000
        assert truth.accepts(text.decode())
