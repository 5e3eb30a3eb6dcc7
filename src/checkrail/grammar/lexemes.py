"""From a regular expression to the lexemes of a terminal: not the empty text, and perhaps only the shortest ones.

A lexeme takes at least one character, so a terminal that could be empty is an optional terminal. A lazy terminal ends
as soon as it can. Both are boolean combinations that automata resolve; where the shape of an expression allows it the
result is as simple as the expression.
"""

from __future__ import annotations

from .expression import ANY_CHARACTER, NOTHING, Choice, Complement, Expression, Intersection, Repeat, Sequence
from .nullable import is_nullable
from .simplify import choice_of

__all__ = ["non_empty", "shortest"]

_SOMETHING = Repeat(ANY_CHARACTER, 1, None)


def non_empty(expression: Expression) -> Expression:
    """The texts of a regular expression (without references) but for the empty one.

    >>> from checkrail.grammar.expression import Literal
    >>> non_empty(Repeat(Literal("a"), 0, None))
    Repeat(item=Literal(text='a'), minimum=1, maximum=None)
    """
    if isinstance(expression, Choice):
        return choice_of(_without_empty(option) for option in expression.options)
    return _without_empty(expression)


def _without_empty(expression: Expression) -> Expression:
    if not is_nullable(expression):
        return expression
    if isinstance(expression, Repeat) and not is_nullable(expression.item):
        return NOTHING if expression.maximum == 0 else Repeat(expression.item, 1, expression.maximum)
    return Intersection((expression, _SOMETHING))


def shortest(expression: Expression) -> Expression:
    """The texts of a regular expression that do not begin with another one of its texts."""
    return Intersection((expression, Complement(Sequence((expression, _SOMETHING)))))
