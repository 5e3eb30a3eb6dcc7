"""Triggers of GRAMMAR_*: grammar texts and the compiler."""

from __future__ import annotations

import checkrail
from checkrail import Grammar, Limits
from error_triggers import Trigger

BYTES = checkrail.Vocabulary.from_bytes([bytes([b]) for b in range(256)] + [b"<end>"], eos=256)


def gbnf(text: str, **limits: int) -> Trigger:
    """Reading this text."""
    return lambda: Grammar.from_gbnf(text, limits=Limits(**limits))


def compiled(text: str, **limits: float) -> Trigger:
    """Reading and compiling it."""
    return lambda: checkrail.compile(Grammar.from_gbnf(text), BYTES, limits=Limits(**limits))


def empty_language() -> object:
    from checkrail.grammar.expression import NOTHING

    return checkrail.compile(Grammar(rules={"root": NOTHING}), BYTES)


def not_regular() -> object:
    from checkrail.grammar.expression import Complement, Literal, Reference, Sequence

    bracket = Sequence((Literal("("), Reference("root"), Literal(")")))
    return checkrail.compile(Grammar(rules={"root": Complement(bracket)}), BYTES)


def empty_terminal() -> object:
    from checkrail.earley.recognizer import Recognizer
    from checkrail.grammar.expression import EMPTY, Reference
    from checkrail.grammar.lexical import LexicalGrammar, Terminal

    return Recognizer.of(LexicalGrammar("start", {"start": Reference("A")}, {"A": Terminal("A", EMPTY)}))


TRIGGERS: dict[str, Trigger] = {
    "GRAMMAR_SYNTAX": gbnf("root ::= ("),
    "GRAMMAR_UNSUPPORTED": lambda: Grammar.from_regex(r"(a)\1"),
    "GRAMMAR_UNDEFINED_RULE": gbnf("root ::= missing"),
    "GRAMMAR_DUPLICATE_RULE": gbnf('root ::= "a"\nroot ::= "b"'),
    "GRAMMAR_LEFT_RECURSION": compiled('root ::= root "a" | "b"'),
    "GRAMMAR_UNPRODUCTIVE": compiled('root ::= "a" | b\nb ::= "x" b'),
    "GRAMMAR_NOT_VISIBLE": compiled('root ::= "a" root "a" | "a"'),
    "GRAMMAR_EMPTY_LANGUAGE": empty_language,
    "GRAMMAR_EMPTY_TERMINAL": empty_terminal,
    "GRAMMAR_NOT_REGULAR": not_regular,
    "GRAMMAR_BUDGET_STATES": compiled("root ::= [ab]* [a] [ab]{12}", states=100),
    "GRAMMAR_BUDGET_TRANSITIONS": compiled("root ::= [ab]* [a] [ab]{12}", transitions=100),
    "GRAMMAR_BUDGET_DEPTH": gbnf("root ::= " + "(" * 20 + '"a"' + ")" * 20, expression_depth=10),
    "GRAMMAR_BUDGET_BYTES": gbnf('root ::= "a"', grammar_bytes=4),
    "GRAMMAR_BUDGET_RULES": gbnf('root ::= "a"\nb ::= "b"\nc ::= "c"', rules=2),
    "GRAMMAR_BUDGET_NODES": gbnf("root ::= " + "[a] " * 100, expression_nodes=50),
    "GRAMMAR_BUDGET_REPEAT": gbnf('root ::= "a"{1000}', repetitions=999),
    "GRAMMAR_BUDGET_TIME": compiled("root ::= [ab]* [a] [ab]{12}", compile_seconds=1e-9),
    "GRAMMAR_TAG": lambda: Grammar.from_structural_tag({"type": "prose"}),
    "GRAMMAR_TOKEN": compiled("root ::= <nothing>"),
}
