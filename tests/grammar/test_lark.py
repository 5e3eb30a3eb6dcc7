"""Lark grammars: the language, against the package `lark` itself; rules, terminals and options of the result."""

from __future__ import annotations

import itertools
import json
import os

import lark
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import compile
from checkrail.errors import Error, GrammarError, InputError, SchemaError
from checkrail.grammar.analyze import warnings
from checkrail.grammar.expression import Literal, Reference, Repeat, Sequence
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.lark import parse_lark
from checkrail.grammar.lexical import Terminal
from checkrail.limits import Limits
from checkrail.vocabulary.vocabulary import Vocabulary
from data_path import shared_data

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=[256])
CASES = [json.loads(line) for line in (shared_data() / "public-cases.jsonl").read_text("utf-8").split("\n") if line]


class Language:
    """Which texts a grammar takes, with either engine."""

    def __init__(self, text: str, **options) -> None:
        grammar = Grammar.from_lark(text, **options)
        self.constraints = [compile(grammar, BYTES, engine=engine) for engine in ("automaton", "earley")]

    def __contains__(self, text: str) -> bool:
        matchers = [constraint.matcher() for constraint in self.constraints]
        one, other = (matcher.accept_bytes(text.encode()) and matcher.is_completed() for matcher in matchers)
        assert one == other, "the engines disagree"
        return one


def words(alphabet: str, longest: int):
    return ("".join(w) for n in range(longest + 1) for w in itertools.product(alphabet, repeat=n))


def accepts(parser: lark.Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except lark.exceptions.UnexpectedInput:
        return False
    return True


def assert_as_lark(text: str, alphabet: str, longest: int = 5) -> None:
    """The same texts as Lark's Earley parser takes with the lexer that tries every match."""
    parser = lark.Lark(text, parser="earley", lexer="dynamic_complete", ambiguity="forest")
    language = Language(text)
    for word in words(alphabet, longest):
        assert (word in language) == accepts(parser, word), word


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == "lark"])
def test_public_cases(case) -> None:
    if case["compile"] == "error":
        with pytest.raises(Error):
            Language(case["spec"])
        return
    language = Language(case["spec"])
    for text in case["accept"]:
        assert text in language
    for text in case["reject"]:
        assert text not in language


@pytest.mark.parametrize(
    ("text", "alphabet"),
    [
        ('start: "a" "b"', "ab"),
        ("start:", "a"),
        ('start:\n  | "a"\n  | "b" start', "ab"),
        ('start: "a" | "b"\n     | "ab" start', "ab"),
        ('start: ("a" | "b" "a")~1..2 ["b"]', "ab"),
        ('start: "a"~2 "b"?', "ab"),
        ('start: start "a" | "b"', "ab"),
        ('start: start start | "a" | "b" start "b"', "ab"),
        ('start: x "a"\nx: y | "b"\ny: x "b"', "ab"),
        ('start: "A"i /b/i', "aAbB"),
        ('start: "a".."c" x\nx: /[^a]/', "abcd"),
        ('start: A B\nA: "a" [B]\nB: "b"+', "ab"),
        ('start: A+\nA: "ab" | "a"\n%ignore "b"', "ab"),
        ('start: A B*\nA: /a+/\nB: "b"\n%ignore " "', "ab "),
        ('start: "a" x "a" -> three | x -> one\n?x: "b" | _y\n!_y: "ab"', "ab"),
        ('start: _sep{x, "b"}\nx: "a" | "c"\n_sep{item, by}: item (by item)*', "abc"),
        ('start: a{b{"a"}}\na{x}: x x\nb{x}: x "b"', "ab"),
        ("start.2: A.3 | B\nA.3: /a+/\nB.-1: /[ab]/".replace("A.3 |", "A |"), "ab"),
        ("start: A\n// a comment\nA: /a#?/ # another", "a#"),
        ('start: "a" \\\n "b"', "ab"),
        ('start: "\\x61" "\\u0062" "\\\\"', "ab\\"),
        ("start: /./ /./s", "a\n"),
        ("start: /a\\/b/", "a/b"),
        ('start: "a"\n%ignore /b+/\n%ignore "c"', "abc"),
        ("start: INT\n%import common.INT", "0a"),
        ('start: N "," N\n%import common.SIGNED_INT -> N', "0,-"),
    ],
)
def test_the_language_is_larks(text: str, alphabet: str) -> None:
    assert_as_lark(text, alphabet)


LEAVES = ['"a"', '"b"', '"ab"', "/a+/", "/[ab]b?/", "/b(ab)?/", "X", "Y", "start", "one", "two"]


