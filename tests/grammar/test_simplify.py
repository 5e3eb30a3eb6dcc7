from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.grammar.codepoints import character_class
from checkrail.grammar.expression import (
    EMPTY,
    NOTHING,
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Nest,
    Reference,
    Repeat,
    Sequence,
)
from checkrail.grammar.gbnf import parse_gbnf
from checkrail.grammar.regex import match_expression
from checkrail.grammar.simplify import choice_of, rename_references, repeat_of, sequence_of, simplify
from checkrail.grammar.traverse import walk
from reference import matches
from strategies import algebra, texts

A, B = Literal("a"), Literal("b")


def rule(body: str) -> Expression:
    return parse_gbnf(f'root ::= {body}\nx ::= "x"\ny ::= "y"').rules["root"]


@given(algebra, texts)
def test_the_language_stays(expression, text):
    assert matches(simplify(expression), text) == matches(expression, text)


@given(algebra)
def test_it_never_grows_and_a_second_run_changes_nothing(expression):
    simple = simplify(expression)
    assert len(list(walk(simple))) <= len(list(walk(expression)))
    assert simplify(simple) == simple


@given(*[st.integers(0, 4)] * 2, *[st.one_of(st.none(), st.integers(0, 4))] * 2, st.integers(0, 30))
def test_repetitions_are_multiplied_only_where_no_count_is_lost(a, c, more_b, more_d, total):
    b, d = None if more_b is None else a + more_b, None if more_d is None else c + more_d
    result = repeat_of(Repeat(A, a, b), c, d)

    def counts(low, high):
        return range(low, (31 if high is None else high) + 1)

    reached = any(k * a <= total and ((b is None and k > 0) or total <= k * (b or 0)) for k in counts(c, d))
    if isinstance(result, Repeat) and isinstance(result.item, Repeat):
        return  # not joined
    assert matches(result, "a" * total) == reached


@pytest.mark.parametrize(
    ("body", "simple"),
    [
        ('"a" "b" ("c" "d") ""', '"abcd"'),
        ('"a" | [bc] | "d" | "é"', "[a-dé]"),
        ('"a" | ("b" | ("c" | "dd"))', '[a-c] | "dd"'),
        ('"" | "a" | ""', '"a"?'),
        ('("a" | "") | "b"', "[ab]?"),
        ('"a" | "a"', '"a"'),
        ('(x "a" | x "a")', 'x "a"'),
        ('(("a"?)*)*', '"a"*'),
        ('("a"*)+', '"a"*'),
        ('("a"+)?', '"a"*'),
        ('("a"{2})*', '("a"{2})*'),
        ('("a"{2,3}){2,}', '"a"{4,}'),
        ('("a"{3}){2}', '"a"{6}'),
        ('"a"{1}', '"a"'),
        ('"a"{0} x', "x"),
        ("x x* x?", "x+"),
        ("y x x x*", "y x{2,}"),
        ('"a"? "a"? "a"?', '"a"{0,3}'),
        ("[a-z] [a-z]*", "[a-z]+"),
        ("x* y*", "x* y*"),
    ],
)
def test_what_it_does(body, simple):
    assert simplify(rule(body)) == rule(simple)


def test_the_nested_counters_of_the_public_case():
    assert match_expression("((a{0,30}){0,30}){0,30}") == Repeat(A, 0, 27_000)


def test_impossible_parts_vanish():
    none = CharacterClass(())
    assert simplify(none) == NOTHING
    assert simplify(Sequence((A, none))) == NOTHING
    assert simplify(Choice((none, A, NOTHING))) == A
    assert simplify(Repeat(none, 0, 5)) == EMPTY
    assert simplify(Repeat(none, 1, 5)) == NOTHING
    assert simplify(Nest(NOTHING)) == simplify(JsonString(none)) == NOTHING
    assert simplify(Intersection((A, none))) == NOTHING


def test_boolean_algebra():
    x, y = Reference("x"), Reference("y")
    assert simplify(Complement(Complement(x))) == x
    assert simplify(Intersection((x, Intersection((y, x))))) == Intersection((x, y))
    assert simplify(Intersection((x, x))) == x


def test_equal_parts_become_one_object():
    first, second = Nest(Sequence((Reference("x"), A))), Nest(Sequence((Reference("x"), A)))
    simple = simplify(Sequence((first, B, second)))
    assert isinstance(simple, Sequence)
    assert simple.items[0] is simple.items[2]


def test_builders_of_one_node():
    assert sequence_of([]) == EMPTY
    assert sequence_of([A, Sequence((B, EMPTY))]) == Sequence((A, B))
    assert choice_of([]) == NOTHING
    assert choice_of([A, Choice((B, NOTHING))]) == Choice((A, B))
    assert choice_of([A]) == A
    assert repeat_of(A, 0, 0) == EMPTY


def test_deep_and_wide_input_takes_linear_time():
    tall: Expression = Sequence((A,) * 50_000)
    for _ in range(150):
        tall = Sequence((Reference("x"), tall))
    simple = simplify(tall)
    assert simple == Sequence((Reference("x"),) * 150 + (Literal("a" * 50_000),))


def test_rename_references():
    expression = Choice((Reference("x"), Nest(Repeat(Reference("y"), 0, 1)), A))
    renamed = rename_references(expression, {"x": "y", "y": "z"})
    assert renamed == Choice((Reference("y"), Nest(Repeat(Reference("z"), 0, 1)), A))
    assert rename_references(expression, {}) is expression


def test_classes_join_in_place_of_the_first():
    simple = simplify(Choice((Literal("xx"), A, Literal("yy"), character_class([(99, 100)]))))
    assert simple == Choice((Literal("xx"), character_class([(97, 97), (99, 100)]), Literal("yy")))
