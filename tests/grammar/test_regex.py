r"""Whole matches and searches: against `regress` (ECMA-262), Python's `re` where flavours agree, and public cases."""

from __future__ import annotations

import json
import re
import time

import pytest
import regress
from hypothesis import given
from hypothesis import strategies as st

import data_path
from checkrail.errors import GrammarError, InputError
from checkrail.grammar.expression import ANY_CHARACTER, EMPTY, Literal, Repeat, Sequence
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.regex import match_expression, parse_regex_grammar, search_expression
from reference_chart import attempt, grammar_accepts, matches_expression

ANYTHING = Repeat(ANY_CHARACTER, 0, None)

# No quantifier over a part that can be empty: regress 2026.9.1 runs out of memory on some of those.
atoms = st.sampled_from(["a", "b", "é", "😀", ".", r"\d", r"\W", r"[^a]", "[a-c]", r"\s", r"\u{1F600}", r"\x61"])
signs = st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "{1,2}?"])
solid = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda t: f"({t[0]}|{t[1]})"),
        st.tuples(inner, inner, signs).map(lambda t: f"{t[0]}(?:{t[1]}){t[2]}"),
    ),
    max_leaves=5,
)
patterns = st.lists(st.one_of(solid, st.sampled_from(["^", "$", "(^|a)", "(b|$)", "|", "a*", ""])), max_size=4).map(
    "".join
)
texts = st.text("ab1é😀 \n\u2028-", max_size=5)


@given(patterns, st.lists(texts, min_size=1, max_size=8))
def test_search_and_match_agree_with_an_ecma_engine(pattern, samples):
    search, whole = search_expression(pattern), match_expression(pattern)
    found, matched = regress.Regex(pattern, "u"), regress.Regex(f"^(?:{pattern})$", "u")
    for text in samples:
        assert matches_expression(search, text) == (found.find(text) is not None)
        assert matches_expression(whole, text) == (matched.find(text) is not None)


nested = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "", "c?"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda t: f"(?:{t[0]}|{t[1]})"),
        st.tuples(inner, signs).map(lambda t: f"(?:{t[0]}){t[1]}"),
    ),
    max_leaves=6,
)


@given(nested, st.lists(st.text("abc", max_size=5), min_size=1, max_size=8))
def test_nested_empty_loops_agree_with_python(pattern, samples):
    whole, compiled = match_expression(pattern), re.compile(pattern)
    for text in samples:
        assert matches_expression(whole, text) == (compiled.fullmatch(text) is not None)


def cases() -> list[dict]:
    try:
        folder = data_path.shared_data()
    except pytest.skip.Exception:
        return []
    rows = map(json.loads, (folder / "public-cases.jsonl").read_bytes().splitlines())
    return [row for row in rows if row["kind"] == "regex"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_public_cases(case):
    grammar = attempt(Grammar.from_regex, case["spec"])
    if isinstance(grammar, GrammarError):
        assert "error" in (case["compile"], case.get("compile_alt"))
        assert grammar.position is not None
        return
    assert case["compile"] == "ok"
    for text in case["accept"]:
        assert grammar_accepts(grammar, text), text
    for text in case["reject"]:
        assert not grammar_accepts(grammar, text), text


@pytest.mark.parametrize(
    ("pattern", "search"),
    [
        ("", ANYTHING),
        ("^", ANYTHING),
        ("$", ANYTHING),
        ("^$", EMPTY),
        ("^ab$", Literal("ab")),
        ("a", Sequence((ANYTHING, Literal("a"), ANYTHING))),
        ("^a", Sequence((Literal("a"), ANYTHING))),
        ("a$", Sequence((ANYTHING, Literal("a")))),
    ],
)
def test_what_a_search_is(pattern, search):
    assert search_expression(pattern) == search


def test_a_newline_before_the_end_is_not_the_end():
    assert not matches_expression(search_expression("^a$"), "a\n")
    assert matches_expression(search_expression("a"), "\n\na\n")


def test_the_grammar():
    grammar = parse_regex_grammar("^a|b$")
    assert (grammar.root, grammar.format, grammar.contract) == ("root", "regex", "visibly-pushdown")
    assert str(grammar) == "root ::= [ab]\n"
    with pytest.raises(InputError):
        parse_regex_grammar("a", flavour="pcre")


def test_errors_point_into_the_schema():
    with pytest.raises(GrammarError) as caught:
        search_expression("a(", pointer="/properties/x/pattern")
    assert caught.value.pointer == "/properties/x/pattern"
    assert caught.value.position.column == 2


@pytest.mark.parametrize(
    "pattern",
    [
        "(a|aa)+" * 2_000,
        "(^|a)(b|$)" * 4_000,
        "(" * 99 + "a" * 20_000 + ")*" * 99,
        "(?:" * 90 + "a" + "|^|$){2}" * 90,
        "a?" * 8_000,
    ],
)
def test_hostile_patterns_are_read_or_refused_soon(pattern):
    started = time.perf_counter()
    outcome = attempt(search_expression, pattern)
    assert not isinstance(outcome, GrammarError) or outcome.code.startswith("GRAMMAR_BUDGET_")
    assert time.perf_counter() - started < 10
