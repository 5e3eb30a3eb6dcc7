"""Lookahead: against the definition, and against an ECMA engine on patterns as people write them."""

from __future__ import annotations

import pytest
import regress
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import GrammarError
from checkrail.grammar.regex import match_expression, search_expression
from checkrail.grammar.regex_lookahead import ANYTHING, Rest, has_lookahead, rest_of_input
from checkrail.grammar.regex_syntax import parse_pattern
from checkrail.grammar.source import Source
from checkrail.limits import DEFAULT_LIMITS
from reference_chart import attempt, matches_expression, pattern_found, pattern_matches


def tree(pattern: str):
    return parse_pattern(Source(pattern, DEFAULT_LIMITS), DEFAULT_LIMITS).tree


plain = st.sampled_from(["a", "b", ".", "[ab]", "a*", "(?:a|b)?", "^", "$", "(?:^|a)", "(?:b|$)", "ab", ""])
patterns = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda t: f"(?:{t[0]}|{t[1]})"),
        st.tuples(st.sampled_from(["(?=", "(?!"]), inner).map(lambda t: f"{t[0]}{t[1]})"),
        inner.map(lambda p: f"(?:{p})?"),
        st.tuples(st.sampled_from(["(?=", "(?!"]), plain).map(lambda t: f"(?:{t[0]}{t[1]})[ab])*$"),
    ),
    max_leaves=6,
)


@given(patterns, st.lists(st.text("abc", max_size=4), min_size=1, max_size=8))
def test_languages_are_those_of_the_definition(pattern, texts):
    parsed = tree(pattern)
    search, whole = attempt(search_expression, pattern), attempt(match_expression, pattern)
    if isinstance(search, GrammarError) or isinstance(whole, GrammarError):
        # the idiom of repeated lookahead, where text follows or ^ is asked
        assert {getattr(search, "code", None), getattr(whole, "code", None)} <= {"GRAMMAR_UNSUPPORTED", None}
        return
    for text in texts:
        assert matches_expression(search, text) == pattern_found(parsed, text)
        assert matches_expression(whole, text) == pattern_matches(parsed, text)


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"^(?=.*\d)(?=.*[a-z]).{4,}$", ["abc1", "abcd", "1234", "a1", "1a\n34", "ab12c"]),
        (r"^(?!.*--)[a-z-]+$", ["a-b", "a--b", "--", "-", ""]),
        (r"^(?!(?:con|nul)$)[a-z]+$", ["con", "cons", "nul", "x", ""]),
        (r"(?!^con$)(^[a-z]+$)", ["con", "cons", "x", ""]),
        (r"^(https?://|/?.?-?(?!\w+://)\w).+\.ya?ml$", ["http://a.yml", "a.yaml", "ftp://x.yml", "/a.yml", "x.yml"]),
        (r"((?:[^/]*/)*)(?=\.(yaml|yml))", ["a/.yml", ".yaml", "a.yml", "/", "a/b"]),
        (r"^((?!foo).)*$", ["", "fo", "foo", "xfoox", "f\noo", "barfo"]),
        (r"^(?:(?=[a-c])\w)+$", ["abc", "abd", "", "d", "a"]),
        (r"a(?=b)", ["ab", "a", "xab", "ba"]),
        (r"a(?!b)", ["ab", "a", "aba", "ba", "b"]),
        (r"(?=a(?!b))[a-z]{2}", ["ab", "ac", "a", "xac", "aab"]),
        (r"^(?=[^=]+$)(?!\s+$)(.|\n)+$", ["a", "a=b", "  ", " a\n", ""]),
    ],
)
def test_patterns_from_the_wild(pattern, texts):
    expression, engine = search_expression(pattern), regress.Regex(pattern, "u")
    answers = {text: engine.find(text) is not None for text in texts}
    assert set(answers.values()) == {True, False}
    assert {text: matches_expression(expression, text) for text in texts} == answers


@pytest.mark.parametrize(
    ("pattern", "column"),
    [
        ("(?:(?!x)ab)*$", 4),
        ("(?:(?!x)a)*b", 4),
        ("((?=a).){2}", 2),
        ("(?:(?!^x)a)*$", 4),
        ("(?:(?:(?=a)b)?)+", 7),
    ],
)
def test_lookahead_in_other_repetitions_is_refused_with_its_place(pattern, column):
    with pytest.raises(GrammarError) as caught:
        search_expression(pattern, pointer="/pattern")
    assert caught.value.code == "GRAMMAR_UNSUPPORTED"
    assert "a lookahead inside a repetition" in caught.value.message
    assert (caught.value.position.column, caught.value.pointer) == (column, "/pattern")


def test_a_repetition_that_repeats_nothing_is_none():
    assert match_expression("(?:(?!a)b){1}") == match_expression("(?!a)b")
    assert match_expression("(?:(?!a)b){0}a") == match_expression("a")


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("(?:(?=a)b|c)" * 40, "GRAMMAR_BUDGET_NODES"),
        ("(?=" * 60 + "a" + ")" * 60, "GRAMMAR_BUDGET_DEPTH"),
    ],
)
def test_growth_is_bounded(pattern, code):
    with pytest.raises(GrammarError) as caught:
        search_expression(pattern)
    assert caught.value.code == code


def test_the_place_makes_no_difference_without_a_start_anchor():
    source = Source("", DEFAULT_LIMITS)
    for pattern, same in [("a(?=b)c*$", True), ("(?=a)|b?", True), ("^(?=a)", False), ("(?!^a)b", False)]:
        parsed = tree(pattern)
        assert has_lookahead(parsed)
        assert rest_of_input(parsed, Rest.anywhere(ANYTHING), source, DEFAULT_LIMITS).same == same
    assert not has_lookahead(tree("^a+$"))
