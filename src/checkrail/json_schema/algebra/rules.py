"""The rules of a grammar while they are made: names that are taken from the schema, and where each came from."""

from __future__ import annotations

from ...errors import BudgetError
from ...grammar.expression import NOTHING, Expression, Reference
from ...limits import Limits
from ..names import Names

__all__ = ["RuleBook", "RuleSet"]


class RuleBook:
    """rules: name -> expression. origins: name -> JSON pointer."""

    def __init__(self, reserved: tuple[str, ...], limits: Limits) -> None:
        self.rules: dict[str, Expression] = {}
        self.origins: dict[str, str] = {}
        self._names = Names(reserved)
        self._limits = limits

    def fresh(self, wanted: str, pointer: str) -> Reference:
        """A new rule, which is filled in later."""
        name = self._names.fresh(wanted)
        self.rules[name] = NOTHING
        self.origins[name] = pointer
        if len(self.rules) > self._limits.rules:
            raise BudgetError("GRAMMAR_BUDGET_RULES", pointer=pointer, limit=self._limits.rules)
        return Reference(name)


class RuleSet:
    """The rules that belong to one place, named after its rule."""

    def __init__(self, book: RuleBook, name: str, pointer: str) -> None:
        self._book = book
        self._name = name
        self._pointer = pointer

    def fresh(self, key: str) -> Reference:
        """A new rule, which is filled in later."""
        return self._book.fresh(f"{self._name}-{key}", self._pointer)

    def define(self, rule: Reference, expression: Expression) -> None:
        """Fill a rule in."""
        self._book.rules[rule.rule] = expression

    def share(self, key: str, expression: Expression) -> Expression:
        """A rule for an expression that is used at several places."""
        rule = self.fresh(f"from-{key}")
        self.define(rule, expression)
        return rule
