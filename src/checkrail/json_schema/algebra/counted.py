"""The counted form of arrays and objects: one rule for what may come after a part, for each state.

A state says what still matters about the parts written so far. States are made when they are reached, are bounded
in number, and become rules of the grammar; equal states are one rule.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from ...errors import BudgetError
from ...grammar.expression import EMPTY, Expression, Nest, Reference
from ...limits import Limits
from ..combine import alt, seq
from ..whitespace import Whitespace
from .rules import RuleSet

__all__ = ["check_conditions", "counted_expression", "too_many_states"]

_MOST_CONDITIONS = 8  # each splits every part in two
S = TypeVar("S", bound=Hashable)


def counted_expression(
    brackets: str,
    begin: S,
    steps: Callable[[S], Iterable[tuple[Expression, S]]],
    may_close: Callable[[S], bool],
    blanks: Whitespace,
    rules: RuleSet,
    *,
    conditions: int,
    parts: str,
    pointer: str,
    limits: Limits,
) -> Expression:
    """The texts between `brackets` whose parts lead from `begin` to a state that may close.

    steps: the parts that may come next in a state, blanks after them included, each with the state after it.
    conditions: how many are counted together, and parts: what they count ("items"), for the message.
    Raises BudgetError SCHEMA_BUDGET.
    """

    check_conditions(conditions, parts, pointer)
    states: dict[S, Reference] = {}
    pending: list[S] = []

    def reach(state: S) -> Reference:
        known = states.get(state)
        if known is None:
            if len(states) >= limits.counted_states:
                raise too_many_states(parts, pointer, limits)
            known = states[state] = rules.fresh("after")
            pending.append(state)
        return known

    def following(state: S, before: Expression) -> Expression:
        options: list[Expression | str] = [brackets[1]] if may_close(state) else []
        options += [seq(before, part, reach(after)) for part, after in steps(state)]
        return alt(*options)

    # The beginning is no state: no comma stands before what comes first.
    opening = following(begin, EMPTY)
    for state in pending:
        rules.define(states[state], following(state, seq(",", blanks.after_comma)))
    return Nest(seq(brackets[0], blanks.padding, opening))


def check_conditions(number: int, parts: str, pointer: str) -> None:
    """Raise BudgetError where so many conditions on parts are too many to be counted together."""
    if number > _MOST_CONDITIONS:
        what = f"conditions on {parts} that are counted together"
        raise BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=_MOST_CONDITIONS, what=what, name="counted_states")


def too_many_states(parts: str, pointer: str, limits: Limits) -> BudgetError:
    """The error for counting that takes too many states."""
    what, limit = f"states for {parts} that are counted", limits.counted_states
    return BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=limit, what=what, name="counted_states")
