"""What a schema says, as a term: the keywords of the open profile, each accounted for.

Keywords that shape a value themselves become one set of values; those that hand it over to other schemas become
combinations of their terms. Subschemas of properties and items stay places and are read when they are needed, so
a definition that nothing uses is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import BudgetError, SchemaError
from ...watch import Watch
from ..dialect import Dialect
from ..keywords import Keywords
from ..ledger import Ledger
from ..options import Options
from ..profile import ALL_TYPES, KEYWORDS, suggestion
from ..references import REFERENCES, References
from ..schema import Json, Place
from ..sources import check_source_keyword
from .apart import are_apart
from .constants import constant
from .normal import Normalizer
from .objects import ObjectRecord, Property, absent
from .plain import PlainReader
from .read_arrays import read_array
from .read_objects import read_object
from .read_scalars import read_numbers, read_texts
from .terms import Term, Terms
from .texts import TextAlgebra
from .unevaluated import Unevaluated
from .values import ALL_VALUES, NO_VALUES, Doubt, Values

__all__ = ["Reader"]

# The first draft that knows a keyword; a schema that names an older draft does not mean it.
_SINCE = {
    "const": 6,
    "contains": 6,
    "propertyNames": 6,
    "if": 7,
    "then": 7,
    "else": 7,
    "dependentRequired": 2019,
    "dependentSchemas": 2019,
    "minContains": 2019,
    "maxContains": 2019,
    "unevaluatedItems": 2019,
    "unevaluatedProperties": 2019,
    "prefixItems": 2020,
    "$recursiveRef": 2019,
    "$dynamicRef": 2020,
}
_ABOUT_SCHEMAS = {"$recursiveAnchor": "a name for references", "$vocabulary": "of meta-schemas, about schemas"}
_TEXT_KEYWORDS = frozenset({"minLength", "maxLength", "pattern", "format"})
_NUMBER_KEYWORDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_ARRAY_KEYWORDS = frozenset(
    {"items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains"}
    | {"minContains", "maxContains"}
)
_OBJECT_KEYWORDS = frozenset(
    {
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
    }
)


class Reader:
    """Reads the places of one schema; `define` is what the normalizer asks."""

    def __init__(
        self,
        references: References,
        dialect: Dialect,
        options: Options,
        ledger: Ledger,
        keywords: Keywords,
        watch: Watch,
    ) -> None:
        self._references = references
        self._dialect = dialect
        self._options = options
        self._ledger = ledger
        self._keywords = keywords
        self._meanings: dict[str, str] = {}
        self.terms = Terms(options.limits.subschemas, self._meant)
        self.texts = TextAlgebra(options.limits, watch)
        plain = not (ledger.keeps_notes or references.is_dynamic or options.integer_fractions)
        read = self._read_plain if plain else None
        self.normalizer = Normalizer(
            self.terms,
            self.texts,
            self.define,
            options.limits,
            read=read,
            zeros=options.integer_fractions,
            leaves_items=options.report,
        )
        self.plain = PlainReader(self.normalizer, references, dialect, options)
        self._unevaluated = Unevaluated(references, dialect, self.terms, self.texts, self.normalizer.negation)

    def define(self, place: Place) -> Term:
        """The term of a schema, and a note for each of its keywords."""
        place = self._references.enter(place)
        term = self._term(place)
        self._ledger.visit(place)  # now that all its keywords are noted: reading may have ended in an error
        return term

    def _meant(self, place: Place) -> str:
        """The name of what a place stands for that says nothing itself but to look elsewhere."""
        if self._references.is_dynamic:
            return place.name
        passed = []
        while place.name not in self._meanings and place.name not in passed and self._refers(place):
            passed.append(place.name)
            try:
                place = self._references.resolve(place)
            except SchemaError:  # it is for others to say so, where that matters
                break
        name = self._meanings.get(place.name, place.name)
        self._meanings.update(dict.fromkeys(passed, name))
        return name

    def _refers(self, place: Place) -> bool:
        keywords = place.keywords
        if "$ref" not in keywords or any(keyword in keywords for keyword in self._references.id_keywords):
            return False
        if self._keywords.only_reference(place):
            return True
        rows = (KEYWORDS.get(keyword) for keyword in keywords if keyword != "$ref")
        return all(row is not None and row.column == "annotation" for row in rows)

    def _read_plain(self, place: Place) -> Values | None:
        values = self.plain.read(place)
        if values is not None:
            self._ledger.visit(place)
        return values

    def _term(self, place: Place) -> Term:
        if self._keywords.only_reference(place):
            for keyword in place.keywords:
                self._ledger.note(place, keyword, "annotation", "hidden by $ref in this draft")
            self._ledger.note(place, "$ref", "mask")
            return self.terms.place(self._references.resolve(place))
        place = self._known_keywords(place)
        return self.terms.all_of(self._applied(place, self._own(place)))

    def _known_keywords(self, place: Place) -> Place:
        """The place with the keywords that mean something; the others are noted."""
        kept: dict[str, Json] = {}
        for keyword, value in place.keywords.items():
            row = KEYWORDS.get(keyword)
            if row is None:
                if self._ledger.keeps_notes:
                    note = "a note of the schema's author" if keyword.startswith("x-") else suggestion(keyword)
                    self._ledger.note(place, keyword, "annotation", note)
            elif row.column == "annotation":
                self._ledger.note(place, keyword, "annotation", row.note)
            elif self._dialect.declared and self._dialect.draft < _SINCE.get(keyword, 0):
                self._ledger.note(place, keyword, "annotation", "no keyword of this draft")
            elif keyword.startswith("x-"):
                check_source_keyword(place, keyword)
                self._ledger.note(place, keyword, "checked")
            elif keyword in ("divisibleBy", "disallow", "extends"):
                self._ledger.note(place, keyword, "annotation", f"no keyword since draft 4: {row.note}")
            elif keyword in ("$recursiveAnchor", "$vocabulary"):
                self._ledger.note(place, keyword, "annotation", _ABOUT_SCHEMAS[keyword])
            elif keyword == "$recursiveRef" and self._dialect.declared and self._dialect.draft > 2019:
                self._ledger.note(place, keyword, "annotation", "no keyword of this draft")
            else:
                kept[keyword] = value
        return Place(kept, place.pointer, place.base, place.scope)

    # Keywords that shape the value

    def _own(self, place: Place) -> Term:
        values = ALL_VALUES
        if not place.keywords.keys().isdisjoint(("type", *_TEXT_KEYWORDS, *_NUMBER_KEYWORDS, *_ARRAY_KEYWORDS)) or (
            not place.keywords.keys().isdisjoint(_OBJECT_KEYWORDS)
        ):
            values = self._typed(place)
        for keyword in ("enum", "const"):
            if keyword in place.keywords:
                values = self.normalizer.intersect(values, self._listed(place, keyword))
        return self.terms.true if values == ALL_VALUES else self.terms.values(values)

    def _typed(self, place: Place) -> Values:
        declared = self._keywords.declared_types(place)
        types = ALL_TYPES if declared is None else declared
        if declared is not None:
            self._ledger.note(place, "type", "mask")
        keywords = place.keywords.keys()
        values = NO_VALUES
        texts, numbers, arrays, objects = values.texts, values.numbers, values.arrays, values.objects
        doubt: Doubt | None = None
        for kind, about in (
            ("string", _TEXT_KEYWORDS),
            ("integer", _NUMBER_KEYWORDS),
            ("array", _ARRAY_KEYWORDS),
            ("object", _OBJECT_KEYWORDS),
        ):
            if kind not in types:
                for keyword in sorted(keywords & about):
                    self._ledger.note(place, keyword, "annotation", f"not about {' or '.join(sorted(types))}")
        if "string" in types:
            texts, doubt = read_texts(place, self._ledger, self._options, self.texts)
        if "integer" in types:
            zeros = self._options.integer_fractions
            numbers = read_numbers(place, self._dialect, self._ledger, only_integers="number" not in types, zeros=zeros)
        if "array" in types:
            arrays = read_array(place, self.terms, self._dialect, self._ledger, self._keywords, self._options)
        if "object" in types:
            objects, most_objects = read_object(place, self.normalizer, self._ledger)
            if most_objects != objects:
                doubt = Doubt(texts if doubt is None else doubt.texts, most_objects)
        null, boolean = "null" in types, "boolean" in types
        return Values(null, boolean, boolean, texts, numbers, arrays, objects, doubt)

    def _listed(self, place: Place, keyword: str) -> Values:
        self._ledger.note(place, keyword, "mask")
        given = place.keywords[keyword]
        members = given if keyword == "enum" else [given]
        if not isinstance(members, list):
            raise place.malformed("enum", "must be a list of values")
        limit = self._options.limits.enum_members
        if _size(members) > limit + 1:  # the list itself is one
            pointer = place.at(keyword)
            raise BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=limit, what="values", name="enum_members")
        return constant(members, self.terms, zeros=self._options.integer_fractions)

    # Keywords that hand the value over to other schemas

    def _applied(self, place: Place, own: Term) -> Iterator[Term]:
        keywords = place.keywords
        always = [own]
        for reference in REFERENCES:
            if reference in keywords:
                self._ledger.note(place, reference, "mask")
                always.append(self.terms.place(self._references.resolve(place, reference)))
        always += [self.terms.place(branch) for branch in self._branches(place, "allOf")]
        yield from always
        if "anyOf" in keywords:
            yield self.terms.any_of(self.terms.place(branch) for branch in self._branches(place, "anyOf"))
        if "oneOf" in keywords:
            branches = [self.terms.place(branch) for branch in self._branches(place, "oneOf")]
            yield self._one_of(branches, self.terms.all_of(always))
        if "not" in keywords:
            self._ledger.note(place, "not", "mask")
            yield self.normalizer.negation(self.terms.place(place.child(keywords["not"], "not")))
        yield from self._conditional(place)
        yield from self._dependent(place)
        yield from self._unevaluated.terms_of(place, self._ledger, self._keywords)

    def _branches(self, place: Place, keyword: str) -> tuple[Place, ...]:
        if keyword not in place.keywords:
            return ()
        branches = place.schemas(keyword)
        if not branches:
            raise place.malformed(keyword, "must be a list of schemas that is not empty")
        self._ledger.note(place, keyword, "mask")
        return branches

    def _one_of(self, branches: list[Term], within: Term) -> Term:
        """Exactly one: each branch without those that it has values in common with. within: what else holds."""
        options = []
        for i, branch in enumerate(branches):
            here = self.terms.all_of((within, branch))
            others = [self._without(here, other) for j, other in enumerate(branches) if j != i]
            options.append(self.terms.all_of((branch, *others)))
        return self.terms.any_of(options)

    def _without(self, here: Term, other: Term) -> Term:
        """What is not in another term, as far as it matters here: of a union those parts that have values in common
        with what is here. The complement of all of it is a product of many, most of which say nothing here."""
        if are_apart(here, other, self.normalizer) or self.normalizer.is_empty(self.terms.all_of((here, other))):
            return self.terms.true
        parts = self.normalizer.union_of(other)
        if len(parts) < 2:
            return self.normalizer.negation(other)
        return self.terms.all_of(self._without(here, part) for part in parts)

    def _conditional(self, place: Place) -> Iterator[Term]:
        keywords = place.keywords
        if "if" not in keywords:
            for keyword in ("then", "else"):
                if keyword in keywords:
                    self._ledger.note(place, keyword, "annotation", "means nothing without if")
            return
        condition = self.terms.place(place.child(keywords["if"], "if"))
        self._ledger.note(place, "if", "mask")
        branches = []
        for keyword, term in (("then", condition), ("else", self.normalizer.negation(condition))):
            if keyword in keywords:
                self._ledger.note(place, keyword, "mask")
                branches.append(self.terms.all_of((term, self.terms.place(place.child(keywords[keyword], keyword)))))
            else:
                branches.append(term)
        if len({"then", "else"} & keywords.keys()) > 0:
            yield self.terms.any_of(branches)

    def _dependent(self, place: Place) -> Iterator[Term]:
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            if keyword not in place.keywords:
                continue
            self._ledger.note(place, keyword, "mask")
            for key, inner in place.mapping(keyword).items():
                names: tuple[str, ...] = ()
                then = self.terms.true
                if isinstance(inner.schema, list):
                    names = place.child(place.keywords[keyword], keyword).names(key)
                else:
                    then = self.terms.place(inner)
                if names or then is not self.terms.true:
                    # The key that asks comes first in both alternatives, as far as the order is not given elsewhere.
                    order = (Property(name, self.terms.true, name in names) for name in dict.fromkeys((key, *names)))
                    wanted = self.terms.all_of((self._objects(ObjectRecord(tuple(order))), then))
                    yield self.terms.any_of((self._objects(absent(key, self.terms)), wanted))

    def _objects(self, record: ObjectRecord) -> Term:
        """These objects, and all values that are no objects."""
        every = ALL_VALUES
        return self.terms.values(Values(True, True, True, every.texts, every.numbers, every.arrays, (record,)))


def _size(value: Json) -> int:
    """How many values a value consists of, itself included."""
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1
