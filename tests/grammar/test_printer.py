from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from checkrail.grammar.codepoints import character_class, normalise
from checkrail.grammar.expression import (
    ANY_CHARACTER,
    EMPTY,
    NOTHING,
    CharacterClass,
    Choice,
    Complement,
    Intersection,
    JsonString,
    Literal,
    Nest,
    Reference,
    Repeat,
    Sequence,
    TokenReference,
)
from checkrail.grammar.gbnf import parse_gbnf
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.printer import expression_to_gbnf, to_gbnf
from checkrail.grammar.simplify import simplify

A, B = Literal("a"), Literal("b")


@settings(max_examples=50)
@given(strategies.grammars())
def test_what_is_written_reads_back_as_the_same_grammar(grammar):
    again = parse_gbnf(to_gbnf(grammar))
    assert list(again.rules) == list(grammar.rules)
    for name, expression in grammar.rules.items():
        assert simplify(again.rules[name]) == simplify(expression)


@given(st.text(min_size=1))
def test_every_literal_reads_back(text):
    assert parse_gbnf(f"root ::= {expression_to_gbnf(Literal(text))}").rules["root"] == Literal(text)


codes = st.one_of(st.sampled_from([*range(0x20, 0x80), 0, 0xD7FF, 0xE000, 0x2028, 0x10FFFF]), st.integers(0, 0x10FFFF))


@given(st.lists(st.tuples(codes, codes), min_size=1, max_size=4))
def test_every_class_reads_back(ranges):
    wanted = CharacterClass(normalise(ranges) or ((97, 98),))
    assert parse_gbnf(f"root ::= {expression_to_gbnf(wanted)}").rules["root"] == wanted


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (EMPTY, '""'),
        (Literal('a"\\\n\x00é\u2028\U000e0001'), '"a\\"\\\\\\n\\x00é\\u2028\\U000E0001"'),
        (ANY_CHARACTER, "."),
        (character_class([(97, 122), (45, 45), (93, 94)]), "[\\x2D\\]\\x5Ea-z]"),
        (character_class([(34, 34), (92, 92)], negated=True), '[^"\\\\]'),
        (Sequence((Choice((A, B)), Repeat(A, 0, None))), '("a" | "b") "a"*'),
        (Choice((Sequence((A, B)), Choice((A, EMPTY)))), '"a" "b" | ("a" | "")'),
        (Repeat(Sequence((A, B)), 1, None), '("a" "b")+'),
        (Repeat(Repeat(A, 2, 2), 2, None), '("a"{2}){2,}'),
        (Repeat(A, 0, 1), '"a"?'),
        (Repeat(A, 0, 7), '"a"{0,7}'),
        (Repeat(A, 0, 0), '"a"{0}'),
        (Sequence((A,)), '"a"'),
        (Nest(Sequence((Reference("x"), A))), 'x "a"'),
        (TokenReference(7, negated=True), "!<[7]>"),
        (TokenReference("</think>"), "</think>"),
        # for reading only
        (NOTHING, "@nothing"),
        (CharacterClass(()), "@nothing"),
        (TokenReference("<a\nb>"), '@token("<a\\nb>")'),
        (TokenReference("<[7]>"), '@token("<[7]>")'),
        (TokenReference("end", negated=True), '!@token("end")'),
        (JsonString(Repeat(A, 0, None)), '@json("a"*)'),
        (Intersection((A, Complement(Sequence((A, B))))), '@and("a", @not("a" "b"))'),
    ],
)
def test_notation(expression, text):
    assert expression_to_gbnf(expression) == text


def test_names_that_gbnf_does_not_have_are_changed_and_stay_apart():
    rules = {"root": Reference("a/b"), "a/b": Reference("a.b"), "a.b": Reference("a-b"), "a-b": Reference("é"), "é": A}
    text = to_gbnf(Grammar(rules))
    assert text == 'root ::= a-b-2\na-b-2 ::= a-b-3\na-b-3 ::= a-b\na-b ::= -\n- ::= "a"\n'
    assert len(parse_gbnf(text).rules) == 5


def test_str_of_a_grammar_is_its_text():
    text = 'root ::= "- " item{1,9}\nitem ::= [^\\n]+ "\\n"\n'
    assert str(Grammar.from_gbnf(text)) == text
