"""Small cases re-created from bug reports of other engines, run through this one: every hard expectation holds."""

from __future__ import annotations

import json

import pytest

from checkrail.decoding.constraint import compile
from checkrail.errors import Error
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.vocabulary.byte_level import decode_byte_level
from checkrail.vocabulary.vocabulary import Vocabulary
from data_path import shared_data

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=[256])
# Split at newlines only: the texts hold other line separators.
CASES = [json.loads(line) for line in (shared_data() / "public-cases.jsonl").read_text("utf-8").split("\n") if line]


def of_kind(*kinds: str):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] in kinds]


def compiled(case, grammar_of):
    """The constraint, or None where the case allows or demands a refusal and there was one."""
    may_refuse = "error" in (case["compile"], case.get("compile_alt"))
    try:
        grammar = grammar_of(case["spec"])
        try:
            constraint = compile(grammar, BYTES, limits=Limits(nesting=100))
        except Error as error:
            # Strict refuses these two; the general contract takes them exactly.
            if error.code not in ("GRAMMAR_LEFT_RECURSION", "GRAMMAR_NOT_VISIBLE"):
                raise
            constraint = compile(grammar, BYTES, contract="context-free", limits=Limits(nesting=100))
    except Error:
        if not may_refuse:
            raise
        return None
    assert case["compile"] != "error", "this must be refused when it is compiled"
    return constraint


@pytest.mark.parametrize("case", of_kind("gbnf", "lark"))
def test_a_grammar_on_the_earley_engine(case):
    """Left recursion and ambiguity are no reason to refuse a grammar here."""
    read = Grammar.from_gbnf if case["kind"] == "gbnf" else Grammar.from_lark
    try:
        constraint = compile(read(case["spec"]), BYTES, engine="earley")
    except Error as error:
        may_refuse = "error" in (case["compile"], case.get("compile_alt"))
        if not may_refuse or error.code in ("GRAMMAR_LEFT_RECURSION", "GRAMMAR_NOT_VISIBLE"):
            raise
        return
    wanted = [*((text, True) for text in case["accept"]), *((text, False) for text in case["reject"])]
    assert [text for text, belongs in wanted if holds(constraint, text) != belongs] == []


def holds(constraint, text: str) -> bool:
    matcher = constraint.matcher()
    return matcher.accept_bytes(text.encode("utf-8", "surrogatepass")) and matcher.is_completed()


@pytest.mark.parametrize("case", of_kind("gbnf", "regex"))
def test_a_grammar_takes_and_refuses_whole_texts(case):
    read = Grammar.from_gbnf if case["kind"] == "gbnf" else Grammar.from_regex
    constraint = compiled(case, read)
    if constraint is None:
        return
    for text in case["accept"]:
        assert holds(constraint, text), text[:80]
    for text in case["reject"]:
        assert not holds(constraint, text), text[:80]


def vocabulary_of(spec) -> Vocabulary:
    size = spec.get("vocab_size", 0)
    if "pieces" in spec:
        pieces = {int(i): p for i, p in spec["pieces"].items()}
        decode = decode_byte_level if spec["type"] == "byte_level" else lambda p: p.replace("\u2581", " ").encode()
        table = {i: p.encode() if i in spec["special"] else decode(p) for i, p in pieces.items()}
    else:
        table = {int(i): bytes.fromhex(h) for i, h in spec["vocab"].items()}
    size = max(size, *(i + 1 for i in table))
    tokens = [table.get(i) for i in range(size)]
    return Vocabulary.from_bytes(tokens, eos=spec["eos"], special=spec.get("special", ()))


@pytest.mark.parametrize("case", of_kind("tokenizer"))
def test_a_mask_over_a_given_vocabulary(case, kernel):
    spec = case["spec"]
    vocabulary = vocabulary_of(spec)
    matcher = compile(Grammar.from_gbnf(spec["grammar"]), vocabulary, kernel=kernel).matcher()
    for token in spec["consumed"]:
        assert matcher.accept_token(token)
    allowed = {str(t) for t in matcher.allowed(None)}
    assert set(case["accept"]) <= allowed
    assert not allowed & set(case["reject"])
