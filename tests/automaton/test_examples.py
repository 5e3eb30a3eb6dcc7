"""The example in the message of a conflict: after it, the byte is possible, and it is what the message says."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings

from checkrail.automaton.compiler import compile_automaton
from checkrail.errors import GrammarError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask.configuration import Configuration, Stepper
from strategies import grammars

DEEP = Limits(nesting=200)


def refusal(grammar: Grammar) -> GrammarError | None:
    try:
        compile_automaton(grammar, limits=DEEP)
    except GrammarError as error:
        return error if error.code == "GRAMMAR_NOT_VISIBLE" else None
    return None


def bytes_of(shown: str) -> bytes:
    """The example as it stands in a message."""
    if shown == "nothing":
        return b""
    text: str = ast.literal_eval(shown)
    return text.encode("utf-8")


def byte_of(shown: str) -> int:
    return int(shown, 16) if shown.startswith("0x") else ord(ast.literal_eval(shown))


def after(stepper: Stepper, data: bytes) -> Configuration | None:
    here: Configuration | None = stepper.start
    for byte in data:
        here = None if here is None else stepper.step(here, byte)
    return here


@settings(max_examples=60)
@given(grammars())
def test_the_byte_is_possible_after_the_example(grammar):
    error = refusal(grammar)
    if error is None or "\\\\x" in error.params["example"] or "too long" in error.params["example"]:
        return  # one in ten is left
    stepper = Stepper(compile_automaton(grammar, contract="context-free", limits=DEEP), DEEP)
    here = after(stepper, bytes_of(error.params["example"]))
    assert here is not None
    assert stepper.step(here, byte_of(error.params["byte"])) is not None


CONFLICT = 'y ::= "(" y ")" | "c" | z\nz ::= "c" z "d" | "e"'


@pytest.mark.parametrize(
    ("text", "example"),
    [
        (f"root ::= y\n{CONFLICT}", "nothing"),
        (f'root ::= "ab" y\n{CONFLICT}', "'ab'"),
        (f'root ::= w y\nw ::= "[" w "]" | "v"\n{CONFLICT}', "'v'"),
        (f'root ::= w y\nw ::= "[" w "]" | u "x"\nu ::= "<" u ">" | "q"\n{CONFLICT}', "'qx'"),
        (f'root ::= "{"a" * 200}" y\n{CONFLICT}', repr("a" * 200)),
        (f'root ::= "{"a" * 201}" y\n{CONFLICT}', "a text that is too long to show"),
        ('root ::= s\ns ::= "a" s "a" | "a" s s "a" | "a"', "'aa'"),
    ],
)
def test_examples(text, example):
    error = refusal(Grammar.from_gbnf(text))
    assert error is not None
    assert error.params["example"] == example


def test_words_that_double_are_not_spelled():
    """The shortest word of the first rule has 2**40 letters."""
    rules = "\n".join(f'r{i} ::= r{i + 1} "x" r{i + 1} | "(" r{i} ")" r{i + 1} r{i + 1}' for i in range(40))
    error = refusal(Grammar.from_gbnf(f'root ::= r30 y\n{rules}\nr40 ::= "b" | "[" r40 "]"\n{CONFLICT}'))
    assert error is not None
    assert "too long" in error.params["example"]
