r"""Word boundaries against an ECMA-262 engine, and what is refused about them."""

from __future__ import annotations

import pytest
import regress
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError, GrammarError
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.regex import match_expression, search_expression
from checkrail.regular.compile import compile_search
from reference_chart import matches_expression

atoms = st.sampled_from(["a", "_", "é", ".", r"\d", r"\W", r"\w", "[a-]", r"\b", r"\B", r"\b", r"\B", "^", "$", " "])
# What is repeated takes a character, since the peer runs out of memory on some repetitions of the empty string.
solid = st.sampled_from(["a", ".", "-", r"\w"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda t: f"(?:{t[0]}|{t[1]})"),
        st.tuples(solid, inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}"])).map(
            lambda t: f"(?:{t[0]}{t[1]}){t[2]}"
        ),
    ),
    max_leaves=6,
)
texts = st.lists(st.text("a1_é -\n", max_size=5), min_size=1, max_size=8)


@settings(deadline=None, max_examples=150)
@given(patterns, texts)
def test_against_an_ecma_engine(pattern: str, samples: list[str]) -> None:
    try:
        search, whole = search_expression(pattern), match_expression(pattern)
    except BudgetError:
        return
    found, matched = regress.Regex(pattern, "u"), regress.Regex(f"^(?:{pattern})$", "u")
    for text in samples:
        assert matches_expression(search, text) == (found.find(text) is not None)
        assert matches_expression(whole, text) == (matched.find(text) is not None)


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        (r"\bfoo\b", ["foo", "a foo.", "foo-bar", "éfoo"], ["food", "_foo", "foo1"]),
        (r"\Bo\B", ["foot", "xox"], ["fo", "o", "on", "no x"]),
        (r"^(?:\b\w+\b ?)+$", ["a bc d", "a"], ["", " a", "a-b"]),
        (r"^https?://[^\s]{1,40}\.[a-z()]{1,6}\b([-a-z/]*)$", ["http://x.org/a-b"], ["http://x.()", "http://x"]),
    ],
)
def test_examples(pattern: str, inside: list[str], outside: list[str]) -> None:
    language = compile_search(pattern)
    assert [text for text in inside if not language.accepts(text)] == []
    assert [text for text in outside if language.accepts(text)] == []


def test_in_a_schema() -> None:
    grammar = Grammar.from_json_schema({"type": "string", "pattern": r"\bvalue\b"}, profile="open")
    assert [(entry.keyword, entry.column) for entry in grammar.coverage.entries] == [
        ("type", "mask"),
        ("pattern", "mask"),
    ]


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        (r"\b(?=a)", "GRAMMAR_UNSUPPORTED"),
        (r"(?:\ba){65}", "GRAMMAR_UNSUPPORTED"),
        (r"\b*", "GRAMMAR_SYNTAX"),
        ("(?:a" * 60 + r"\b" + "|c)" * 60, "GRAMMAR_BUDGET_DEPTH"),
        ("(?:" * 20 + r"a\b" + "b)*" * 20, "GRAMMAR_BUDGET_NODES"),
    ],
)
def test_what_is_refused(pattern: str, code: str) -> None:
    with pytest.raises(GrammarError) as caught:
        search_expression(pattern)
    assert caught.value.code == code


def test_in_a_class_it_is_a_backspace() -> None:
    assert compile_search(r"^[\b]$").accepts("\b")
