"""What is wrong with a grammar is wrong on both engines: the same code, about the same rule, at the same place."""

from __future__ import annotations

import pytest

from checkrail import Grammar, Limits, Vocabulary, compile
from checkrail.errors import Error

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)

GBNF = {
    "a rule that needs itself": 'root ::= "a" | x\nx ::= "b" x',
    "the root needs itself": 'root ::= "a" root',
    "two rules that need each other": 'root ::= "a" | "b" x\nx ::= "(" y ")"\ny ::= "[" x "]"',
    "no rule of that name": 'root ::= "a" nobody',
    "an unknown name in a rule that nothing uses": 'root ::= "a"\nx ::= nobody',
    "no such token": 'root ::= "a" <nobody>',
    "algebra over recursion": 'root ::= @and("a", x)\nx ::= "(" x ")" | "a"',
    "an empty class": "root ::= [^\\x00-\\U0010FFFF]",
    "nothing in common": 'root ::= @and("a", "b")',
}
LARK = {
    "a rule that needs itself": 'start: A | x\nx: "(" x ")"\nA: "a"',
    "the start needs itself": 'start: start "a"',
    "an empty terminal": "start: A\nA: /a/ & /b/",
    "a dead terminal in the only way": 'start: A | "b" A\nA: /a/ & ~/a/',
    "through a terminal that is empty": "start: x\nx: A x | A\nA: /a/ & /b/",
}


def fault(read, text: str, engine: str) -> tuple[object, ...] | None:
    try:
        compile(read(text), BYTES, engine=engine, contract="context-free")
    except Error as error:
        return error.code, error.params.get("rule"), error.position and error.position.offset
    return None


@pytest.mark.parametrize("name", GBNF)
def test_faults_of_gbnf(name):
    found = {engine: fault(Grammar.from_gbnf, GBNF[name], engine) for engine in ("automaton", "earley")}
    assert found["automaton"] is not None
    assert found["earley"] == found["automaton"]


@pytest.mark.parametrize("name", LARK)
def test_faults_of_lark(name):
    found = {engine: fault(Grammar.from_lark, LARK[name], engine) for engine in ("automaton", "earley")}
    assert found["automaton"] is not None
    assert found["earley"] == found["automaton"]


def test_a_branch_of_a_schema_that_nothing_satisfies_is_no_fault():
    schema = {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/x"}], "$defs": {"x": {"enum": []}}}
    found = []
    for engine in ("automaton", "earley"):
        try:
            compile(Grammar.from_json_schema(schema), BYTES, engine=engine)
            found.append(None)
        except Error as error:
            found.append(error.code)
    assert found[0] == found[1]


def test_only_the_nesting_bound_leaves_no_text():
    schema = {"type": "array", "minItems": 1, "items": {"type": "array", "minItems": 1, "items": {"type": "array"}}}
    for engine in ("automaton", "earley"):
        with pytest.raises(Error) as caught:
            compile(Grammar.from_json_schema(schema), BYTES, engine=engine, limits=Limits(nesting=2))
        assert caught.value.code == "GRAMMAR_BUDGET_DEPTH"
        compile(Grammar.from_json_schema(schema), BYTES, engine=engine, limits=Limits(nesting=3))
