"""Walking expressions without recursion: children, pre-order, and a fold from the leaves up.

A node that occurs several times in one expression (the same object, not an equal one) is visited once by
`fold`, so the cost is linear in the number of distinct nodes even where the tree they spell out is larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from ..errors import BudgetError
from ..limits import Limits
from .expression import (
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Nest,
    Repeat,
    Sequence,
)

__all__ = ["MAXIMUM_HEIGHT", "check_size", "children", "fold", "height", "rebuild", "transform", "walk"]

# Equality, hash and repr of frozen dataclasses recurse. CPython 3.11 gives up at about 280 levels of nodes.
MAXIMUM_HEIGHT = 200

_T = TypeVar("_T")


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct parts of a node, in order; empty for a leaf."""
    kind = expression.__class__
    if kind is CharacterClass or kind is Literal:  # most nodes: seen at once
        return ()
    if isinstance(expression, (Sequence, Intersection)):
        return expression.items
    if isinstance(expression, Choice):
        return expression.options
    if isinstance(expression, (Repeat, Nest, Complement, JsonString)):
        return (expression.item,)
    return ()


def rebuild(expression: Expression, parts: tuple[Expression, ...]) -> Expression:
    """The same node with other parts; the node itself where nothing changed."""
    if all(new is old for new, old in zip(parts, children(expression), strict=True)):
        return expression
    if isinstance(expression, Repeat):
        return Repeat(parts[0], expression.minimum, expression.maximum)
    if isinstance(expression, (Sequence, Intersection, Choice)):
        return type(expression)(parts)
    if isinstance(expression, (Nest, Complement, JsonString)):
        return type(expression)(parts[0])
    return expression


def walk(expression: Expression) -> Iterator[Expression]:
    """All nodes, each before its parts, from left to right."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def fold(
    expression: Expression,
    visit: Callable[[Expression, list[_T]], _T],
    parts: Callable[[Expression], tuple[Expression, ...]] = children,
) -> _T:
    """Compute a value for the expression from the values of its parts, from the leaves up.

    `visit(node, values)` gets the values of `parts(node)` in order.
    """
    done: dict[int, _T] = {}
    stack: list[tuple[Expression, bool]] = [(expression, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in done:
            continue
        inner = parts(node)
        if ready or not inner:
            done[id(node)] = visit(node, [done[id(part)] for part in inner])
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(inner))
    return done[id(expression)]


def transform(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Apply `change` to every node, parts first."""
    return fold(expression, lambda node, parts: change(rebuild(node, tuple(parts))))


def height(expression: Expression) -> int:
    """Levels of nodes: 1 for a leaf."""
    return fold(expression, lambda node, below: 1 + max(below, default=0))


def check_size(expression: Expression, limits: Limits, pointer: str | None = None) -> Expression:
    """The expression itself; BudgetError where its tree is taller or larger than is safe to work on."""
    tall, size = fold(expression, lambda _, b: (1 + max((h for h, _ in b), default=0), 1 + sum(size for _, size in b)))
    if tall > MAXIMUM_HEIGHT:
        raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer=pointer, limit=MAXIMUM_HEIGHT)
    if size > limits.expression_nodes:
        raise BudgetError("GRAMMAR_BUDGET_NODES", pointer=pointer, limit=limits.expression_nodes)
    return expression
