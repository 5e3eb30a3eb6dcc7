"""Dynamic references: `$dynamicRef` (2020-12) and `$recursiveRef` (2019-09), resolved while a value is checked.

Such a reference leads to the outermost resource, of those that were entered on the way to it, that has a dynamic anchor
of its name. So an outcome remembers its way, as far as it can matter: the resources with anchors that no resource
before them has. Equal ways give equal outcomes, so each value is checked once for each of them. There can be
exponentially many in the size of a schema that was written for that; more than `MOST_SCOPES` are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ...errors import BudgetError

if TYPE_CHECKING:
    from .subschema import Subschema

__all__ = ["MOST_SCOPES", "DynamicReference", "Scope", "Scopes"]

MOST_SCOPES = 512

Scope: TypeAlias = tuple[str, ...]
"""The URIs of the resources with dynamic anchors that were entered, outermost first."""


@dataclass(slots=True, eq=False)
class DynamicReference:
    """What such a keyword refers to. initial: what `$ref` would lead to. candidates: by the URI of their resource, the
    schemas that have the anchor; none where the initial one is no dynamic anchor."""

    initial: Subschema
    candidates: Mapping[str, Subschema] = field(default_factory=dict)

    def target(self, scope: Scope) -> Subschema:
        """Where it leads in a scope."""
        return next((self.candidates[uri] for uri in scope if uri in self.candidates), self.initial)

    def targets(self) -> list[Subschema]:
        """Where it may lead in any scope."""
        return [self.initial, *self.candidates.values()]


class Scopes:
    """The scopes of one check. names: for each resource with dynamic anchors, which names they have."""

    def __init__(self, names: Mapping[str, frozenset[str]]) -> None:
        self._names = names
        self._seen: set[Scope] = set()

    def enter(self, scope: Scope, schema: Subschema) -> Scope:
        """The scope within a schema. Raises BudgetError for too many."""
        names = self._names.get(schema.base)
        if names is None or schema.base in scope:
            return scope
        if names <= frozenset().union(*(self._names[uri] for uri in scope)):
            return scope
        entered = (*scope, schema.base)
        self._seen.add(entered)
        if len(self._seen) > MOST_SCOPES:
            what = "dynamic scopes"
            raise BudgetError(
                "SCHEMA_BUDGET", pointer=schema.pointer, limit=MOST_SCOPES, what=what, name="alternatives"
            )
        return entered
