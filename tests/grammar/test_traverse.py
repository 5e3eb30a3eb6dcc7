from __future__ import annotations

import pytest
from hypothesis import given

from checkrail.errors import BudgetError
from checkrail.grammar.expression import Choice, Expression, Literal, Nest, Reference, Repeat, Sequence
from checkrail.grammar.traverse import MAXIMUM_HEIGHT, check_size, children, fold, height, rebuild, transform, walk
from checkrail.limits import DEFAULT_LIMITS, Limits
from strategies import algebra

A = Literal("a")


def nested(levels: int) -> Expression:
    """Repetitions, branches and sequences within one another, as far as the parsers allow."""
    expression: Expression = A
    for number in range(levels - 1):
        expression = [Repeat(expression, 0, 2), Choice((expression, A)), Sequence((expression, A))][number % 3]
    return expression


def by_recursion(node: Expression) -> list[Expression]:
    return [node, *(inner for part in children(node) for inner in by_recursion(part))]


@given(algebra)
def test_walk_and_fold_see_what_recursion_sees(expression):
    nodes = by_recursion(expression)
    assert list(walk(expression)) == nodes
    assert fold(expression, lambda _, parts: 1 + sum(parts)) == len(nodes)
    assert height(expression) == fold(expression, lambda _, parts: 1 + max(parts, default=0))


@given(algebra)
def test_transform_with_nothing_to_change_gives_the_same_object(expression):
    assert transform(expression, lambda node: node) is expression
    assert rebuild(expression, children(expression)) is expression


def test_transform_changes_parts_first():
    double = transform(
        Nest(Sequence((A, Reference("x")))), lambda n: Literal(n.text * 2) if isinstance(n, Literal) else n
    )
    assert double == Nest(Sequence((Literal("aa"), Reference("x"))))


def test_a_node_that_is_shared_is_visited_once():
    expression: Expression = A
    for _ in range(60):
        expression = Sequence((expression, expression))
    visited = []
    fold(expression, lambda node, parts: visited.append(node))
    assert len(visited) == 61
    with pytest.raises(BudgetError) as caught:
        check_size(expression, DEFAULT_LIMITS, "/pattern")
    assert (caught.value.code, caught.value.pointer) == ("GRAMMAR_BUDGET_NODES", "/pattern")


def test_size_and_height_are_bounded():
    check_size(nested(MAXIMUM_HEIGHT), DEFAULT_LIMITS)
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_DEPTH"):
        check_size(nested(MAXIMUM_HEIGHT + 1), DEFAULT_LIMITS)
    check_size(Sequence((A, A)), Limits(expression_nodes=3))
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_NODES"):
        check_size(Sequence((A, A)), Limits(expression_nodes=2))


def test_expressions_of_the_greatest_height_compare_hash_and_print():
    tall, same = nested(MAXIMUM_HEIGHT), nested(MAXIMUM_HEIGHT)
    assert tall == same
    assert hash(tall) == hash(same)
    assert repr(tall) == repr(same)


def test_nothing_here_recurses():
    tall = nested(50_000)
    assert height(tall) == 50_000
    assert len(list(walk(tall))) > 50_000
