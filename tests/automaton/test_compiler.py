"""The compiler's phases and contracts: what is refused, with which example, and what the tables say."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from checkrail.automaton.compiler import compile_automaton
from checkrail.automaton.dot import to_dot
from checkrail.errors import BudgetError, GrammarError
from checkrail.grammar.expression import ANY_CHARACTER, Choice, JsonString, Literal, Nest, Reference, Repeat, Sequence
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask.configuration import Stepper
from checkrail.mask.slow import advance_bytes
from reference import Recogniser
from strategies import grammars


def accepts(automaton, text: str) -> bool:
    stepper = Stepper(automaton)
    found = advance_bytes(stepper, stepper.start, text.encode())
    return found is not None and found.accepting


def test_a_closing_brace_inside_a_string_is_text_and_not_a_return():
    # {"a":"}"} would need a pop inside the string if the byte alone decided the stack action.
    grammar = Grammar.from_gbnf(
        'root ::= object\nobject ::= "{" string ":" value "}"\nvalue ::= object | string\nstring ::= "\\"" [^"]* "\\""'
    )
    automaton = compile_automaton(grammar)
    assert automaton.visible
    assert accepts(automaton, '{"a":"}"}')
    assert accepts(automaton, '{"{":{"a":"}}{"}}')
    assert not accepts(automaton, '{"a":"}"')
    assert not accepts(automaton, '{"a":}"}')


def test_a_byte_with_two_meanings_is_refused_with_an_example_that_is_real():
    grammar = Grammar.from_gbnf('root ::= "<" x ">"\nx ::= y | "(" x ")" "a"*\ny ::= "(" y "]" | "b"')
    with pytest.raises(GrammarError) as caught:
        compile_automaton(grammar)
    error = caught.value
    assert error.code == "GRAMMAR_NOT_VISIBLE"
    assert error.params["byte"] == "'('"
    prefix = error.params["example"].strip("'")
    assert Recogniser(grammar).viable(prefix + "(")
    general = compile_automaton(grammar, contract="context-free")
    assert not general.visible
    assert accepts(general, "<((b])aa>")


def test_an_end_that_may_also_continue_is_refused_in_context():
    grammar = Grammar.from_gbnf('root ::= x "a"\nx ::= "(" x ")" | "b" "a"*')
    with pytest.raises(GrammarError) as caught:
        compile_automaton(grammar)
    assert caught.value.code == "GRAMMAR_NOT_VISIBLE"
    assert "follow the end of x" in caught.value.message
    assert accepts(compile_automaton(grammar, contract="context-free"), "baa")


def test_overlap_with_a_rule_that_is_not_recursive_is_resolved_by_inlining():
    long = "|".join(f'"word{i:03}"' for i in range(40))
    grammar = Grammar.from_gbnf(f'root ::= x "1" | "word0" "x" | x "2" | x "3"\nx ::= {long}')
    automaton = compile_automaton(grammar)
    assert automaton.visible
    assert accepts(automaton, "word0x")
    assert accepts(automaton, "word0392")


@pytest.mark.parametrize(
    ("text", "yes", "no"),
    [
        ('root ::= root "+" term | term\nterm ::= "1"', ["1", "1+1", "1+1+1"], ["", "+", "1+"]),
        ('root ::= ws root "b" | "a"\nws ::= " "*', ["a", "ab", " ab", "  abb"], ["", "b", "ba"]),
        ('root ::= a\na ::= b "x" | "1"\nb ::= a "y" | "2"', ["1", "2x", "1yx", "2xyx"], ["2", "1x", "1y"]),
        ('root ::= a\na ::= a a | "x" | ""', ["", "x", "xxxx"], ["y"]),
        ('root ::= (root "x")* "y"', ["y", "yxy", "yxyxy"], ["x", "yx"]),
    ],
)
def test_left_recursion_is_refused_or_removed_exactly(text, yes, no):
    grammar = Grammar.from_gbnf(text)
    with pytest.raises(GrammarError) as caught:
        compile_automaton(grammar)
    assert caught.value.code == "GRAMMAR_LEFT_RECURSION"
    automaton = compile_automaton(grammar, contract="context-free")
    assert all(accepts(automaton, t) for t in yes)
    assert not any(accepts(automaton, t) for t in no)


def test_budgets_are_checked_and_named():
    wide = Grammar.from_gbnf("root ::= " + " | ".join(f'"{i:05}"' for i in range(300)))
    for limits, code in (
        (Limits(states=50), "GRAMMAR_BUDGET_STATES"),
        (Limits(transitions=20), "GRAMMAR_BUDGET_TRANSITIONS"),
    ):
        with pytest.raises(BudgetError) as caught:
            compile_automaton(wide, limits=limits)
        assert caught.value.code == code
    deep = Grammar({"root": Nest(Sequence((Literal("["), Nest(Literal("1")), Literal("]"))))})
    assert accepts(compile_automaton(deep, limits=Limits(nesting=2)), "[1]")
    with pytest.raises(BudgetError) as caught:
        compile_automaton(deep, limits=Limits(nesting=1))
    assert caught.value.code == "GRAMMAR_BUDGET_DEPTH"


def test_an_empty_intersection_makes_an_empty_language():
    from checkrail.grammar.expression import Intersection

    with pytest.raises(GrammarError) as caught:
        compile_automaton(Grammar({"root": Intersection((Literal("a"), Literal("b")))}))
    assert caught.value.code == "GRAMMAR_EMPTY_LANGUAGE"


def nested_lists() -> Grammar:
    body = Sequence((Literal("["), Choice((Sequence((Reference("value"),)), Literal(""))), Literal("]")))
    return Grammar({"root": Reference("value"), "value": Choice((Nest(body), Literal("1")))})


@pytest.mark.parametrize("nesting", [1, 2, 5])
def test_explicit_nesting_counts_containers_exactly(nesting):
    automaton = compile_automaton(nested_lists(), limits=Limits(nesting=nesting))
    for inner in ("", "1"):
        assert accepts(automaton, "[" * nesting + inner + "]" * nesting)
        assert not accepts(automaton, "[" * (nesting + 1) + inner + "]" * (nesting + 1))


def test_alternatives_that_nest_are_decided_inside():
    one = Nest(Sequence((Literal("{"), Literal("a"), Reference("value"), Literal("}"))))
    two = Nest(Sequence((Literal("{"), Literal("ab"), Reference("value"), Literal("}"))))
    rules = {"root": Reference("value"), "value": Choice((one, Reference("other"), Literal("1"))), "other": two}
    automaton = compile_automaton(Grammar(rules))
    assert automaton.visible
    for text in ("1", "{a1}", "{ab1}", "{a{ab1}}", "{ab{a1}}"):
        assert accepts(automaton, text)
    assert not accepts(automaton, "{b1}")


def test_chains_of_optional_parts_stay_linear():
    def states(k: int) -> int:
        rules = {"root": Sequence((Literal("{"), Reference("first0")))}
        for i in range(k):
            member = Literal(f'"key{i:04}":1')
            rules[f"first{i}"] = Choice((Sequence((member, Reference(f"rest{i + 1}"))), Reference(f"first{i + 1}")))
            rules[f"rest{i}"] = Choice(
                (Sequence((Literal(","), member, Reference(f"rest{i + 1}"))), Reference(f"rest{i + 1}"))
            )
        rules[f"first{k}"] = rules[f"rest{k}"] = Literal("}")
        automaton = compile_automaton(Grammar(rules))
        assert automaton.visible
        assert accepts(automaton, '{"key0001":1,"key0003":1}')
        assert not accepts(automaton, '{"key0003":1,"key0001":1}')
        return len(automaton)

    small, large = states(50), states(200)
    assert large < 4.6 * small


def test_shared_rules_become_modules_and_equal_ones_merge():
    string = Sequence((Literal('"'), JsonString(Repeat(ANY_CHARACTER, 0, None)), Literal('"')))
    rules = {
        "root": Sequence((Reference("s"), Reference("t"), Reference("s"), Reference("t"))),
        "s": string,
        "t": string,
    }
    automaton = compile_automaton(Grammar(rules))
    assert len(automaton.names) == 2
    assert accepts(automaton, '"a""\\n""""\\ud83d\\ude00"')


