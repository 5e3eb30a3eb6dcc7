from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings

from checkrail.errors import GrammarError
from checkrail.grammar.analyze import analyze
from checkrail.grammar.expression import Choice, Expression, Literal, Nest, Reference, Sequence
from checkrail.grammar.gbnf import parse_gbnf
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.left_recursion import find_left_recursion, refuse_left_recursion
from strategies import grammars


@pytest.mark.parametrize(
    ("text", "cycle"),
    [
        ('root ::= root "a" | "b"', ("root",)),
        ('root ::= a\na ::= b "x" | "y"\nb ::= a "z"', ("a", "b")),
        ('root ::= ws root "b" | "a"\nws ::= " "*', ("root",)),
        ('root ::= a\na ::= a "x" | b | ""\nb ::= a', ("a",)),
        ('root ::= ("x"? root "y")* "z"', ("root",)),
        ('root ::= "a" | (root)', ("root",)),
        ('root ::= e e root | "a"\ne ::= f?\nf ::= "x"', ("root",)),
        ('root ::= a\na ::= b\nb ::= c | "x"\nc ::= a | d\nd ::= b', ("a", "b", "c")),
        ('root ::= p\np ::= q | q "a"\nq ::= r | "x"\nr ::= q "y" | p', ("q", "r")),
        ('root ::= "a" root | "b"', None),
        ('root ::= a\na ::= "(" a ")" | [x] a*', None),
        ('root ::= "a"\nunused ::= unused "b" | "c"', None),
        ('root ::= "a" x root | "b"\nx ::= ""', None),
        ('root ::= root{0} "a"', None),
    ],
)
def test_cycles(text, cycle):
    grammar = parse_gbnf(text)
    assert find_left_recursion(grammar) == cycle
    if cycle is None:
        refuse_left_recursion(grammar)
        return
    with pytest.raises(GrammarError) as caught:
        refuse_left_recursion(grammar)
    assert caught.value.code == "GRAMMAR_LEFT_RECURSION"
    assert caught.value.params["cycle"] == " -> ".join((*cycle, cycle[0]))
    assert caught.value.position == grammar.positions[cycle[0]]


def test_nesting_takes_no_text():
    nested = Grammar({"root": Choice((Nest(Sequence((Reference("root"), Literal("b")))), Literal("a")))})
    assert find_left_recursion(nested) == ("root",)


def expands_for_ever(grammar: Grammar, name: str, nullable: frozenset[str]) -> bool:
    """By the textbook: does some chain of leftmost expansions come back to the rule?"""

    def heads(node: Expression) -> set[str]:
        if isinstance(node, Reference):
            return {node.rule}
        if isinstance(node, Choice):
            return set().union(*map(heads, node.options)) if node.options else set()
        if isinstance(node, Sequence):
            found: set[str] = set()
            for item in node.items:
                found |= heads(item)
                if not can_be_empty(item):
                    break
            return found
        return heads(node.item) if hasattr(node, "item") and getattr(node, "maximum", None) != 0 else set()

    def can_be_empty(node: Expression) -> bool:
        return analyze(Grammar({**grammar.rules, "?": node}, root="?")).nullable >= {"?"}

    seen, todo = set(), [name]
    while todo:
        for head in heads(grammar.rules[todo.pop()]):
            if head == name:
                return True
            if head not in seen:
                seen.add(head)
                todo.append(head)
    return False


@settings(max_examples=50)
@given(grammars())
def test_a_cycle_is_found_exactly_if_some_rule_in_use_comes_back_to_itself(grammar):
    analysis = analyze(grammar)
    cycle = find_left_recursion(grammar, analysis)
    looping = {name for name in analysis.reachable if expands_for_ever(grammar, name, analysis.nullable)}
    assert (cycle is not None) == bool(looping)
    if cycle is not None:
        assert set(cycle) <= looping
        assert len(set(cycle)) == len(cycle)
        assert all(after in analysis.left[before] for before, after in pairwise((*cycle, cycle[0])))
