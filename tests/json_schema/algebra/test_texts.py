"""Sets of strings against membership one by one."""

from __future__ import annotations

import itertools
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import ANY_CHARACTER, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.texts import ALL_TEXTS, NO_TEXTS, TextAlgebra, Texts, needs_no_escapes
from checkrail.limits import Limits
from checkrail.regular.compile import compile_regular
from checkrail.regular.texts import text_automaton

WORDS = ("", "a", "b", "ab", "ba", "abc", "c\n", '"')
PATTERNS = ("a", "^b", "c$", "^[ab]*$", "^(a|abc)?$", "^(?!b)")
LENGTHS = ((0, 1), (1, None), (2, 3), (2, 40))

simple = st.lists(st.sampled_from(WORDS), unique=True).map(lambda words: Texts(tuple(words))) | st.sampled_from(
    [
        ALL_TEXTS,
        *(Texts(None, search_expression(pattern)) for pattern in PATTERNS),
        *(Texts(None, Repeat(ANY_CHARACTER, *lengths)) for lengths in LENGTHS),
    ]
)
programs = st.recursive(
    simple,
    lambda inner: st.tuples(st.sampled_from(["and", "or", "minus"]), inner, inner) | st.tuples(st.just("not"), inner),
    max_leaves=6,
)


def evaluate(program, algebra):
    """The set of a program, and the words that it should hold."""
    if isinstance(program, Texts):
        return program, {word for word in WORDS if algebra.contains(program, word, "")}
    operation, *parts = program
    (left, inside), *others = (evaluate(part, algebra) for part in parts)
    if operation == "not":
        return algebra.complement(left), {*WORDS} - inside
    right, also = others[0]
    if operation == "and":
        return algebra.intersect(left, right), inside & also
    if operation == "or":
        return algebra.union(left, right), inside | also
    return algebra.minus(left, ("a", "ba")), inside - {"a", "ba"}


@settings(deadline=None, max_examples=150)
@given(programs)
def test_operations_agree_with_sets_of_words(program):
    algebra = TextAlgebra(Limits())
    texts, expected = evaluate(program, algebra)
    assert {word for word in WORDS if algebra.contains(texts, word, "")} == expected
    assert not (algebra.is_empty(texts) and expected)


def test_emptiness_is_decided_by_an_automaton():
    algebra = TextAlgebra(Limits())
    shape = Texts(None, search_expression("^a+$"))
    assert algebra.is_empty(algebra.intersect(shape, Texts(None, search_expression("^b"))))
    assert algebra.is_empty(algebra.intersect(shape, algebra.complement(shape)))
    assert not algebra.is_empty(shape)
    assert algebra.is_empty(NO_TEXTS)


def hopeless(algebra, length=14):
    """A set of which only an automaton of more than 2**length states tells that it has no members."""
    first, second, rest = (
        Texts(None, search_expression(pattern))
        for pattern in (f"^(a|b)*a(a|b){{{length}}}$", f"^(a|b)*b(a|b){{{length}}}$", "^(a|b)*$")
    )
    return algebra.intersect(algebra.intersect(first, algebra.complement(second)), algebra.complement(rest))


def test_what_is_too_large_to_decide_counts_as_having_members_until_it_comes_to_the_mask():
    algebra = TextAlgebra(Limits(states=8_000))
    assert not algebra.is_empty(hopeless(algebra))
    with pytest.raises(BudgetError) as caught:
        algebra.check(hopeless(algebra), "/pattern")
    assert (caught.value.code, caught.value.pointer) == ("GRAMMAR_BUDGET_STATES", "/pattern")
    algebra.check(Texts(None, search_expression("^(a|b)*a(a|b){14}$")), "")  # one pattern is made on demand
    assert algebra.is_empty(algebra.intersect(hopeless(algebra), algebra.complement(hopeless(algebra))))  # at once


def test_many_sets_that_are_too_large_do_not_take_long():
    algebra = TextAlgebra(Limits())
    started = time.process_time()
    for length in range(14, 54):
        assert not algebra.is_empty(hopeless(algebra, length))
    assert time.process_time() - started < 10


def test_membership_is_decided_whatever_the_combination():
    algebra = TextAlgebra(Limits(states=8_000))
    others = algebra.complement(hopeless(algebra))
    assert algebra.contains(others, "a" * 15, "")
    assert not algebra.contains(hopeless(algebra), "a" * 15, "")
    text = "".join(Random(1).choices("ab", k=40_000))
    with pytest.raises(BudgetError) as caught:
        algebra.contains(others, text, "/pattern")
    assert (caught.value.code, caught.value.pointer) == ("GRAMMAR_BUDGET_STATES", "/pattern")


@pytest.mark.parametrize("pattern", ["^a{2,5}$", "^(a|bcd)$", "a", "^$", "^(ab)*$", "^(?!b).*$"])
@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, None), (1, 3), (2, 4), (4, 10**9), (5, None), (10**6, None)])
def test_counted_texts(pattern, low, high):
    algebra = TextAlgebra(Limits())
    texts = Texts(None, search_expression(pattern))
    counted = algebra.counted(texts, low, high, "")
    others = algebra.intersect(texts, algebra.complement(counted))
    for word in map("".join, (w for n in range(7) for w in itertools.product("ab", repeat=n))):
        inside = algebra.contains(texts, word, "")
        fits = low <= len(word) and (high is None or len(word) <= high)
        assert algebra.contains(counted, word, "") is (inside and fits)
        assert algebra.contains(others, word, "") is (inside and not fits)
    automaton = text_automaton(counted.expression, (), Limits()) if counted.members != () else None
    assert algebra.is_empty(counted) is (automaton is None)


@settings(deadline=None, max_examples=150)
@given(programs)
def test_emptiness_agrees_with_the_minimal_automaton(program):
    algebra = TextAlgebra(Limits())
    texts, _ = evaluate(program, algebra)
    algebra.check(texts, "")
    assert algebra.is_empty(texts) is compile_regular(texts.expression).is_empty()


@settings(deadline=None, max_examples=150)
@given(programs, programs)
def test_a_split_is_a_partition(one, other):
    algebra = TextAlgebra(Limits())
    texts, whole = evaluate(one, algebra)
    by, part = evaluate(other, algebra)
    inside, outside = algebra.split(texts, by)
    assert {word for word in WORDS if algebra.contains(inside, word, "")} == whole & part
    assert {word for word in WORDS if algebra.contains(outside, word, "")} == whole - part


def test_escapes_are_not_needed_only_where_no_member_has_one():
    assert needs_no_escapes(Texts(None, search_expression("^[a-z]+$")))
    assert not needs_no_escapes(Texts(None, search_expression("^[^a]+$")))
    assert not needs_no_escapes(Texts(None, search_expression('^"$')))
    assert not needs_no_escapes(TextAlgebra(Limits()).complement(Texts(None, search_expression("^a$"))))


def test_repr_is_short():
    assert repr(Texts(("a",))) == "<Texts ['a']>"
    assert len(repr(Texts(None, search_expression("^[a-z]{3}(b|c)*x$"), ("q",)))) < 90
