"""Facts about rules against their definitions, refusals with their places, and public cases."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings

import data_path
from checkrail.errors import Error, GrammarError
from checkrail.grammar.analyze import analyze, check, prune, warnings
from checkrail.grammar.expression import (
    NOTHING,
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
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.left_recursion import find_left_recursion
from reference_chart import Chart, attempt, grammar_accepts
from strategies import grammars, texts

A, B = Literal("a"), Literal("b")


def refusal(grammar: Grammar) -> Error:
    with pytest.raises(GrammarError) as caught:
        check(grammar)
    return caught.value


@settings(max_examples=50)
@given(grammars())
def test_nullable_is_what_accepts_the_empty_text(grammar):
    analysis = analyze(grammar)
    for name in grammar.rules:
        assert (name in analysis.nullable) == Chart(grammar.rules, "").accepts(Reference(name))


def test_operands_of_regular_algebra_are_opaque():
    rules = {
        "root": Choice((Reference("i"), Reference("c"), Nest(Reference("j")))),
        "i": Intersection((A, Repeat(B, 0, None))),
        "c": Complement(Reference("n")),
        "n": Repeat(A, 0, 1),
        "j": JsonString(Repeat(Reference("n"), 1, 1)),
    }
    analysis = check(Grammar(rules))
    assert analysis.nullable == {"root", "n", "j"}
    assert analysis.left["c"] == ()


def test_a_complement_waits_for_what_it_refers_to():
    """`x` is nullable only through `y`: asked too early, the complement would be nullable too."""
    rules = {"root": Complement(Reference("x")), "x": Sequence((Reference("y"), Reference("y"))), "y": Repeat(A, 0, 1)}
    assert analyze(Grammar(rules)).nullable == {"x", "y"}


def test_recursive_groups_and_reachability():
    grammar = parse_gbnf('root ::= a\na ::= "(" b ")" | "x"\nb ::= a ("," a)*\nc ::= "c" c | "d" root\nd ::= "e"')
    analysis = analyze(grammar)
    assert [set(group) for group in analysis.recursive] == [{"a", "b"}, {"c"}]
    assert analysis.reachable == {"root", "a", "b"}
    assert [str(w) for w in warnings(grammar)] == [
        "GRAMMAR_UNREACHABLE: Rule c is never used.",
        "GRAMMAR_UNREACHABLE: Rule d is never used.",
    ]
    assert warnings(grammar)[0].position.line == 4
    assert repr(analysis) == "<Analysis 5 rules: 0 nullable, 3 recursive>"


@settings(max_examples=50)
@given(grammars())
def test_random_rules_that_can_end_are_productive(grammar):
    assert analyze(grammar).productive == set(grammar.rules)


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ('root ::= b\nb ::= "x" b', "b", 2),
        ('root ::= "a" | b\nb ::= "x" c\nc ::= b "y" | c', "b", 2),
        ("root ::= root", "root", 1),
        ('root ::= ("a" root)+', "root", 1),
    ],
)
def test_a_rule_that_never_finishes_is_named(text, rule, line):
    error = refusal(parse_gbnf(text))
    assert (error.code, error.params["rule"], error.position.line) == ("GRAMMAR_UNPRODUCTIVE", rule, line)


def test_an_unused_rule_may_be_endless():
    check(parse_gbnf('root ::= "a"\nb ::= "x" b'))
    check(parse_gbnf('root ::= "a" root | "b"'))
    check(parse_gbnf('root ::= ("a" root)*'))


def test_a_generated_grammar_may_have_impossible_branches_while_one_is_left():
    endless = Sequence((A, Reference("x")))
    check(Grammar({"root": Choice((A, Reference("x"))), "x": endless}, format="json_schema"))
    hopeless = Grammar({"root": Reference("x"), "x": endless}, format="json_schema", origins={"x": "/$defs/x"})
    error = refusal(hopeless)
    assert (error.code, error.pointer) == ("GRAMMAR_UNPRODUCTIVE", "/$defs/x")


@pytest.mark.parametrize("root", [NOTHING, Sequence((A, NOTHING)), Repeat(NOTHING, 1, None), JsonString(NOTHING)])
def test_an_empty_language_is_refused(root):
    assert refusal(Grammar({"root": root}, format="json_schema")).code == "GRAMMAR_EMPTY_LANGUAGE"


def test_an_undefined_rule_is_refused():
    assert refusal(Grammar({"root": Reference("x")})).code == "GRAMMAR_UNDEFINED_RULE"


def test_prune_removes_what_takes_part_in_no_sentence():
    grammar = parse_gbnf('root ::= "a" x | y z | "b"\nx ::= "x" x\ny ::= "y"\nz ::= x | ("c" x)?\nu ::= "u"\nv ::= x y')
    small = prune(grammar)
    assert str(small) == 'root ::= y z | "b"\ny ::= "y"\nz ::= ""\n'
    assert prune(small) == small
    assert prune(parse_gbnf("root ::= x\nx ::= x")).rules == {"root": NOTHING}


@settings(max_examples=50)
@given(grammars(), texts)
def test_prune_keeps_the_language(grammar, text):
    dead: dict[str, Expression] = {**grammar.rules, "w": Sequence((A, Reference("w")))}
    dead["root"] = Choice((Sequence((B, Reference("w"))), dead["root"]))
    whole = Grammar(dead)
    small = prune(whole)
    assert "w" not in small.rules
    assert grammar_accepts(small, text) == grammar_accepts(whole, text)


def cases() -> list[dict]:
    try:
        folder = data_path.shared_data()
    except pytest.skip.Exception:
        return []
    rows = map(json.loads, (folder / "public-cases.jsonl").read_bytes().splitlines())
    return [row for row in rows if row["kind"] == "gbnf"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_public_cases(case):
    grammar = attempt(parse_gbnf, case["spec"])
    if isinstance(grammar, Grammar):
        analysis = attempt(check, grammar)
    if isinstance(grammar, GrammarError) or isinstance(analysis, GrammarError):
        error = grammar if isinstance(grammar, GrammarError) else analysis
        assert "error" in (case["compile"], case.get("compile_alt"))
        assert error.position is not None or not case["spec"]
        return
    assert case["compile"] == "ok"
    for text in case["accept"]:
        assert grammar_accepts(grammar, text), text
        assert grammar_accepts(prune(grammar), text), text
    for text in case["reject"]:
        assert not grammar_accepts(grammar, text), text
        assert not grammar_accepts(prune(grammar), text), text


def test_large_grammars_take_linear_time():
    size = 4_000
    chain = "\n".join(f'r{n} ::= r{n + 1} | "{chr(0x4E00 + n)}"' for n in range(size))
    grammar = parse_gbnf(f'root ::= r0\n{chain}\nr{size} ::= r0 "x" | "y"')
    started = time.perf_counter()
    analysis = check(grammar)
    assert len(find_left_recursion(grammar, analysis) or ()) == size + 1
    assert time.perf_counter() - started < 10
