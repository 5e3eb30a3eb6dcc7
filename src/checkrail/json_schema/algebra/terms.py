"""Terms: boolean combinations of schemas, by name.

A term is true, false, a schema place or its negation, a set of values, or a conjunction or disjunction of terms.
Negation is pushed to the leaves when a term is made and equal terms are one object, so a product of schemas
has one name however it comes about: that is what makes products of recursive schemas end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from ...errors import BudgetError
from ..schema import Json, Place
from .values import ALL_VALUES, NO_VALUES, Values

__all__ = ["Kind", "Term", "Terms", "pointer_of"]

Kind = Literal["true", "false", "place", "values", "all", "any"]


class Term:
    """One term; compare by identity. number: its serial number, by which products are named.

    place and negated: of a schema, or its complement. values: a set of values. parts: of "all" and "any".
    resolved: the set that the term comes to, once the normalizer has found it.
    """

    __slots__ = ("kind", "negated", "number", "parts", "place", "resolved", "values")

    def __init__(
        self,
        kind: Kind,
        number: int,
        place: Place | None = None,
        negated: bool = False,
        values: Values | None = None,
        parts: tuple[Term, ...] = (),
    ) -> None:
        self.kind: Kind = kind
        self.number = number
        self.place = place
        self.negated = negated
        self.values = values
        self.parts = parts
        self.resolved = values

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
    """Makes terms; equal ones are the same object. At most `limit` of them exist.

    meant: the name of the place that a place stands for, where it is but a reference to that; else its own.
    """

    def __init__(self, limit: int, meant: Callable[[Place], str] = lambda place: place.name) -> None:
        self._limit = limit
        self._meant = meant
        self._count = 0
        self._places: tuple[dict[str, Term], dict[str, Term]] = {}, {}  # those of schemas, and their negations
        self._sets: dict[Values, Term] = {}
        self._combined: dict[tuple[Kind, frozenset[Term]], Term] = {}
        self.true = self._made(Term("true", 0))
        self.false = self._made(Term("false", 1))
        self.true.resolved = ALL_VALUES
        self.false.resolved = NO_VALUES

    def __len__(self) -> int:
        return self._count

    def place(self, place: Place, negated: bool = False) -> Term:
        """The values of a schema, or all others."""
        if isinstance(place.schema, bool) or place.schema == {}:
            return self.false if (place.schema is False) != negated else self.true
        known = self._places[negated].get(place.name)
        if known is None:
            known = self._places[negated][place.name] = self._made(Term("place", self._count, place, negated))
        return known

    def at(self, schema: Json, pointer: str, base: str) -> Term:
        """`place`, for the reader of plain schemas: a `Place` is made only if there is none."""
        if schema is True or schema is False or schema == {}:
            return self.false if schema is False else self.true
        places = self._places[0]
        known = places.get(pointer)
        if known is None:
            known = places[pointer] = self._made(Term("place", self._count, Place(schema, pointer, base)))
        return known

    def values(self, values: Values) -> Term:
        """Exactly these values."""
        known = self._sets.get(values)
        if known is None:
            known = self._sets[values] = self._made(Term("values", self._count, values=values))
        return known

    def all_of(self, parts: Iterable[Term]) -> Term:
        """What every part allows."""
        if type(parts) is tuple and len(parts) == 2:  # most have two, one of which mostly says nothing
            a, b = parts
            if a is b or b is self.true:
                return a
            if a is self.true:
                return b
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
            if part.kind == kind:
                found.update(dict.fromkeys(part.parts))
            elif part is not neutral:
                found[part] = None
        if len(found) < 2:
            return next(iter(found), neutral)
        if absorbing in found:
            return absorbing
        name = kind, frozenset(found)
        known = self._combined.get(name)
        if known is None:
            made = absorbing if self._has_opposites(found) else self._made(Term(kind, self._count, parts=tuple(found)))
            known = self._combined[name] = made
        return known

    def _has_opposites(self, terms: Iterable[Term]) -> bool:
        """Whether one is the opposite of what another one refers to."""
        places = [(term.place, term.negated) for term in terms if term.place is not None]
        negated = {self._meant(place) for place, is_negated in places if is_negated}
        return bool(negated) and any(self._meant(place) in negated for place, is_negated in places if not is_negated)

    def _made(self, term: Term) -> Term:
        if self._count >= self._limit:
            what = "combinations of schemas"
            raise BudgetError("SCHEMA_BUDGET", pointer="", limit=self._limit, what=what, name="subschemas")
        self._count += 1
        return term


def pointer_of(term: Term) -> str:
    """The pointer of a place that a term is about, for messages and names; empty where there is none."""
    pending = [term]
    while pending:
        found = pending.pop()
        if found.place is not None:
            return found.place.pointer
        pending += reversed(found.parts)
    return ""
