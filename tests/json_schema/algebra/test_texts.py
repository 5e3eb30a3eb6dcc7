"""Sets of strings against membership one by one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import Literal, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.texts import ALL_TEXTS, NO_TEXTS, TextAlgebra, Texts, needs_no_escapes
from checkrail.limits import Limits

WORDS = ("", "a", "b", "ab", "ba", "abc", "c\n", '"')
PATTERNS = ("a", "^b", "c$", "^[ab]*$", "^(a|abc)?$")

simple = st.lists(st.sampled_from(WORDS), unique=True).map(lambda words: Texts(tuple(words))) | st.sampled_from(
    [ALL_TEXTS, *(Texts(None, search_expression(pattern)) for pattern in PATTERNS)]
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


def test_what_is_too_large_to_decide_counts_as_having_members_and_membership_is_refused():
    algebra = TextAlgebra(Limits(decided_states=10))
    large = Texts(None, Repeat(Literal("ab"), 50, 60))
    assert not algebra.is_empty(large)
    with pytest.raises(BudgetError) as caught:
        algebra.contains(large, "ab", "/pattern")
    assert caught.value.code == "SCHEMA_BUDGET"
    assert caught.value.pointer == "/pattern"


@pytest.mark.parametrize(
    ("pattern", "lengths"), [("^a{2,5}$", (2, 5)), ("^(a|bcd)$", (1, 3)), ("a", (1, None)), ("^$", (0, 0))]
)
def test_lengths_of_a_shape(pattern, lengths):
    assert TextAlgebra(Limits()).lengths(search_expression(pattern)) == lengths


def test_escapes_are_not_needed_only_where_no_member_has_one():
    assert needs_no_escapes(Texts(None, search_expression("^[a-z]+$")))
    assert not needs_no_escapes(Texts(None, search_expression("^[^a]+$")))
    assert not needs_no_escapes(Texts(None, search_expression('^"$')))
    assert not needs_no_escapes(TextAlgebra(Limits()).complement(Texts(None, search_expression("^a$"))))


def test_repr_is_short():
    assert repr(Texts(("a",))) == "<Texts ['a']>"
    assert len(repr(Texts(None, search_expression("^[a-z]{3}(b|c)*x$"), ("q",)))) < 90