def _bodies(inner):
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(" ".join),
        st.lists(inner, min_size=2, max_size=3, unique=True).map(lambda options: f"({' | '.join(options)})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "~2", "~1..2"])).map(lambda t: f"({t[0]}){t[1]}"),
        inner.map(lambda item: f"[{item}]"),
    )


bodies = st.recursive(st.sampled_from(LEAVES), _bodies, max_leaves=5)


@settings(max_examples=2000 if THOROUGH else 60, deadline=None)
@given(bodies, bodies, bodies, st.booleans())
def test_random_grammars_have_larks_language(start: str, one: str, two: str, ignore: bool) -> None:
    text = f'start: {start} | "a"\none: {one} | "b"\ntwo: {two} | "ba"\nX: /ba?/\nY: "a" X\n'
    if ignore:
        text += '%ignore "c"\n'
    try:
        lark.Lark(text, parser="earley", lexer="dynamic_complete", ambiguity="forest")
    except lark.exceptions.GrammarError:
        assume(False)  # Lark refuses two equal alternatives
    assert_as_lark(text, "abc" if ignore else "ab", 4)


# --- rules and terminals


def test_terminals_come_by_priority_and_then_as_they_stand() -> None:
    lexical = parse_lark('start: "x" LOW HIGH LATE\nLATE: "l"\nLOW.-1: "a"\nHIGH.5: "b"')
    assert list(lexical.terminals) == ["HIGH", '"x"', "LATE", "LOW"]
    assert lexical.terminals["LATE"] == Terminal("LATE", Literal("l"))


def test_equal_terminals_without_a_name_are_one() -> None:
    lexical = parse_lark('start: "x" /y+/ "x"i "x" /y+/')
    assert list(lexical.terminals) == ['"x"', "/y+/", '"x"i']
    parts = ('"x"', "/y+/", '"x"i', '"x"', "/y+/")
    assert lexical.rules["start"] == Sequence(tuple(map(Reference, parts)))


def test_a_terminal_that_may_be_empty_is_optional() -> None:
    lexical = parse_lark("start: A\nA: /a*/")
    assert lexical.rules["start"] == Repeat(Reference("A"), 0, 1)
    assert lexical.terminals["A"].pattern == Repeat(Literal("a"), 1, None)
    assert parse_lark('start: "" A\nA: ""').terminals == {}


def test_a_grammar_keeps_its_floors_and_its_places() -> None:
    grammar = Grammar.from_lark('start: x\nx: "a" W\nW: "b"')
    assert grammar.contract == "context-free"
    assert grammar.format == "lark"
    assert grammar.lexical == parse_lark('start: x\nx: "a" W\nW: "b"')
    assert {name: p.line for name, p in grammar.positions.items() if name in grammar.rules} == {
        "start": 1,
        "x": 2,
        "W": 3,
    }
    assert str(grammar) == 'start ::= x\nx ::= "a" W\nW ::= "b"\n'


def test_another_start() -> None:
    language = Language('start: "a"\nother: "b" start', start="other")
    assert "ba" in language
    assert "a" not in language


def test_unused_definitions_are_warned_of() -> None:
    grammar = Grammar.from_lark('start: A\nA: B\nB: "b"\nC: "c"\nother: "x"\n%ignore D\nD: " "')
    assert [(w.params["rule"], w.position and w.position.line) for w in warnings(grammar)] == [("other", 5), ("C", 4)]


def test_a_rule_that_never_ends_is_refused() -> None:
    with pytest.raises(GrammarError) as caught:
        Language('start: "a" | x\nx: "b" x')
    assert caught.value.code == "GRAMMAR_UNPRODUCTIVE"


# --- special tokens


def test_special_tokens_by_text_id_and_declaration() -> None:
    vocabulary = Vocabulary.from_bytes([b"a", b"<think>", b"<eot>", b"e"], eos=[2], special=[1, 2])
    text = 'start: <think> "a" <[1]> END OTHER\n%declare END OTHER'
    grammar = Grammar.from_lark(text, tokens={"END": "<think>", "OTHER": 1})
    matcher = compile(grammar, vocabulary).matcher()
    assert [matcher.accept_token(t) for t in (1, 0, 1, 1, 1)] == [True] * 5
    assert matcher.is_completed()
    assert parse_lark("start: E\n%declare E").terminals["E"] == Terminal("E", None, "E")


def test_tokens_must_be_declared() -> None:
    with pytest.raises(InputError, match="NO is not declared"):
        parse_lark('start: "a"', tokens={"NO": 1})


# --- grammars in the grammar


SCHEMA = '{"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}, "required": ["a"]}'


