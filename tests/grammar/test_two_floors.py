"""One floor becomes two: the same language, terminals that are as large as is sensible."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import GrammarError
from checkrail.grammar.expression import (
    ANY_CHARACTER,
    EMPTY,
    NOTHING,
    Complement,
    Expression,
    JsonString,
    Literal,
    Nest,
    Reference,
    Repeat,
    Sequence,
)
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.lexical import LexicalGrammar
from checkrail.grammar.nullable import is_nullable
from checkrail.grammar.traverse import height, walk
from reference import Recogniser
from strategies import grammars, texts

STRUCTURE = {"Reference", "Sequence", "Choice", "Repeat"}


def floors(text: str) -> LexicalGrammar:
    return LexicalGrammar.of_grammar(Grammar.from_gbnf(text))


@settings(max_examples=60)
@given(grammars(), st.lists(texts, max_size=6))
def test_the_language_stays(grammar: Grammar, words: list[str]) -> None:
    lexical = LexicalGrammar.of_grammar(grammar)
    before, after = Recogniser(grammar), Recogniser(Grammar(lexical.to_rules(), lexical.start))
    for word in words:
        assert before.accepts(word) == after.accepts(word)


@settings(max_examples=40)
@given(grammars())
def test_the_form_is_that_of_two_floors(grammar: Grammar) -> None:
    lexical = LexicalGrammar.of_grammar(grammar)
    assert not lexical.rules.keys() & lexical.terminals.keys()
    for body in lexical.rules.values():
        for node in walk(body):
            assert type(node).__name__ in STRUCTURE
            if isinstance(node, Reference):
                assert node.rule in lexical.rules or node.rule in lexical.terminals
    for name, terminal in lexical.terminals.items():
        assert terminal.name == name
        assert terminal.pattern is not None
        assert not is_nullable(terminal.pattern)
        assert not any(isinstance(node, Reference) for node in walk(terminal.pattern))


def test_regular_rules_are_terminals_with_their_name() -> None:
    lexical = floors('root ::= (number root)?\nnumber ::= digit+ ("." digit+)? [eE] digit{9,20}\ndigit ::= [0-9]')
    assert list(lexical.rules) == ["root"]
    assert list(lexical.terminals) == ["number"]


def test_small_neighbours_are_one_terminal() -> None:
    assert list(floors('root ::= "(" " "* root ")" | "x" | "y"').terminals) == ['"(" " "*', '")"', "[xy]"]


def test_large_parts_are_shared_and_very_large_ones_are_rules() -> None:
    text = JsonString(Repeat(ANY_CHARACTER, 0, None))
    body = Sequence((Literal('"a":"'), text, Literal('","b":"'), text, Literal('"')))
    lexical = LexicalGrammar.of_grammar(Grammar({"root": Repeat(body, 0, 99)}))
    first, string, middle, end = lexical.terminals
    assert (first, middle, end) == ('"\\"a\\":\\""', '"\\",\\"b\\":\\""', '"\\""')
    inside = Repeat(Reference(string), 0, 1)
    parts = (Reference(first), inside, Reference(middle), inside, Reference(end))
    assert lexical.rules["root"] == Repeat(Sequence(parts), 0, 99)
    big = " ".join(["[a-z]{30} [0-9]?"] * 20)
    assert list(floors(f"root ::= big big\nbig ::= {big}").rules) == ["root", "big"]


def test_counted_repetitions_stay_whole() -> None:
    lexical = floors('root ::= "x" root | [a-z]{0,4000} "."')
    assert "[a-z]{1,4000}" in lexical.terminals


def test_a_grammar_that_is_regular_is_one_terminal() -> None:
    lexical = floors('root ::= "a"*')
    assert lexical.rules == {"root": Repeat(Reference('"a"+'), 0, 1)}


@pytest.mark.parametrize("body", [EMPTY, NOTHING])
def test_nothing_to_take(body: Expression) -> None:
    assert LexicalGrammar.of_grammar(Grammar({"root": body})).rules == {"root": body}


def test_tokens_are_terminals() -> None:
    lexical = floors('root ::= <think> "a" !<[3]> <think>')
    assert {t.name: (t.token, t.negated, t.pattern is None) for t in lexical.terminals.values()} == {
        "<think>": ("<think>", False, True),
        '"a"': (None, False, False),
        "!<[3]>": (3, True, True),
    }


def test_levels_are_not_counted() -> None:
    body = Nest(Sequence((Literal("("), Repeat(Reference("root"), 0, 1), Literal(")"))))
    assert list(LexicalGrammar.of_grammar(Grammar({"root": body})).terminals) == ['"("', '")"']


def test_algebra_on_a_recursive_rule_is_refused() -> None:
    rules = {"root": Complement(Reference("x")), "x": Sequence((Literal("("), Reference("x"), Literal(")")))}
    with pytest.raises(GrammarError) as caught:
        LexicalGrammar.of_grammar(Grammar(rules))
    assert caught.value.code == "GRAMMAR_NOT_REGULAR"
    assert caught.value.params["rule"] == "x"


def test_long_names_are_cut_and_numbered() -> None:
    words = " ".join(f'root "{"x" * 50}{n}"' for n in range(2))
    names = list(floors(f'root ::= {words} | "y"').terminals)
    assert names[0] != names[1]
    assert all(len(name) <= 43 for name in names)


def test_deep_parts_are_divided() -> None:
    body: Expression = Literal("a")
    for _ in range(150):
        body = Repeat(body, 0, 2)
    lexical = LexicalGrammar.of_grammar(Grammar({"root": Sequence((body, Literal("b")))}))
    assert all(height(t.pattern) <= 101 for t in lexical.terminals.values() if t.pattern is not None)


def test_many_rules_take_linear_time() -> None:
    text = "".join(f'r{n} ::= "x" r{n + 1} "y" | "z" r{n}\n' for n in range(3000))
    assert len(floors(f'root ::= r0\n{text}r3000 ::= "e" root?').rules) == 3002
