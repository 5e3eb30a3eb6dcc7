"""Does an expression accept the empty string? The base case of most questions about grammars.

For an expression without references the answer follows from its parts. For rules that refer to each other it is
a least fixpoint, which `analyze` computes; `known` hands its result in.
"""

from __future__ import annotations

from collections.abc import Container

from .expression import (
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
from .traverse import fold

__all__ = ["is_nullable", "nullable_from_parts"]


def nullable_from_parts(node: Expression, parts: list[bool], known: Container[str] = ()) -> bool:
    """Whether `node` is nullable, given that of its parts; `known` holds the names of the nullable rules."""
    if isinstance(node, Literal):
        return not node.text
    if isinstance(node, (Sequence, Intersection)):
        return all(parts)
    if isinstance(node, Choice):
        return any(parts)
    if isinstance(node, Repeat):
        return node.minimum == 0 or parts[0]
    if isinstance(node, (Nest, JsonString)):
        return parts[0]
    if isinstance(node, Complement):
        return not parts[0]
    return isinstance(node, Reference) and node.rule in known


def is_nullable(expression: Expression, known: Container[str] = ()) -> bool:
    """Is the empty string a member? Linear in the size of the expression.

    >>> is_nullable(Repeat(Literal("a"), 0, None))
    True
    """
    return fold(expression, lambda node, parts: nullable_from_parts(node, parts, known))
