"""Terms: boolean combinations of schemas, by name.

A term is true, false, a schema place or its negation, a set of values, or a conjunction or disjunction of terms.
Negation is pushed to the leaves when a term is made and equal terms are one object, so a product of schemas
has one name however it comes about: that is what makes products of recursive schemas end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ...errors import BudgetError
from ..schema import Place
from .values import Values

__all__ = ["Kind", "Term", "Terms"]

Kind = Literal["true", "false", "place", "values", "all", "any"]


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """One term; compare by identity. number: its serial number, by which products are named.

    place and negated: of a schema, or its complement. values: a set of values. parts: of "all" and "any".
    """

    kind: Kind
    number: int
    place: Place | None = None
    negated: bool = False
    values: Values | None = None
    parts: tuple[Term, ...] = ()

    def __repr__(self) -> str:
        match self.kind:
            case "place" if self.place is not None:
                return f"{'!' if self.negated else ''}<{self.place.pointer}>"
            case "values":
                return f"<values {self.number}>"
            case "all" | "any":
                sign = " & " if self.kind == "all" else " | "
                return f"({sign.join(map(repr, self.parts))})"
        return self.kind


class Terms:
    """Makes terms; equal ones are the same object. At most `limit` of them exist."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: dict[object, Term] = {}
        self.true = self._make("true", "true")
        self.false = self._make("false", "false")

    def __len__(self) -> int:
        return len(self._known)

    def place(self, place: Place, negated: bool = False) -> Term:
        """The values of a schema, or all others."""
        if isinstance(place.schema, bool) or place.schema == {}:
            return self.false if (place.schema is False) != negated else self.true
        return self._make("place", (place.pointer, negated), place=place, negated=negated)

    def values(self, values: Values) -> Term:
        """Exactly these values."""
        return self._make("values", values, values=values)

    def all_of(self, parts: Iterable[Term]) -> Term:
        """What every part allows."""
        return self._combine("all", parts, neutral=self.true, absorbing=self.false)

    def any_of(self, parts: Iterable[Term]) -> Term:
        """What some part allows."""
        return self._combine("any", parts, neutral=self.false, absorbing=self.true)

    def opposite(self, term: Term) -> Term | None:
        """The negation, where that is a term of the same size; None for sets of values, which are complemented."""
        if term.kind == "place" and term.place is not None:
            return self.place(term.place, not term.negated)
        return {"true": self.false, "false": self.true}.get(term.kind)

    def _combine(self, kind: Literal["all", "any"], parts: Iterable[Term], neutral: Term, absorbing: Term) -> Term:
        found: dict[Term, None] = {}
        for part in parts:
            for inner in part.parts if part.kind == kind else (part,):
                if inner is not neutral:
                    found[inner] = None
        if absorbing in found or any(self.opposite(term) in found for term in found if term.kind == "place"):
            return absorbing
        if len(found) < 2:
            return next(iter(found), neutral)
        name = kind, frozenset(term.number for term in found)
        return self._make(kind, name, parts=tuple(found))

    def _make(
        self,
        kind: Kind,
        key: object,
        *,
        place: Place | None = None,
        negated: bool = False,
        values: Values | None = None,
        parts: tuple[Term, ...] = (),
    ) -> Term:
        name = kind, key
        known = self._known.get(name)
        if known is None:
            if len(self._known) >= self._limit:
                what = "combinations of schemas"
                raise BudgetError("SCHEMA_BUDGET", pointer="", limit=self._limit, what=what, name="subschemas")
            known = self._known[name] = Term(kind, len(self._known), place, negated, values, parts)
        return known
