"""The states of counted arrays and objects as a graph, without the expressions that `lower` makes of them.

A state says what still matters about the parts written so far; `lower_arrays` and `lower_objects` say which steps
there are. Here the steps stand for the terms of their parts, so that a survey can look at these terms and at the
number of states, and rooms can be found.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ...grammar.expression import NOTHING, Expression, Reference
from ..options import Options
from .arrays import ArrayRecord
from .counted import check_conditions, too_many_states
from .lower_arrays import ArrayLowering
from .lower_objects import ObjectLowering
from .normal import Normalizer
from .objects import ObjectRecord
from .rules import RuleBook, RuleSet
from .terms import Term
from .texts import Texts
from .values import is_nothing

__all__ = ["Steps", "array_steps", "object_steps"]

S = TypeVar("S", bound=Hashable)
_STEPS_PER_STATE = 256  # on average, of the states that there may be


@dataclass(frozen=True, slots=True)
class Steps:
    """edges: for each state, from the first one on, what may come next (None: a scalar) with the state after it.
    closing: the states that may end."""

    edges: list[list[tuple[Term | None, int]]]
    closing: set[int]

    def terms(self) -> list[Term]:
        """The terms of all parts."""
        return list(dict.fromkeys(term for edges in self.edges for term, _ in edges if term is not None))


class _Source(Protocol[S]):
    begin: S

    def steps(self, state: S) -> Iterable[tuple[Expression, S]]: ...
    def may_close(self, state: S) -> bool: ...


class _ObjectSteps(ObjectLowering):
    """The steps of an object by the values of its members alone."""

    def declared_pair(self, key: str, value: Expression) -> Expression:
        return value

    def other_pair(self, keys: Texts, value: Expression) -> Expression:
        return value

    def key_cases(self, keys: Texts, seen: int) -> list[tuple[Texts, list[int]]]:
        cases = super().key_cases(keys, seen)
        for known, _ in cases:
            self._normalizer.texts.check(known, self._pointer)
        return cases


class _Parts:
    """Terms by the references that stand for them."""

    def __init__(self, normalizer: Normalizer) -> None:
        self._normalizer = normalizer
        self.watch = normalizer.texts.watch
        self.terms: dict[str, Term] = {}

    def expression(self, term: Term) -> Expression:
        if is_nothing(self._normalizer.values(term)):
            return NOTHING
        name = str(term.number)
        self.terms[name] = term
        return Reference(name)


def array_steps(record: ArrayRecord, normalizer: Normalizer, options: Options, pointer: str) -> Steps:
    """The graph of an array record. Raises SchemaError, and BudgetError SCHEMA_BUDGET beyond the limits."""
    check_conditions(len(record.contains), "items", pointer)
    parts, limits = _Parts(normalizer), options.limits
    rules = RuleSet(RuleBook(("root",), limits), "root", pointer)
    lowering = ArrayLowering(
        record, normalizer, options.blanks, parts.expression, rules, pointer=pointer, limits=limits
    )
    return _explore(lowering, parts, lambda: too_many_states("items", pointer, limits), limits.counted_states)


def object_steps(
    record: ObjectRecord, normalizer: Normalizer, options: Options, pointer: str, any_order: int = 0
) -> Steps:
    """The graph of an object record; see `array_steps`. any_order: the most members that may come in any order."""
    check_conditions(len(record.witnesses), "properties", pointer)
    parts, limits = _Parts(normalizer), options.limits
    rules = RuleSet(RuleBook(("root",), limits), "root", pointer)
    lowering = _ObjectSteps(
        record,
        normalizer,
        options.blanks,
        parts.expression,
        rules,
        any_order=any_order,
        pointer=pointer,
        limits=limits,
    )
    return _explore(lowering, parts, lambda: too_many_states("properties", pointer, limits), limits.counted_states)


def _explore(source: _Source[S], parts: _Parts, too_many: Callable[[], Exception], limit: int) -> Steps:
    steps_left = _STEPS_PER_STATE * limit
    numbers: dict[S, int] = {}  # without the beginning, which is no state for lowering unless a step leads back to it
    pending = [source.begin]
    edges: list[list[tuple[Term | None, int]]] = []
    closing: set[int] = set()
    for state in pending:
        if source.may_close(state):
            closing.add(len(edges))
        found: dict[tuple[Term | None, int], None] = {}
        for part, after in source.steps(state):
            parts.watch.spend()
            steps_left -= 1
            if steps_left < 0:
                raise too_many()
            if after not in numbers:
                if len(numbers) >= limit:
                    raise too_many()
                numbers[after] = len(pending)
                pending.append(after)
            found[parts.terms[part.rule] if isinstance(part, Reference) else None, numbers[after]] = None
        edges.append(list(found))
    return Steps(edges, closing)
