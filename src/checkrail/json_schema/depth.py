"""How deep the shallowest text of each rule is nested: what cannot be written within the bound is found here.

A least fixpoint over the rules: a sequence is as deep as its deepest item, a choice as its shallowest option, a
`Nest` one deeper than its inside. Values only fall, and each fall wakes the rules that use the rule, so the cost is
linear in the grammar times the nesting bound at worst.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from ..grammar.expression import Choice, Expression, Intersection, Nest, Reference, Repeat, Sequence
from ..grammar.traverse import fold, walk

__all__ = ["least_depths"]


def least_depths(rules: Mapping[str, Expression], bound: int) -> dict[str, int]:
    """The least nesting depth of a text of each rule; `bound` + 1 stands for all that is deeper or has no text."""
    users: dict[str, set[str]] = {name: set() for name in rules}
    for name, expression in rules.items():
        for node in walk(expression):
            if isinstance(node, Reference):
                users[node.rule].add(name)
    depths = dict.fromkeys(rules, bound + 1)
    waiting = deque(rules)
    queued = set(rules)
    while waiting:
        name = waiting.popleft()
        queued.discard(name)
        found = min(_depth(rules[name], depths, bound), bound + 1)
        if found < depths[name]:
            depths[name] = found
            fresh = users[name] - queued
            waiting.extend(fresh)
            queued |= fresh
    return depths


def _depth(expression: Expression, depths: Mapping[str, int], bound: int) -> int:
    def visit(node: Expression, parts: list[int]) -> int:
        match node:
            case Reference(rule):
                return depths[rule]
            case Choice():
                return min(parts, default=bound + 1)
            case Nest():
                return parts[0] + 1
            case Repeat(_, minimum, _):
                return parts[0] if minimum else 0
            case Sequence() | Intersection():
                return max(parts, default=0)
            case _:
                return 0

    return fold(expression, visit)