def test_the_digest_names_the_automaton_and_not_its_history():
    text = 'root ::= "a" x | "b"\nx ::= [0-9]+'
    one, two = compile_automaton(Grammar.from_gbnf(text)), compile_automaton(Grammar.from_gbnf("# note\n" + text))
    assert one.sha256 == two.sha256
    other = compile_automaton(Grammar.from_gbnf(text.replace("0-9", "0-8")))
    assert other.sha256 != one.sha256
    assert compile_automaton(Grammar.from_gbnf(text), limits=Limits(nesting=3)).sha256 != one.sha256
    assert one.sha256[:8] in repr(one)


@given(grammars(max_rules=3))
@settings(max_examples=60)
def test_state_measures_are_the_least_needs(grammar):
    try:
        automaton = compile_automaton(grammar, contract="context-free", limits=Limits(nesting=40))
    except GrammarError:
        assume(False)
    stepper = Stepper(automaton)
    shortest = automaton.length[automaton.starts[0]]
    # Breadth first over configurations: the first accepting one is at the shortest length.
    level, depth = {stepper.start}, 0
    while not any(c.accepting for c in level):
        assert depth < shortest
        level = {n for c in level for b in range(256) if (n := stepper.step(c, b)) is not None}
        depth += 1
        assume(len(level) < 2000)
    assert depth == shortest


def test_a_drawing_names_every_state_and_module():
    automaton = compile_automaton(Grammar.from_gbnf('root ::= x\nx ::= "(" x ")" | [a-c]'))
    dot = to_dot(automaton)
    assert dot.startswith("digraph")
    assert 'label="x"' in dot
    assert dot.count("shape=") >= len(automaton)
    assert "a-c" in dot
