"""Dynamic scopes: what `$dynamicRef` (2020-12) and `$recursiveRef` (2019-09) lead to, found when a schema is read.

Where such a reference leads depends on the resources (parts with an `$id`) that were entered on the way to it: the
outermost one that has an anchor of the name. Of all ways to a place only this matters, for each name: which resource
comes first. So there are finitely many scopes, and a place is read once for each scope in which it is reached, like a
schema that was copied for it. Most documents have no such reference, and one scope.

Source: JSON Schema Core 2020-12, sections 7.1 and 8.2.3.2; 2019-09, section 8.2.4.2. A document can be written whose
scopes are exponentially many in its size; more than `Limits.alternatives` are refused.
"""

from __future__ import annotations

from ..errors import BudgetError
from .schema import Place

__all__ = ["RECURSIVE", "STATIC", "DynamicScopes"]

STATIC = 0
"""The scope in which nothing was entered that has a dynamic anchor."""

RECURSIVE = ""
"""The name under which `$recursiveAnchor` stands among the dynamic anchors."""


class DynamicScopes:
    """The dynamic anchors of one document, and the scopes that were met, by number."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._anchors: dict[str, dict[str, Place]] = {}  # name -> URI of the resource -> place
        self._scopes: list[dict[str, str]] = [{}]  # name -> URI of the outermost resource
        self._numbers: dict[tuple[tuple[str, str], ...], int] = {(): STATIC}
        self._entered: dict[tuple[int, str], int] = {}

    def declare(self, name: str, place: Place) -> None:
        """Note a dynamic anchor. place: where it stands, with the URI of its resource as its base."""
        self._anchors.setdefault(name, {}).setdefault(place.base, place)

    def is_anchor(self, name: str, place: Place) -> bool:
        """Whether a place has the dynamic anchor of this name."""
        known = self._anchors.get(name, {}).get(place.base)
        return known is not None and known.pointer == place.pointer

    def enter(self, scope: int, uri: str, pointer: str) -> int:
        """The scope within a resource. Raises BudgetError, at the pointer, for too many."""
        known = self._entered.get((scope, uri))
        if known is None:
            outermost = dict(self._scopes[scope])
            for name, places in self._anchors.items():
                if uri in places:
                    outermost.setdefault(name, uri)
            known = self._entered[scope, uri] = self._number(outermost, pointer)
        return known

    def _number(self, outermost: dict[str, str], pointer: str) -> int:
        key = tuple(sorted(outermost.items()))
        known = self._numbers.get(key)
        if known is None:
            if len(self._scopes) > self._limit:
                what, limit = "dynamic scopes", self._limit
                raise BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=limit, what=what, name="alternatives")
            known = self._numbers[key] = len(self._scopes)
            self._scopes.append(outermost)
        return known

    def outermost(self, scope: int, name: str) -> Place | None:
        """The place of the anchor in the outermost resource of a scope that has it."""
        uri = self._scopes[scope].get(name)
        return None if uri is None else self._anchors[name][uri]
