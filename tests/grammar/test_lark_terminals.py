"""Terminals as expressions, against Python's `re`; the library `common` against that of the package `lark`."""

from __future__ import annotations

import re

import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import GrammarError
from checkrail.grammar.lark import parse_lark
from checkrail.grammar.lark_common import COMMON
from checkrail.limits import Limits
from checkrail.regular.compile import compile_regular
from checkrail.regular.dfa import Dfa


def terminal(definition: str) -> Dfa:
    """The automaton of the terminal T."""
    pattern = parse_lark(f"start: T\n{definition}").terminals["T"].pattern
    assert pattern is not None
    return compile_regular(pattern)


@pytest.mark.parametrize(
    ("lark_text", "python"),
    [
        ("/[^a]/i", "(?i:[^a])"),
        ("/a.b/", "a[^\n]b"),
        ("/a.b/s", "(?s:a.b)"),
        ("/é|[à-ü]x/i", "(?i:é|[à-ü]x)"),
        ('"AbC"i', "(?i:abc)"),
        ('"a".."c" | "x"~2', "[a-c]|xx"),
        ('"a" ["b"] ("c" | "d")+', "ab?(c|d)+"),
        ("/[a-c]+/ & ~/.*bb.*/", "(?!.*bb)[a-c]+"),
        ("~(/a.*/s | /b/) & /[abc]+/", "(?!a|b$)[abc]+"),
        ('X /y/\nX: "z" | "x"', "[xz]y"),
        (r"/\d\w\//", r"[0-9][A-Za-z0-9_]/"),
        ('"\\t" | "a"', "\t|a"),
    ],
)
def test_against_python(lark_text: str, python: str) -> None:
    dfa, pattern = terminal(f"T: {lark_text}"), re.compile(python)
    letters = "abcdxyzABCXéÉàÀ\n\t1/_ "

    @settings(max_examples=100)
    @given(st.text(letters, max_size=6))
    def check(text: str) -> None:
        assert dfa.accepts(text) == (text != "" and pattern.fullmatch(text) is not None)

    check()
    for a in letters:
        for b in ["", *letters]:
            assert dfa.accepts(a + b) == (pattern.fullmatch(a + b) is not None)


@pytest.mark.parametrize("name", re.findall(r"^([A-Z_]+):", COMMON, re.MULTILINE))
def test_the_library_has_larks_languages(name: str) -> None:
    parser = lark.Lark(f"start: {name}\n%import common.{name}", parser="lalr")
    dfa = terminal(f"%import common.{name} -> T")

    @settings(max_examples=60)
    @given(st.text('0aF.+-eE"\\/*# \n\r\t_', max_size=8))
    def check(text: str) -> None:
        try:
            parser.parse(text)
        except lark.exceptions.UnexpectedInput:
            assert not dfa.accepts(text)
        else:
            assert dfa.accepts(text)

    check()


@pytest.mark.parametrize(
    ("name", "accepted", "refused"),
    [
        ("ESCAPED_STRING", [r'""', r'"a\"b"', r'"\\"', r'"é"'], [r'"\"', '"a"b"', '"\n"', '"', r'"\\\"']),
        ("C_COMMENT", ["/**/", "/***/", "/* a\n* / **/"], ["/*/", "/**/*/", "/* */ */", "/*"]),
        ("NUMBER", ["1", "1.", ".5", "1e+5", "1.5E5"], ["", ".", "e5", "+1", "1e"]),
        ("SIGNED_FLOAT", ["-1.", "+1e5"], ["1", "-", "--1."]),
        ("NEWLINE", ["\n", "\r\n\n"], ["\r", ""]),
        ("SQL_COMMENT", ["--", "-- a"], ["-", "--\n"]),
    ],
)
def test_library_terminals(name: str, accepted: list[str], refused: list[str]) -> None:
    dfa = terminal(f"%import common.{name} -> T")
    assert [text for text in accepted if not dfa.accepts(text)] == []
    assert [text for text in refused if dfa.accepts(text)] == []


def test_lark_has_the_same_names() -> None:
    load = lark.load_grammar.FromPackageLoader("lark", ("grammars",))
    theirs, ours = (set(re.findall(r"^([A-Z]\w*) *:", text, re.M)) for text in (load(None, "common.lark")[1], COMMON))
    assert theirs == ours


def test_runs_of_words() -> None:
    dfa = terminal('T: %regex {"substring_words": "foo bar. baz"}')
    assert all(dfa.accepts(text) for text in ("foo", "bar. baz", " bar.", "foo bar. baz"))
    assert not any(dfa.accepts(text) for text in ("oo", "foo  bar", "baz foo", ""))
    assert terminal('T: %regex {"substring_chunks": ["ab", "c"]}').accepts("abc")
    assert terminal('T: %regex {"substring_chars": "abc"}').accepts("bc")


def test_joined_texts_are_counted() -> None:
    with pytest.raises(GrammarError) as caught:
        parse_lark(f'start: T\nT: "{"ab" * 100}"', limits=Limits(expression_nodes=100))
    assert caught.value.code == "GRAMMAR_BUDGET_NODES"


def test_runs_of_a_long_text_are_refused_before_they_are_made() -> None:
    with pytest.raises(GrammarError) as caught:
        parse_lark(f'start: T\nT: %regex {{"substring_chars": "{"ab" * 20_000}"}}')
    assert caught.value.code == "GRAMMAR_BUDGET_NODES"


def test_classes_are_counted_by_their_ranges() -> None:
    with pytest.raises(GrammarError) as caught:
        parse_lark("start: " + " ".join(f"/\\p{{L}}{n}/" for n in range(20)), limits=Limits(expression_nodes=10_000))
    assert caught.value.code == "GRAMMAR_BUDGET_NODES"