def test_a_schema_is_enforced_inside() -> None:
    language = Language(f'start: "call" %json {SCHEMA} "!"\n%ignore " "')
    assert 'call {"a": 3} !' in language
    assert 'call{"a": 3}! ' in language
    assert 'call {"a": 2}!' not in language
    assert 'call {"a"\u00a0: 3}!' not in language
    grammar = Grammar.from_lark(f"start: %json {SCHEMA}")
    assert {(e.keyword, e.column) for e in grammar.coverage} >= {("minimum", "mask")}


def test_blanks_of_the_grammar_are_not_blanks_of_the_schema() -> None:
    language = Language(f'start: %json {SCHEMA} "!"\n%ignore "_"', json_schema={"whitespace": "compact"})
    assert '_{"a":3}__!_' in language
    assert '{_"a":3}!' not in language


def test_a_schema_twice_is_one_and_two_are_two() -> None:
    lexical = parse_lark(f"start: %json {SCHEMA} %json {SCHEMA} | %json true")
    roots = [name for name in lexical.rules if name.endswith(".root")]
    assert roots == ["json1.root", "json2.root"]


def test_what_only_a_check_enforces_is_refused_inside() -> None:
    schema = '{"type": "array", "items": {"type": "string"}, "uniqueItems": true}'
    with pytest.raises(SchemaError) as caught:
        parse_lark(f"\nstart: %json {schema}")
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert caught.value.params["keyword"] == "uniqueItems"
    assert caught.value.position is not None
    assert caught.value.position.line == 2
    grammar = Grammar.from_lark(f"start: %json {schema}", json_schema={"unsupported": "report"})
    assert [e.keyword for e in grammar.coverage.column("checked")] == ["uniqueItems"]


def test_the_open_profile_inside() -> None:
    language = Language('start: "=" %json {"enum": [1, "x"]}', json_schema={"profile": "open"})
    assert '="x"' in language
    assert "=2" not in language


def test_nested_grammars_ignore_what_they_say() -> None:
    language = Language(
        'start: "(" %lark {\n  start: A+\n  A: "a"\n  %ignore "_"\n} ")" other\nother: "b"\n%ignore " "'
    )
    for text in ("(a)b", "(_a_a_)b", "( a)b ", "(a ) b"):
        assert text in language
    for text in ("(a a)b", "()b", "(a)_b", "(a)a"):
        assert text not in language


def test_names_of_nested_grammars_are_their_own() -> None:
    language = Language('start: A %lark { start: A\nA: "b" } %lark { start: A\nA: "c" }\nA: "a"')
    assert "abc" in language
    assert "aaa" not in language


def test_nested_grammars_have_an_end() -> None:
    text = 'start: "a"'
    for _ in range(8):
        text = f"start: %lark {{ {text} }}"
    assert "a" in Language(text)
    with pytest.raises(GrammarError) as caught:
        parse_lark(f"start: %lark {{ {text} }}")
    assert caught.value.code == "GRAMMAR_BUDGET_DEPTH"


# --- lazy terminals


def test_a_lazy_rule_ends_as_soon_as_it_can() -> None:
    language = Language('start: head "b"\nhead[lazy]: /a*b/ | /a*bc/')
    assert "aabb" in language
    assert "abcb" not in language


def test_text_up_to_a_suffix() -> None:
    language = Language('start: text "!"\ntext[suffix="</t>"]: /(.|\\n)*/')
    assert "a<b</t>!" in language
    assert "</t>!" in language
    assert "</t></t>!" not in language


# --- budgets


def test_templates_that_grow_for_ever_end() -> None:
    with pytest.raises(GrammarError) as caught:
        parse_lark('start: a{"x"}\na{x}: a{b{x}} | "y"\nb{x}: x x', limits=Limits(rules=100))
    assert caught.value.code == "GRAMMAR_BUDGET_RULES"


def test_terminals_that_double_end() -> None:
    text = "start: A60\nA0: /ab/\n" + "".join(f"A{n + 1}: A{n} A{n}\n" for n in range(60))
    with pytest.raises(GrammarError) as caught:
        parse_lark(text)
    assert caught.value.code in ("GRAMMAR_BUDGET_NODES", "GRAMMAR_BUDGET_DEPTH")
    assert caught.value.position is not None


def test_long_chains_of_terminals() -> None:
    text = "start: A0\n" + "".join(f'A{n}: "a" [A{n + 1}]\n' for n in range(400)) + 'A400: "b"'
    with pytest.raises(GrammarError) as caught:
        parse_lark(text)
    assert caught.value.code == "GRAMMAR_BUDGET_DEPTH"
