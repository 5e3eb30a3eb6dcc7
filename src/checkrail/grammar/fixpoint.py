"""Least fixpoints over rules: which of them have a property that their parts hand up.

Nullable ("accepts the empty string") and productive ("has a finite sentence") are both of this kind. Each node
needs a number of its parts to have the property: a sequence all, a choice one, a literal none or more than it
has. That is a Horn formula, and unit propagation (Dowling and Gallier, 1984) solves it in time linear in the
size of all expressions, however the rules refer to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..watch import UNWATCHED, Watch
from .expression import Expression, Reference
from .traverse import children

__all__ = ["least_fixpoint"]


def least_fixpoint(
    rules: Mapping[str, Expression], needs: Callable[[Expression], int | None], watch: Watch = UNWATCHED
) -> set[str]:
    """The rules that have the property.

    needs(node): how many of its parts must have it; 0, it has it by itself; None, it never does. It is asked
    about references only where the rule is not one of `rules`.
    """
    return _Propagation(rules, needs, watch).run()


class _Propagation:
    """Nodes are numbered by occurrence. `missing` counts the parts still needed; `parent` of a rule's top is -1."""

    def __init__(
        self, rules: Mapping[str, Expression], needs: Callable[[Expression], int | None], watch: Watch
    ) -> None:
        self.rules = rules
        self.needs = needs
        self.watch = watch
        self.missing: list[int] = []
        self.parent: list[int] = []
        self.rule_of: dict[int, str] = {}  # for the top node of each rule
        self.waiting: dict[str, list[int]] = {}  # rule -> its references
        self.ready: list[int] = []

    def run(self) -> set[str]:
        for name, expression in self.rules.items():
            self.rule_of[len(self.parent)] = name
            self._number(expression)
        found: set[str] = set()
        while self.ready:
            node = self.ready.pop()
            if node in self.rule_of and self.rule_of[node] not in found:
                found.add(self.rule_of[node])
                for reference in self.waiting.get(self.rule_of[node], ()):
                    self._hand_up(reference)
            if self.parent[node] >= 0:
                self._hand_up(self.parent[node])
        return found

    def _number(self, expression: Expression) -> None:
        stack = [(expression, -1)]
        while stack:
            node, parent = stack.pop()
            self.watch.spend()
            number = len(self.parent)
            self.parent.append(parent)
            inside = isinstance(node, Reference) and node.rule in self.rules
            needed = 1 if inside else self.needs(node)
            self.missing.append(-1 if needed is None else needed)
            if needed == 0:
                self.ready.append(number)
            elif inside and isinstance(node, Reference):
                self.waiting.setdefault(node.rule, []).append(number)
            elif needed is not None:
                stack.extend((part, number) for part in children(node))

    def _hand_up(self, node: int) -> None:
        self.missing[node] -= 1
        if self.missing[node] == 0:
            self.ready.append(node)
