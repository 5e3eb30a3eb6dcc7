"""How many levels of nesting a text of each rule can take.

A `Nest` in a grammar counts: an object within an array within an object is three levels, and `Limits.nesting` says how
many there may be. `normalize` makes a copy of a rule for each number of levels that are left for it. What is known here
keeps the copies few: a rule that takes two levels needs none for three, and most rules take none.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..grammar.components import strong_components
from ..grammar.expression import Expression, Nest, Reference
from ..grammar.traverse import fold, walk

__all__ = ["levels_inside"]


def levels_inside(rules: Mapping[str, Expression], most: int) -> dict[str, int]:
    """For each rule the levels that its texts can take, `most` + 1 where these are more. Linear in the grammar.

    Names that are no rules are terminals, which take none.
    """
    references = {name: [rule for rule in _references(body) if rule in rules] for name, body in rules.items()}
    levels: dict[str, int] = {}
    for component in strong_components(references):  # dependencies first
        circle = frozenset(component)
        inside = max(_levels(rules[name], circle, levels, most)[0] for name in component)
        levels.update(dict.fromkeys(component, inside))
    return levels


def _references(body: Expression) -> dict[str, None]:
    return {node.rule: None for node in walk(body) if isinstance(node, Reference)}


def _levels(body: Expression, circle: frozenset[str], known: Mapping[str, int], most: int) -> tuple[int, bool]:
    """The levels inside an expression, and whether it comes back to its own rule. What does so under a `Nest` has no
    bound."""

    def visit(node: Expression, parts: list[tuple[int, bool]]) -> tuple[int, bool]:
        if isinstance(node, Reference):
            return known.get(node.rule, 0), node.rule in circle
        inside = max((levels for levels, _ in parts), default=0)
        comes_back = any(back for _, back in parts)
        if isinstance(node, Nest):
            inside = most if comes_back else inside
            return min(inside, most) + 1, comes_back
        return inside, comes_back

    return fold(body, visit)
