"""Lexemes: without the empty text, and only the shortest, against sets of short texts."""

from __future__ import annotations

import itertools

from hypothesis import given, settings

from checkrail.grammar.expression import EMPTY, NOTHING, Choice, Literal, Repeat, Sequence
from checkrail.grammar.lexemes import non_empty, shortest
from checkrail.grammar.nullable import is_nullable
from checkrail.regular.compile import compile_regular
from strategies import algebra

TEXTS = ["".join(letters) for size in range(4) for letters in itertools.product('ab"\\', repeat=size)]
A, B = Literal("a"), Literal("b")


@settings(max_examples=80)
@given(algebra)
def test_without_the_empty_text(expression) -> None:
    result = non_empty(expression)
    before, after = compile_regular(expression), compile_regular(result)
    assert not is_nullable(result)
    for text in TEXTS:
        assert after.accepts(text) == (before.accepts(text) and text != "")


@settings(max_examples=80)
@given(algebra)
def test_only_the_shortest(expression) -> None:
    before, after = compile_regular(expression), compile_regular(shortest(expression))
    for text in TEXTS:
        earlier = any(before.accepts(text[:size]) for size in range(len(text)))
        assert after.accepts(text) == (before.accepts(text) and not earlier), text


def test_simple_shapes_stay_simple() -> None:
    assert non_empty(A) == A
    assert non_empty(Repeat(A, 0, 3)) == Repeat(A, 1, 3)
    assert non_empty(Choice((A, EMPTY, Repeat(B, 0, None)))) == Choice((A, NON_EMPTY_EMPTY, Repeat(B, 1, None)))
    assert non_empty(Repeat(A, 0, 0)) == NOTHING


NON_EMPTY_EMPTY = non_empty(EMPTY)


def test_the_empty_text_alone_becomes_nothing() -> None:
    assert compile_regular(NON_EMPTY_EMPTY).is_empty()
    assert compile_regular(non_empty(Sequence((EMPTY, EMPTY)))).is_empty()
