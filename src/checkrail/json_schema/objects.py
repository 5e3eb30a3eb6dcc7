"""The inside of a JSON object: members in a fixed order, each required or optional.

A comma stands between two members that are present, so whether one is written depends on the members before.
Instead of 2^k cases there is one tail per member: "one of the members from here on comes next". After a member
the text either closes, when no required member is left, or goes on with a comma and the tail behind it; an
optional member is an alternative to that tail. Each tail that is used twice is a rule of its own, so both the
expressions and the automaton are linear in the number of members.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..grammar.expression import Expression, Nest, Repeat
from .combine import alt, seq
from .literals import quote
from .whitespace import Whitespace

__all__ = ["Member", "free_object_expression", "object_expression"]


@dataclass(frozen=True, slots=True)
class Member:
    """A property: its key (the text, not its spelling), its values, and whether it must be there."""

    key: str
    value: Expression
    required: bool


def object_expression(
    members: Sequence[Member],
    blanks: Whitespace,
    share: Callable[[str, Expression], Expression],
    others: Expression | None = None,
) -> Expression:
    """The objects with these members in this order, and no others but `others`.

    `share(key, tail)` makes a rule of the tail that starts at a member and returns a reference to it. `others`: what
    may come after the declared members, from the key of the first other one to the closing brace.
    """
    # parts of a sequence, so that a chain of required members stays linear
    tail: deque[Expression | str] = deque() if others is None else deque([others])
    required_left = False  # after the member at hand
    for i in range(len(members) - 1, -1, -1):
        member = members[i]
        skip = None if member.required or not tail else seq(*tail)
        if not required_left:
            tail = deque([alt("}", seq(",", blanks.after_comma, *tail)) if tail else "}"])
        else:
            tail.extendleft((blanks.after_comma, ","))
        value = (quote(member.key), blanks.padding, ":", blanks.after_colon, member.value, blanks.padding)
        tail.extendleft(reversed(value))
        if skip is not None:
            tail = deque([alt(seq(*tail), skip)])
        if i > 0 and not members[i - 1].required:
            tail = deque([share(member.key, seq(*tail))])
        required_left = required_left or member.required
    inside = seq(*tail) if required_left else alt(*([seq(*tail)] if tail else []), "}")
    return Nest(seq("{", blanks.padding, inside))


def free_object_expression(key: Expression, value: Expression, blanks: Whitespace) -> Expression:
    """The objects of any members. A key may repeat: a pushdown automaton cannot remember which it has seen."""
    pair = seq(key, blanks.padding, ":", blanks.after_colon, value, blanks.padding)
    more = Repeat(seq(",", blanks.after_comma, pair), 0, None)
    return Nest(seq("{", blanks.padding, alt("}", seq(pair, more, "}"))))
