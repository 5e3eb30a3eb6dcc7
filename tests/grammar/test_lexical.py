"""Two floors as a value: written out as rules, and found again in a grammar of one floor."""

from __future__ import annotations

from checkrail.grammar.expression import (
    Choice,
    Literal,
    Reference,
    Repeat,
    Sequence,
    TokenReference,
)
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.lexical import LexicalGrammar, Terminal

A, B, BLANK = Terminal("A", Literal("a")), Terminal('"b"', Literal("b")), Terminal("WS", Literal(" "))
TOKEN = Terminal("<eot>", None, "<eot>", negated=True)


def lexical(body, *terminals: Terminal, ignored: tuple[str, ...] = ()) -> LexicalGrammar:
    return LexicalGrammar("start", {"start": body}, {t.name: t for t in terminals}, ignored)


def gbnf(grammar: LexicalGrammar) -> str:
    return str(Grammar(grammar.to_rules(), "start"))


def test_named_terminals_are_rules_and_others_stand_in_place() -> None:
    grammar = lexical(Sequence((Reference("A"), Reference('"b"'), Reference("<eot>"))), A, B, TOKEN)
    assert gbnf(grammar) == 'start ::= A "b" !<eot>\nA ::= "a"\n'
    assert TOKEN.expression == TokenReference("<eot>", negated=True)


def test_ignored_text_stands_before_each_terminal_and_at_the_end() -> None:
    grammar = lexical(Repeat(Reference("A"), 0, None), A, BLANK, ignored=("WS",))
    assert gbnf(grammar) == 'start ::= (ignored A)* ignored\nA ::= "a"\nWS ::= " "\nignored ::= WS*\n'


def test_a_start_rule_that_is_used_gets_another_name() -> None:
    body = Choice((Reference("A"), Sequence((Reference('"b"'), Reference("start")))))
    grammar = lexical(body, A, B, BLANK, ignored=("WS",))
    assert gbnf(grammar) == (
        'start ::= start-2 ignored\nstart-2 ::= ignored A | (ignored "b") start-2\n'
        'A ::= "a"\nWS ::= " "\nignored ::= WS*\n'
    )


def test_terminals_may_be_left_out_of_it() -> None:
    inner = Terminal("A", Literal("a"), ignored_around=False)
    grammar = lexical(Sequence((Reference("A"), Reference('"b"'))), inner, B, BLANK, ignored=("WS",))
    assert gbnf(grammar).startswith('start ::= (A (ignored "b")) ignored\n')


def test_names_that_are_taken() -> None:
    grammar = LexicalGrammar(
        "start", {"start": Reference("ignored"), "ignored": Reference("A")}, {"A": A, "WS": BLANK}, ("WS",)
    )
    assert "ignored-2 ::= WS*" in gbnf(grammar)


def test_repr_is_short() -> None:
    assert repr(lexical(Reference("A"), A, BLANK, ignored=("WS",))) == (
        "<LexicalGrammar start: 1 rules, 2 terminals, ignores WS>"
    )


def test_of_grammar_and_back() -> None:
    grammar = Grammar.from_gbnf('root ::= "x" root | [0-9]+')
    floors = LexicalGrammar.of_grammar(grammar)
    assert list(floors.terminals) == ['"x"', "[0-9]+"]
    assert str(Grammar(floors.to_rules())) == 'root ::= [0-9]+ | "x" root\n'
