"""From terms to sets of values: intersection, union and complement, and which terms are empty.

`values(term)` is computed once for each term. It never looks into the parts of arrays and objects, which stay
terms, so recursion in a schema is no recursion here; only a schema that refers to itself with nothing between is.

Emptiness is a least fixpoint: a term has a member if it has a scalar one, or a record whose needed parts all have
members. The search is bounded, and what it cannot decide counts as not empty. That is safe: whatever is empty is
pruned from the grammar in the end, and nothing is taken out here that could have a member. Where the strings or the
objects of a set are in doubt, what counts is whether those that may be meant are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import TypeAlias, TypeVar

from ...errors import BudgetError, SchemaError
from ...limits import Limits
from ..schema import Place
from .absorb import RecordUnion, absorb
from .arrays import ANY_ARRAY, ArrayRecord, array_complement, intersect_arrays
from .numbers import complement_numbers, intersect_numbers
from .objects import ANY_OBJECT, ObjectRecord, intersect_objects, object_complement
from .terms import Term, Terms
from .texts import TextAlgebra, Texts
from .values import ALL_VALUES, Doubt, Values

__all__ = ["Normalizer"]

_SEARCHED_TERMS = 200
_MOST_CLASSES = 64  # of keys in one record; each costs an automaton
_MOST_PRODUCTS = 50_000  # of records, in all; some seconds
_DEEPEST = 150

_R = TypeVar("_R", ArrayRecord, ObjectRecord)
_Objects: TypeAlias = tuple[ObjectRecord, ...]


class Normalizer:
    """The sets of the terms of one schema. define: what a place says, as a term. read: the values of
    a place that has no need of terms, or None. most_records, most_classes: bounds
    on unions, and on classes of keys. zeros: as in `NumberRange`, of all numbers. leaves_items: whether
    items that must differ are left to the check after generation."""

    def __init__(
        self,
        terms: Terms,
        texts: TextAlgebra,
        define: Callable[[Place], Term],
        limits: Limits,
        *,
        read: Callable[[Place], Values | None] | None = None,
        zeros: bool = False,
        leaves_items: bool = False,
    ) -> None:
        self.terms = terms
        self.texts = texts
        self._define = define
        self._read = read
        self.zeros = zeros
        self.leaves_items = leaves_items
        self.most_records = limits.alternatives
        self.most_classes = min(limits.alternatives, _MOST_CLASSES)
        self._definitions: dict[str, Term] = {}
        self._negations: dict[Term, Term] = {}
        self._open: dict[Term, None] = {}  # being computed
        self._being_read: set[str] = set()
        self._work = 0
        self._inhabited: set[Term] = {terms.true}
        self._empty: set[Term] = {terms.false}

    def values(self, term: Term) -> Values:
        """What a term allows. Raises SchemaError for a schema that is defined by itself."""
        known = term.resolved
        if known is not None:
            return known
        pointer = "" if term.place is None else term.place.pointer
        if term in self._open:
            what = "it leads back to itself without an object or array between"
            raise SchemaError("SCHEMA_REF", pointer=pointer, what=what)
        if len(self._open) > _DEEPEST:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer=pointer, limit=_DEEPEST)
        self._open[term] = None
        try:
            result = term.resolved = self._compute(term)
        finally:
            del self._open[term]
        return result

    def _compute(self, term: Term) -> Values:
        self.texts.watch.spend()
        if term.place is not None:
            if self._read is not None and not term.negated:
                values = self._read(term.place)
                if values is not None:
                    return values
            definition = self.definition(term.place)
            if not term.negated:
                return self.values(definition)
            if definition.kind == "any":
                definition = self.terms.any_of(part for part in definition.parts if not self.is_empty(part))
            return self.values(self.negation(definition))
        if term.kind == "any":
            return self.union([self.values(part) for part in term.parts])
        result = self.values(term.parts[0])
        for part in term.parts[1:]:
            result = self.intersect(result, self.values(part))
        return result

    def definition(self, place: Place) -> Term:
        """The term that a schema stands for."""
        known = self._definitions.get(place.name)
        if known is None:
            if place.name in self._being_read:
                what = "it leads back to itself without an object or array between"
                raise SchemaError("SCHEMA_REF", pointer=place.pointer, what=what)
            self._being_read.add(place.name)
            try:
                known = self._definitions[place.name] = self._define(place)
            finally:
                self._being_read.discard(place.name)
        return known

    def union_of(self, term: Term) -> tuple[Term, ...]:
        """The parts of a term that is a union, or a schema that is nothing else; else the term alone."""
        here, seen = term, set()
        while here.place is not None and not here.negated and here not in seen:
            if here.place.name in self._being_read:
                break
            seen.add(here)
            here = self.definition(here.place)
        return here.parts if here.kind == "any" else (term,)

    def negation(self, term: Term) -> Term:
        """Everything that a term does not allow."""
        simple = self.terms.opposite(term)
        if simple is not None:
            return simple
        known = self._negations.get(term)
        if known is None:
            if term.values is not None:
                known = self.terms.values(self.complement(term.values))
            else:
                parts = [self.negation(part) for part in term.parts]
                known = self.terms.any_of(parts) if term.kind == "all" else self.terms.all_of(parts)
            self._negations[term] = known
        return known

    # Sets of values

    def intersect(self, a: Values, b: Values) -> Values:
        """What both hold."""
        if ALL_VALUES in (a, b):
            return b if a == ALL_VALUES else a
        texts = self.texts.intersect(a.texts, b.texts)
        objects = self._products(a.objects, b.objects, self._both_objects)
        return Values(
            a.null and b.null,
            a.true and b.true,
            a.false and b.false,
            texts,
            intersect_numbers(a.numbers, b.numbers),
            self._products(a.arrays, b.arrays, self._both_arrays),
            objects,
            self._doubt((a, b), texts, objects, self.texts.intersect, self._all_products),
        )

    def union(self, sets: Sequence[Values]) -> Values:
        """What any of the sets holds."""
        texts = reduce(self.texts.union, [values.texts for values in sets])
        objects = self._together([values.objects for values in sets])
        return Values(
            any(values.null for values in sets),
            any(values.true for values in sets),
            any(values.false for values in sets),
            texts,
            tuple(dict.fromkeys(range_ for values in sets for range_ in values.numbers)),
            self._together([values.arrays for values in sets]),
            objects,
            self._doubt(sets, texts, objects, self.texts.union, self._together),
        )

    def _doubt(
        self,
        sets: Sequence[Values],
        texts: Texts,
        objects: _Objects,
        combine: Callable[[Texts, Texts], Texts],
        combine_objects: Callable[[list[_Objects]], _Objects],
    ) -> Doubt | None:
        """What is in doubt about a combination. texts, objects: those of the combination, as it is known."""
        doubts = [values.doubt for values in sets if values.doubt is not None]
        if not doubts:
            return None
        most, most_objects = reduce(combine, [values.most_texts for values in sets]), objects
        if any(doubt.objects is not None for doubt in doubts):
            most_objects = combine_objects([values.most_objects for values in sets])
        if most == texts and most_objects == objects:
            return None
        return Doubt(most, None if most_objects == objects else most_objects)

    def complement(self, values: Values) -> Values:
        """All other values, for certain: where the set is in doubt, those that are not meant whatever is."""
        doubt = values.doubt
        texts, objects = self.texts.complement(values.most_texts), self._object_complements(values.most_objects)
        if doubt is not None:
            most_objects = None if doubt.objects is None else self._object_complements(values.objects)
            doubt = Doubt(self.texts.complement(values.texts), most_objects)
        arrays: tuple[ArrayRecord, ...] = (ANY_ARRAY,)
        for array in values.arrays:
            opposite = self._opposites((*array.prefix, array.rest, *(c.value for c in array.contains)))
            wrong = tuple(array_complement(array, self.terms, opposite))
            arrays = self._products(arrays, wrong, self._both_arrays)
        return Values(
            not values.null,
            not values.true,
            not values.false,
            texts,
            complement_numbers(values.numbers),
            arrays,
            objects,
            doubt,
        )

    def _object_complements(self, records: _Objects) -> _Objects:
        objects: _Objects = (ANY_OBJECT,)
        for record in records:
            parts = (*record.others, *record.witnesses)
            opposite = self._opposites((*(p.value for p in record.properties), *(part.value for part in parts)))
            others = tuple(self._inhabited_records(object_complement(record, self.terms, self.texts, opposite)))
            objects = self._products(objects, others, self._both_objects)
        return objects

    def _opposites(self, terms: Iterable[Term | None]) -> dict[Term, Term]:
        return {term: self.negation(term) for term in terms if term is not None}

    def _inhabited_records(self, records: Iterator[ObjectRecord]) -> Iterator[ObjectRecord]:
        for record in records:
            if not any(self.texts.is_empty(witness.keys) for witness in record.witnesses):
                yield record

    def _together(self, unions: Iterable[tuple[_R, ...]]) -> tuple[_R, ...]:
        together: RecordUnion[_R] = RecordUnion(self.terms.true)
        for records in unions:
            together.add(records, settled=True)
        return together.records

    def _products(self, a: tuple[_R, ...], b: tuple[_R, ...], both: Callable[[_R, _R], _R | None]) -> tuple[_R, ...]:
        if not a or not b:
            return ()
        if len(a) <= self.most_records >= len(b):
            for one, others in ((a, b), (b, a)):
                if len(one) == 1 and one[0] in (ANY_ARRAY, ANY_OBJECT):
                    return others
        self._work += len(a) * len(b)
        if self._work > _MOST_PRODUCTS:
            raise self.too_many()
        found: dict[_R, None] = {}
        branching = len(a) > 1 and len(b) > 1
        for x in a:
            self.texts.watch.spend(len(b))
            for y in b:
                record = both(x, y)
                if record is None or (branching and self._lacks(record)):
                    continue
                found[record] = None
                if len(found) > 2 * self.most_records:
                    raise self.too_many()
        result = absorb(found, self.terms.true)
        if len(result) > self.most_records:
            raise self.too_many()
        return result

    def _all_products(self, unions: list[_Objects]) -> _Objects:
        return reduce(lambda a, b: self._products(a, b, self._both_objects), unions)

    def _both_arrays(self, a: ArrayRecord, b: ArrayRecord) -> ArrayRecord | None:
        return intersect_arrays(a, b, self.terms)

    def _both_objects(self, a: ObjectRecord, b: ObjectRecord) -> ObjectRecord | None:
        if len(a.others) * len(b.others) > self.most_classes:
            raise self.too_many()
        return intersect_objects(a, b, self.terms, self.texts)

    def _lacks(self, record: ArrayRecord | ObjectRecord) -> bool:
        """Whether something that a record needs is known to have no values."""
        needed = self._needed_items(record) if isinstance(record, ArrayRecord) else _required(record)
        return any(term.kind == "all" and self.is_empty(term) for term in needed)

    def too_many(self) -> BudgetError:
        """The error for combinations beyond `Limits.alternatives`, at the place that is being computed."""
        pointer = next((term.place.pointer for term in reversed(self._open) if term.place is not None), "")
        what, limit = "combinations of alternatives", self.most_records
        return BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=limit, what=what, name="alternatives")

    # Emptiness

    def known(self, term: Term) -> Values | None:
        """The values of a term; None where that is not known yet."""
        if term in self._open:
            return None
        try:
            return self.values(term)
        except BudgetError:
            return None
        except SchemaError as error:
            if error.code != "SCHEMA_REF" or not (self._open or self._being_read):
                raise
            return None

    def is_empty(self, term: Term) -> bool:
        """True only if a term allows nothing."""
        if term in self._inhabited or term in self._empty:
            return term in self._empty
        needs: dict[Term, list[list[Term]]] = {}
        pending = [term]
        for found in pending:
            if found in needs or found in self._inhabited or found in self._empty:
                continue
            self.texts.watch.spend()
            if len(needs) >= _SEARCHED_TERMS:
                break
            alternatives = self._alternatives(found)
            if alternatives is None:
                self._inhabited.add(found)  # not known, so it may have members
                continue
            needs[found] = alternatives
            if [] in alternatives:
                self._inhabited.add(found)
                if found is term:
                    return False
            else:
                pending += (part for parts in alternatives for part in parts)
        _spread(needs, self._inhabited)
        possible = self._inhabited
        unseen = {part for part in pending if part not in needs and part not in self._empty} - self._inhabited
        if unseen:  # these may have members, whatever they are
            possible = self._inhabited | unseen
            _spread(needs, possible)
        self._empty.update(needs.keys() - possible)
        return term in self._empty

    def _alternatives(self, term: Term) -> list[list[Term]] | None:
        """Lists of terms; the term is empty if each list has an empty one. None where that is not known."""
        values = self.known(term)
        if values is None:
            return None
        if values.null or values.true or values.false or values.numbers:
            return [[]]
        if not self.texts.is_empty(values.most_texts):
            return [[]]
        found = [list(dict.fromkeys(self._needed_items(array))) for array in values.arrays]
        found += [_required(record) for record in values.most_objects]
        return found

    def _needed_items(self, array: ArrayRecord) -> Iterator[Term]:
        yield from array.prefix[: array.minimum]
        if array.minimum > len(array.prefix):
            yield array.item(len(array.prefix), self.terms)
        yield from (part.value for part in array.contains if part.minimum > 0)


def _spread(needs: dict[Term, list[list[Term]]], inhabited: set[Term]) -> None:
    """Mark what has members because its parts have."""
    changed = True
    while changed:
        changed = False
        for term, alternatives in needs.items():
            if term not in inhabited and any(all(part in inhabited for part in parts) for parts in alternatives):
                inhabited.add(term)
                changed = True


def _required(record: ObjectRecord) -> list[Term]:
    return [member.value for member in record.properties if member.required]
