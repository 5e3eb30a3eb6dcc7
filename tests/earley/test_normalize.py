from __future__ import annotations

import pytest

from checkrail.earley.normalize import normalize
from checkrail.errors import BudgetError, GrammarError
from checkrail.grammar.expression import Choice, Literal, Nest, Reference, Repeat, Sequence
from checkrail.grammar.lexical import LexicalGrammar
from checkrail.limits import Limits
from lexical_oracle import alt, lexical, seq


def rules_of(grammar: LexicalGrammar, lengths=None, **limits: int):
    shortest = dict.fromkeys(grammar.terminals, 1) | (lengths or {})
    return normalize(grammar, shortest, Limits(**limits))


def written(grammar: LexicalGrammar, lengths=None, **limits: int) -> list[str]:
    rules = rules_of(grammar, lengths, **limits)
    return [repr(item).replace(" . ", " ").removesuffix(" .") for item in rules.items()]


def test_what_is_plain_stays_plain():
    grammar = lexical({"start": alt("start A", "")}, A="a")
    assert written(grammar) == ["goal -> start", "start -> start A", "start ->"]


def test_repetitions_become_left_recursion():
    star, plus = Repeat(Reference("A"), 0, None), Repeat(Reference("A"), 1, None)
    grammar = lexical({"start": Sequence((star, plus))}, A="a")
    assert written(grammar) == [
        "goal -> start",
        "start -> start#1 start#2",
        "start#1 ->",
        "start#1 -> start#1 A",
        "start#2 -> A",
        "start#2 -> start#2 A",
    ]


def test_counts_become_a_chain():
    grammar = lexical({"start": Repeat(Reference("A"), 1, 3)}, A="a")
    assert written(grammar) == [
        "goal -> start",
        "start -> A start#2",
        "start#1 ->",
        "start#1 -> A",
        "start#2 ->",
        "start#2 -> A start#1",
    ]


def test_one_part_is_one_rule_wherever_it_stands():
    part = alt("A", "B")
    grammar = lexical({"start": Sequence((part, part))}, A="a", B="b")
    assert written(grammar)[:2] == ["goal -> start", "start -> start#1 start#1"]


def test_an_optional_part_is_an_alternative_and_no_rule():
    pairs = Sequence((Reference("A"), Repeat(seq("B", "A"), 0, None)))
    grammar = lexical({"start": Repeat(pairs, 0, 1), "x": seq("A")}, A="a", B="b")
    assert written(grammar) == [
        "goal -> start",
        "start ->",
        "start -> A start#1",
        "start#1 ->",
        "start#1 -> start#1 B A",
    ]


def test_a_level_of_nesting_is_a_copy_of_a_rule_that_comes_back_to_itself():
    body = Choice((Reference("A"), Nest(Sequence((Reference("B"), Reference("start"), Reference("B"))))))
    grammar = lexical({"start": body}, A="a", B="b")
    assert written(grammar, nesting=2) == [
        "goal -> start[2]",
        "start[2] -> A",
        "start[2] -> B start[1] B",
        "start[1] -> A",
        "start[1] -> B start[0] B",
        "start[0] -> A",
    ]
    assert {rule.written for rule in rules_of(grammar).rules} == {"goal", "start"}


def test_levels_that_are_no_matter_make_no_copies():
    grammar = lexical({"start": alt("x", "y"), "x": Nest(seq("y", "A")), "y": Nest(Reference("A"))}, A="a")
    assert written(grammar) == ["goal -> start", "start -> x", "start -> y", "x -> y A", "y -> A"]
    assert written(grammar, nesting=1) == ["goal -> start[1]", "start[1] -> y", "y -> A"]


def test_where_only_the_bound_leaves_no_text():
    grammar = lexical({"start": Nest(Nest(Reference("A")))}, A="a")
    assert rules_of(grammar, nesting=2).shortest == 1
    with pytest.raises(BudgetError) as caught:
        rules_of(grammar, nesting=1)
    assert (caught.value.code, caught.value.params["limit"]) == ("GRAMMAR_BUDGET_DEPTH", 1)


def test_what_cannot_finish_is_left_out():
    grammar = lexical({"start": alt("A", "dead B", "C"), "dead": seq("A", "dead")}, A="a", B="b", C="c")
    assert written(grammar, {"C": None}) == ["goal -> start", "start -> A"]


def test_a_rule_is_nullable_if_an_alternative_is():
    grammar = lexical({"start": seq("x", "y"), "x": alt("", "A"), "y": alt("x x", "A y")}, A="a")
    assert {rule.name: rule.nullable for rule in rules_of(grammar).rules} == {
        "goal": True, "start": True, "x": True, "y": True,
    }  # fmt: skip


def test_the_shortest_text():
    grammar = lexical({"start": alt("A A", "start A", "B")}, A="aaa", B="b{7}")
    assert rules_of(grammar, {"A": 3, "B": 7}).shortest == 6


def test_no_text_at_all():
    with pytest.raises(GrammarError) as caught:
        rules_of(lexical({"start": seq("start", "A")}, A="a"))
    assert caught.value.code == "GRAMMAR_EMPTY_LANGUAGE"


def test_an_unknown_name():
    with pytest.raises(GrammarError) as caught:
        rules_of(lexical({"start": seq("A", "nobody")}, A="a"))
    assert (caught.value.code, caught.value.params["rule"]) == ("GRAMMAR_UNDEFINED_RULE", "nobody")


@pytest.mark.parametrize("bounds", [(0, 10_000), (10_000, None), (10_000, 10_000)])
def test_counts_are_bounded_by_the_size_that_they_take(bounds):
    grammar = lexical({"start": Repeat(Reference("A"), *bounds)}, A="a")
    with pytest.raises(BudgetError) as caught:
        rules_of(grammar, expression_nodes=9_000)
    assert caught.value.code == "GRAMMAR_BUDGET_NODES"
    assert rules_of(grammar, expression_nodes=60_000).shortest == bounds[0]


def test_deep_expressions_do_not_recurse():
    node = Reference("A")
    for _ in range(5_000):
        node = Choice((Sequence((node, Reference("A"))), Reference("A")))
    assert rules_of(lexical({"start": node}, A="a")).shortest == 1


def test_text_in_a_rule_is_refused():
    with pytest.raises(GrammarError):
        rules_of(lexical({"start": Sequence((Literal("a"), Reference("A")))}, A="a"))
