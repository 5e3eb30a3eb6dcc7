"""Equal rules become one: schemas that say the same at several places share one rule, and one module later.

Rules are taken callees first; each is renamed in terms of what was merged before it and looked up by structure.
Rules that are equal only through their own recursion stay apart, which costs nothing but their size.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..grammar.expression import Expression, Reference
from ..grammar.traverse import transform, walk
from ..watch import UNWATCHED, Watch

__all__ = ["merge_equal_rules"]


def merge_equal_rules(rules: Mapping[str, Expression], root: str, watch: Watch = UNWATCHED) -> dict[str, Expression]:
    """The rules reachable from the root, each structure once, in reading order; `root` keeps its name."""
    chosen: dict[str, str] = {}
    kept: dict[str, Expression] = {}
    known: dict[Expression, str] = {}

    def rename(node: Expression) -> Expression:
        watch.spend()
        if isinstance(node, Reference) and chosen.get(node.rule, node.rule) != node.rule:
            return Reference(chosen[node.rule])
        return node

    for name in _callees_first(rules, root):
        expression = transform(rules[name], rename)
        first = known.setdefault(expression, name)
        chosen[name] = first
        if first == name or name == root:
            kept[name] = expression
    renamed = {name: transform(expression, rename) for name, expression in kept.items()}
    return {name: renamed[name] for name in _reading_order(renamed, root)}


def _reading_order(rules: Mapping[str, Expression], root: str) -> list[str]:
    """The root, then each rule after the one that mentions it first."""
    order: dict[str, None] = {}
    pending = [root]
    while pending:
        name = pending.pop()
        if name not in order:
            order[name] = None
            pending += reversed(_references(rules[name]))
    return list(order)


def _callees_first(rules: Mapping[str, Expression], root: str) -> list[str]:
    order: list[str] = []
    entered = {root}
    stack = [(root, iter(_references(rules[root])))]
    while stack:
        name, rest = stack[-1]
        for used in rest:
            if used not in entered:
                entered.add(used)
                stack.append((used, iter(_references(rules[used]))))
                break
        else:
            stack.pop()
            order.append(name)
    return order


def _references(expression: Expression) -> list[str]:
    return [node.rule for node in walk(expression) if isinstance(node, Reference)]
