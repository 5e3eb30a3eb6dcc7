"""The inside of a JSON array: a prefix of particular items, then items of one kind, within a range of lengths."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from ..grammar.expression import EMPTY, NOTHING, Expression, Nest, Repeat
from .combine import alt, seq
from .whitespace import Whitespace

__all__ = ["array_expression", "longest"]


def longest(prefix: Sequence[Expression], item: Expression, maximum: int | None) -> int | None:
    """How many items such an array can have at most; None without end."""
    for i, expression in enumerate(prefix):
        if expression == NOTHING:
            return i if maximum is None else min(i, maximum)
    if item == NOTHING:
        return len(prefix) if maximum is None else min(len(prefix), maximum)
    return maximum


def array_expression(
    prefix: Sequence[Expression],
    item: Expression,
    minimum: int,
    maximum: int | None,
    blanks: Whitespace,
    share: Callable[[str, Expression], Expression],
) -> Expression:
    """The arrays of `minimum` to `maximum` items: those of `prefix` in order, then any number of `item`.

    `maximum` is at most `longest(...)` and at least `minimum`. `share(position, tail)` makes a rule of the tail
    that starts at a position, so that many optional positions do not nest in one expression.
    """
    comma = seq(blanks.padding, ",", blanks.after_comma)
    fixed = len(prefix) if maximum is None else min(len(prefix), maximum)
    tail: deque[Expression | str] = deque()  # parts of a sequence, so that a chain of required items stays linear
    if maximum is None or maximum > fixed:
        more = Repeat(seq(comma, item), max(minimum - fixed - 1, 0), None if maximum is None else maximum - fixed - 1)
        tail.extend((item, EMPTY if more.maximum == 0 else more, blanks.padding, "]"))
    for i in range(fixed - 1, -1, -1):
        if tail:
            tail.extendleft((blanks.after_comma, ","))
        if i + 1 >= minimum:
            tail = deque([alt("]", seq(*tail)) if tail else "]"])
        tail.extendleft((blanks.padding, prefix[i]))
        if i >= minimum and i > 0:
            tail = deque([share(str(i + 1), seq(*tail))])
    options = [seq(*tail)] if tail else []
    return Nest(seq("[", blanks.padding, alt(*options, *(["]"] if minimum == 0 else []))))
