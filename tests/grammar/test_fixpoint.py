from __future__ import annotations

import time

from hypothesis import given, settings

from checkrail.grammar.expression import Choice, Expression, Literal, Reference, Repeat, Sequence
from checkrail.grammar.fixpoint import least_fixpoint
from checkrail.grammar.nullable import nullable_from_parts
from checkrail.grammar.traverse import fold
from strategies import grammars


def to_be_empty(node: Expression) -> int | None:
    if isinstance(node, Sequence):
        return len(node.items)
    if isinstance(node, Choice):
        return 1 if node.options else None
    if isinstance(node, Repeat):
        return 0 if node.minimum == 0 else 1
    return 0 if isinstance(node, Literal) and not node.text else None


def by_iteration(rules) -> set[str]:
    """The definition: start with none, add what follows, until nothing is added."""
    known: set[str] = set()
    while True:
        found = {
            name
            for name, expression in rules.items()
            if fold(expression, lambda node, parts: nullable_from_parts(node, parts, known))  # noqa: B023
        }
        if found == known:
            return known
        known = found


@settings(max_examples=50)
@given(grammars())
def test_propagation_and_iteration_agree(grammar):
    assert least_fixpoint(grammar.rules, to_be_empty) == by_iteration(grammar.rules)


def test_a_rule_with_many_references_to_a_long_chain_takes_linear_time():
    size = 10_000
    rules: dict[str, Expression] = {f"r{n}": Reference(f"r{n + 1}") for n in range(size)}
    rules[f"r{size}"] = Literal("")
    rules["all"] = Sequence(tuple(Reference(name) for name in rules))
    started = time.perf_counter()
    assert least_fixpoint(rules, to_be_empty) == set(rules)
    assert time.perf_counter() - started < 5
