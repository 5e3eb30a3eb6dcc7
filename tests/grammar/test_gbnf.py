"""GBNF: what llama.cpp's dialect means, where this reader is more generous or stricter, and every refusal."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import Error, GrammarError
from checkrail.grammar.codepoints import character_class
from checkrail.grammar.expression import (
    ANY_CHARACTER,
    EMPTY,
    CharacterClass,
    Choice,
    Expression,
    Literal,
    Reference,
    Repeat,
    Sequence,
    TokenReference,
)
from checkrail.grammar.gbnf import parse_gbnf
from checkrail.grammar.traverse import walk
from checkrail.limits import Limits
from reference_chart import attempt, grammar_accepts

A, B, C = Literal("a"), Literal("b"), Literal("c")


def body(text: str) -> Expression:
    return parse_gbnf(f"root ::= {text}").rules["root"]


def refusal(text: str, **limits: int) -> Error:
    with pytest.raises(GrammarError) as caught:
        parse_gbnf(text, limits=Limits(**limits))
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a"', A),
        ('""', EMPTY),
        ('"a" "b"', Sequence((A, B))),
        ('"a" | "b" "c"', Choice((A, Sequence((B, C))))),
        ('("a" | "b") "c"', Sequence((Choice((A, B)), C))),
        ('((("a")))', A),
        ('"a"* "b"+ "c"?', Sequence((Repeat(A, 0, None), Repeat(B, 1, None), Repeat(C, 0, 1)))),
        ('"ab"*', Repeat(Literal("ab"), 0, None)),
        (
            '"a"{2} "a"{2,} "a"{,3} "a"{2,3}',
            Sequence(tuple(Repeat(A, *c) for c in [(2, 2), (2, None), (0, 3), (2, 3)])),
        ),
        ('"a"{ 2 , 3 }', Repeat(A, 2, 3)),
        ('"a"{0}', Repeat(A, 0, 0)),
        ('"a"{007}', Repeat(A, 7, 7)),
        ('"a" ? *', Repeat(Repeat(A, 0, 1), 0, None)),
        ('| "a"', Choice((EMPTY, A))),
        ('("a" | )', Choice((A, EMPTY))),
        ("()", EMPTY),
        (". root-2 # comment\nroot-2 ::= .", Sequence((ANY_CHARACTER, Reference("root-2")))),
    ],
)
def test_structure(text, expected):
    assert body(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'"\x41\u00e9\U0001F600"', "Aé😀"),
        (r'"\t\r\n\\\"\[\]\-"', '\t\r\n\\"[]-'),
        ('"#x"', "#x"),
        ('"two\nlines"', "two\nlines"),
        ('"\0"', "\0"),
    ],
)
def test_literals(text, expected):
    assert body(text) == Literal(expected)


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("[abc]", [(97, 99)]),
        ("[a-cx]", [(97, 99), (120, 120)]),
        ("[-a]", [(45, 45), (97, 97)]),
        ("[a-]", [(45, 45), (97, 97)]),
        ("[a-b-c]", [(97, 98), (45, 45), (99, 99)]),
        ("[--/]", [(45, 47)]),
        ("[#]", [(35, 35)]),
        (r"[\]\[\\^-]", [(93, 93), (91, 91), (92, 92), (94, 94), (45, 45)]),
        (r"[\x00-\x1F]", [(0, 31)]),
        (r"[+--]", [(43, 45)]),
        (r"[a\-z]", [(97, 97), (45, 45), (122, 122)]),
        ("[😀-🙏]", [(0x1F600, 0x1F64F)]),
        (r"[\u0000-\uFFFF]", [(0, 0xFFFF)]),
    ],
)
def test_classes_and_their_negations(text, ranges):
    assert body(text) == character_class(ranges)
    assert body(f"[^{text[1:]}") == character_class(ranges, negated=True)


def test_a_negated_class_takes_line_ends_and_no_surrogates():
    negated = body("[^a]")
    assert isinstance(negated, CharacterClass)
    assert negated.ranges == ((0, 96), (98, 0xD7FF), (0xE000, 0x10FFFF))


@pytest.mark.parametrize(
    ("text", "token", "negated"),
    [
        ("<[1000]>", 1000, False),
        ("!<[0]>", 0, True),
        ("<think>", "<think>", False),
        ("!</think>", "</think>", True),
        ("<|im end|>", "<|im end|>", False),
    ],
)
def test_tokens(text, token, negated):
    assert body(text) == TokenReference(token, negated)
    assert body(f"{text}*") == Repeat(TokenReference(token, negated), 0, None)
    assert body(f'"a" {text}').items[1].position.column == 14


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("root ::= x\nx ::= x", ["root", "x"]),
        ("\n# only\n\n root ::=\n\n x | \n x\n\n\nx::=x#end", ["root", "x"]),
        ("root ::= (\n x\n\t|\n x # one\n)\nx ::= x", ["root", "x"]),
        ("root ::= x\n  | x # two\n# between\n\n  | x\nx ::= x", ["root", "x"]),
        ("root ::= x\r\nx ::= (\r\nx)\r\n", ["root", "x"]),
        ("root ::= x\rx ::= x", ["root", "x"]),
        ("root ::= a_b-9\na_b-9 ::= root", ["root", "a_b-9"]),
        ("root ::=", ["root"]),
    ],
)
def test_lines_and_names(text, rules):
    assert list(parse_gbnf(text).rules) == rules


def test_positions_of_rules_and_uses():
    grammar = parse_gbnf('root ::= "é" x\n  x ::= "a"')
    assert (grammar.positions["x"].line, grammar.positions["x"].column) == (2, 3)
    use = next(node for node in walk(grammar.rules["root"]) if isinstance(node, Reference))
    assert (use.position.line, use.position.column, use.position.source_line) == (1, 14, 'root ::= "é" x')


def test_another_root():
    assert parse_gbnf("start ::= .", root="start").root == "start"
    assert parse_gbnf("root ::= .").contract == "visibly-pushdown"


@pytest.mark.parametrize(
    ("text", "what", "line", "column", "expected"),
    [
        ('root :== "x"', "followed by ::=", 1, 6, "::="),
        ('root = "x"', "followed by ::=", 1, 6, "::="),
        ("::= .", "starts with its name", 1, 1, "a rule name"),
        ('root ::= "abc', "literal is not closed", 1, 10, '"'),
        ("root ::= [abc", "class is not closed", 1, 10, "]"),
        ("root ::= . [^abc\n", "class is not closed", 1, 12, "]"),
        ('root ::= "a" ("b"', "parenthesis is not closed", 1, 14, ")"),
        ('root ::= "a")', "cannot stand here", 1, 13, "|"),
        ('root ::= ("a" ]', "cannot stand here", 1, 15, ")"),
        ('root ::= "a" ::= "b"', "cannot stand here", 1, 14, "the end of the line"),
        ('root ::= "a" |\nx ::= "b"', "cannot stand here", 2, 3, "the end of the line"),
        ("root ::= @x", "cannot stand here", 1, 10, '"'),
        ('root ::= "\\d"', "escape is not known", 1, 11, "\\n"),
        ("root ::= [\\d]", "escape is not known", 1, 11, "\\n"),
        ('root ::= "\\', "escape is not known", 1, 11, "\\n"),
        ('root ::= "\\x4"', "\\x needs 2", 1, 11, "2 digits"),
        ('root ::= "\\u12', "\\u needs 4", 1, 11, "4 digits"),
        ('root ::= "\\U0001F60"', "\\U needs 8", 1, 11, "8 digits"),
        ('root ::= "\\uD83D"', "U+D83D is not a character", 1, 11, "a code point outside D800 to DFFF"),
        ('root ::= "\\U00110000"', "U+110000 is not", 1, 11, "a code point outside D800 to DFFF"),
        ('root ::= "\ud800"', "U+D800 is not", 1, 11, "a code point outside D800 to DFFF"),
        ("root ::= [z-a]", "ends swapped", 1, 11, "the lower end first"),
        ("root ::= []", "class is empty", 1, 11, "\\] for a bracket"),
        ("root ::= [^\\x00-\\U0010FFFF]", "excludes every character", 1, 10, "a class with members"),
        ("root ::= *", "nothing before * to repeat", 1, 10, '"'),
        ('root ::= ("a" | +)', "nothing before + to repeat", 1, 17, '"'),
        ('root ::= "a"{3,2}', "bounds swapped", 1, 13, "{m,n}"),
        ('root ::= "a"{,}', "needs a count", 1, 13, "{m,n}"),
        ('root ::= "a"{}', "needs a count", 1, 14, "an integer"),
        ('root ::= "a"{2;3}', "not closed", 1, 15, "}"),
        ('root ::= "a"{2', "not closed", 1, 15, "}"),
        ("root ::= <think", "token is not closed", 1, 10, ">"),
        ("root ::= !think", "! negates a token", 1, 11, "<text>"),
        ("root ::= <[12>", "written <[1234]>", 1, 10, "an integer and ]>"),
        ("root ::= <[x]>", "written <[1234]>", 1, 10, "an integer and ]>"),
        ("root ::= !<[99999999999]>", "written <[1234]>", 1, 11, "an integer and ]>"),
    ],
)
def test_syntax_errors_say_where_and_what_was_expected(text, what, line, column, expected):
    error = refusal(text)
    assert error.code == "GRAMMAR_SYNTAX"
    assert what in error.message
    assert (error.position.line, error.position.column) == (line, column)
    assert expected in error.expected
    assert f"\n    {' ' * (column - 1)}^\n" in error.render()


def test_names_that_do_not_fit_together():
    error = refusal("root ::= vlaue\nvalue ::= .")
    assert (error.code, error.params["rule"]) == ("GRAMMAR_UNDEFINED_RULE", "vlaue")
    assert (error.position.line, error.position.column) == (1, 10)
    assert error.expected == ("value (did you mean this?)",)
    assert refusal("").code == refusal("# nothing\n").code == "GRAMMAR_UNDEFINED_RULE"
    assert refusal("Root ::= .").expected == ("Root (did you mean this?)",)
    error = refusal("root ::= .\nx ::= .\n root ::= .")
    assert (error.code, error.position.line, error.position.column) == ("GRAMMAR_DUPLICATE_RULE", 3, 2)


@pytest.mark.parametrize(
    ("text", "limits", "code"),
    [
        ("root ::= .", {"grammar_bytes": 9}, "GRAMMAR_BUDGET_BYTES"),
        ("root ::= .\na ::= .\nb ::= .", {"rules": 2}, "GRAMMAR_BUDGET_RULES"),
        ("root ::= (((.)))", {"expression_depth": 2}, "GRAMMAR_BUDGET_DEPTH"),
        ("root ::= . . .", {"expression_nodes": 2}, "GRAMMAR_BUDGET_NODES"),
        ("root ::= .{11}", {"repetitions": 10}, "GRAMMAR_BUDGET_REPEAT"),
        ("root ::= .{1,11}", {"repetitions": 10}, "GRAMMAR_BUDGET_REPEAT"),
        ("root ::= ." + "*" * 300, {}, "GRAMMAR_BUDGET_DEPTH"),
    ],
)
def test_limits(text, limits, code):
    assert refusal(text, **limits).code == code


def test_what_is_just_within_the_limits():
    limits = Limits(grammar_bytes=16, rules=1, expression_depth=3, expression_nodes=8, repetitions=10)
    assert parse_gbnf("root ::= (((.)))", limits=limits)
    assert parse_gbnf("root ::= .{10}", limits=limits)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f'r{i} ::= "a"' for i in range(100_000)),
        "root ::= " + "(" * 100_000,
        "root ::= " + "x " * 30_000,
        'root ::= "a"' + "{1}" * 30_000,
        'root ::= "a"{' + "9" * 100_000 + "}",
        "root ::= [" + "a-" * 100_000,
        "root ::= " + " ".join(f"a{i}" for i in range(20_000)),
    ],
    ids=["rules", "parentheses", "references", "repetitions", "digits", "class", "undefined"],
)
def test_hostile_texts_end_in_an_error_soon(text):
    started = time.perf_counter()
    assert refusal(text).code.startswith("GRAMMAR_")
    assert time.perf_counter() - started < 10  # a quadratic reader takes minutes


@given(st.text('ab"[]()|*+?{}<>!.#:=-^\\xu19 ,\n', max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text):
    grammar = attempt(parse_gbnf, "root ::= " + text)
    if isinstance(grammar, GrammarError):
        assert grammar.position is not None
        assert grammar.render()
    else:
        assert "root" in grammar.rules


@pytest.mark.parametrize(
    ("grammar", "members", "others"),
    [
        ('root ::= "a" | "b"\n | "c"', ["a", "b", "c"], ["", "ab"]),
        ('root ::= ws root "b" | "a"\nws ::= " "*', ["a", "ab", " ab"], ["", "b"]),
        ('root ::= "(" root ")" | ""', ["", "(())"], ["(", "())"]),
    ],
)
def test_the_reference_recognizer_reads_them_alike(grammar, members, others):
    parsed = parse_gbnf(grammar)
    assert all(grammar_accepts(parsed, text) for text in members)
    assert not any(grammar_accepts(parsed, text) for text in others)
