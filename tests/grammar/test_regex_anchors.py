"""Anchors: the four languages against the definition, on patterns with anchors everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import EMPTY, NOTHING, Choice, Expression, Literal, Repeat, Sequence
from checkrail.grammar.nullable import is_nullable
from checkrail.grammar.regex_anchors import NONE, Anchored, resolve
from checkrail.grammar.regex_syntax import Anchor
from checkrail.grammar.traverse import height
from reference_chart import Chart, matches_expression

A, B = Literal("a"), Literal("b")
START, END = Anchor(end=False), Anchor(end=True)

trees = st.recursive(
    st.sampled_from([A, B, EMPTY, START, END, START, END]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: Sequence(tuple(items))),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: Choice(tuple(items))),
        st.tuples(inner, st.integers(0, 3), st.sampled_from([0, 1, 2, None])).map(
            lambda t: Repeat(t[0], t[1], None if t[2] is None else t[1] + t[2])
        ),
    ),
    max_leaves=8,
)


def found(parts: Anchored, before: str, inside: str, after: str) -> bool:
    """Do the four languages say that `inside` is a match, standing between the other two?"""
    languages = [parts.free]
    if not before:
        languages.append(parts.starting)
    if not after:
        languages.append(parts.ending)
    if not before and not after:
        languages.append(parts.both)
    return any(matches_expression(language.expression, inside) for language in languages)


@given(trees, st.text("ab", max_size=4), st.data())
def test_the_four_languages_are_those_of_the_definition(tree, text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    truth = end in Chart({}, text).ends(tree, start)
    assert found(resolve(tree), text[:start], text[start:end], text[end:]) == truth


@given(trees)
def test_the_kept_answer_about_the_empty_string_is_right(tree):
    parts = resolve(tree)
    for language in (parts.free, parts.starting, parts.ending, parts.both):
        assert language.empty == is_nullable(language.expression)
        assert (language is NONE) or language.expression is not NOTHING


@pytest.mark.parametrize("tree", [A, Repeat(Sequence((A, Choice((B, EMPTY)))), 2, 5), Sequence((A, B, A))])
def test_without_anchors_nothing_changes(tree):
    assert resolve(tree).is_free
    assert resolve(tree).free.expression == tree


def test_growth_is_bounded():
    def optional(count: int) -> Expression:
        return Sequence((Choice((START, A)),) * count)

    assert height(resolve(optional(50)).free.expression) <= 52
    with pytest.raises(BudgetError) as caught:
        resolve(optional(100_000))
    assert caught.value.code == "GRAMMAR_BUDGET_DEPTH"
