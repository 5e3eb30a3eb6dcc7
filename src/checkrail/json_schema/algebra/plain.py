"""Plain schemas, read at once: the fast path of `reading`, for the few forms that nearly all subschemas have.

A schema is plain if its keywords are annotations and, well-formed, some of `type`, `properties`, `required`,
`additionalProperties`, `items`, `anyOf`, `$ref`, `pattern` or `format`, an `enum` of simple values and simple bounds.
For these the sets of values are put together directly, without notes of who enforces what (the notes are for those who
ask for the coverage, which is made by the full reader). Everything else, and everything that is wrong in any way, is
left to the full reader: `read` then answers None. Both give equal sets, which the tests hold them to.
"""

from __future__ import annotations

from decimal import Decimal

from ...grammar.expression import ANY_CHARACTER, Repeat
from ..dialect import Dialect
from ..options import Options
from ..profile import KEYWORDS
from ..references import References
from ..schema import Json, Place, escape_token
from .arrays import ANY_ARRAY, ArrayRecord
from .format_texts import format_texts
from .normal import Normalizer
from .numbers import ALL_NUMBERS, NumberRange
from .objects import ANY_OBJECT, KeyClass, ObjectRecord, Property
from .patterns import pattern_texts
from .read_scalars import MOST_CHARACTERS, format_doubt
from .terms import Term
from .texts import ALL_TEXTS, NO_TEXTS, Texts
from .values import ALL_VALUES, NO_VALUES, Doubt, Values

__all__ = ["PlainReader"]

_NULL, _BOOLEAN, _STRING, _INTEGER, _FRACTION, _ARRAY, _OBJECT = (1 << i for i in range(7))
_NUMBER = _INTEGER | _FRACTION
_ALL = 2**7 - 1
_BITS = {
    "null": _NULL,
    "boolean": _BOOLEAN,
    "string": _STRING,
    "integer": _INTEGER,
    "number": _NUMBER,
    "array": _ARRAY,
    "object": _OBJECT,
}
_TEXTS = frozenset({"minLength", "maxLength", "pattern", "format"})
_BOUNDS = frozenset({"minimum", "maximum"})
_ITEMS = frozenset({"items", "minItems", "maxItems"})
_MEMBERS = frozenset({"properties", "required", "additionalProperties"})
_LISTS = frozenset({"enum", "const"})
_SHAPES = _TEXTS | _BOUNDS | _ITEMS | _MEMBERS  # what the bits of a type decide about
_PLAIN = _SHAPES | _LISTS | {"type", "anyOf", "$ref"}
_CAREFUL = frozenset(name for name, row in KEYWORDS.items() if row.column != "annotation" and name not in _PLAIN)
_CAREFUL_OLD = _CAREFUL | {"const"}  # of drafts that do not know it
_BESIDE_REFERENCE = frozenset(name for name, row in KEYWORDS.items() if row.column != "annotation") - {"$ref"}
_ONE = Decimal(1)
_WHOLE = (NumberRange(multiple=_ONE),)
_ANY_OBJECTS, _ANY_ARRAYS = (ANY_OBJECT,), (ANY_ARRAY,)
_ANY_KEYS = ANY_OBJECT.others


def _free(bits: int) -> Values:
    """All values of some types."""
    return Values(
        bool(bits & _NULL),
        bool(bits & _BOOLEAN),
        bool(bits & _BOOLEAN),
        ALL_TEXTS if bits & _STRING else NO_TEXTS,
        ALL_NUMBERS if bits & _FRACTION else _WHOLE if bits & _INTEGER else (),
        _ANY_ARRAYS if bits & _ARRAY else (),
        _ANY_OBJECTS if bits & _OBJECT else (),
    )


_FREE = {bits: _free(bits) for bits in range(1 << 7)}
_FREE[_ALL] = ALL_VALUES


class PlainReader:
    """Reads the plain places of one schema. made: at most so many sets are terms for the full reader alone."""

    def __init__(self, normalizer: Normalizer, references: References, dialect: Dialect, options: Options) -> None:
        limits = options.limits
        self._limits = limits
        self._normalizer = normalizer
        self._terms = normalizer.terms
        self._references = references
        self._ids = frozenset(references.id_keywords)
        self._only_reference = dialect.reference_hides_siblings
        self._careful = _CAREFUL_OLD if dialect.declared and dialect.draft < 6 else _CAREFUL
        self._most_listed = limits.enum_members
        self._closed = (KeyClass(ALL_TEXTS, self._terms.false),)
        self.made = len(_FREE)
        self._lengths: dict[tuple[int, int | None], Texts] = {(0, None): ALL_TEXTS}

    def read(self, place: Place) -> Values | None:
        """The values of a plain schema; None for any other. Raises what reading the schemas that it leads to at once
        (`$ref`, `anyOf`) raises."""
        schema = place.schema
        if type(schema) is not dict or not self._careful.isdisjoint(schema):
            return None
        if not self._ids.isdisjoint(schema):
            place = self._references.enter(place)
        if "$ref" in schema:
            if not self._only_reference and not _BESIDE_REFERENCE.isdisjoint(schema):
                return None
            return self._normalizer.values(self._terms.place(self._references.resolve(place)))
        bits = _types(schema)
        if not bits:
            return None
        if _SHAPES.isdisjoint(schema) and _LISTS.isdisjoint(schema):
            values: Values | None = _FREE[bits]
        else:
            self.made += 1
            values = self._shaped(place, schema, bits) if _LISTS.isdisjoint(schema) else self._listed(schema, bits)
        if values is not None and "anyOf" in schema:
            return self._with_branches(place, schema, values)
        return values

    def _listed(self, schema: dict[str, Json], bits: int) -> Values | None:
        """`enum` and `const` of strings, booleans and null."""
        members = schema["enum"] if "enum" in schema else [schema["const"]]
        if type(members) is not list or len(members) > self._most_listed or _LISTS.issubset(schema):
            return None
        if not _SHAPES.isdisjoint(schema) and (bits != _STRING or not _TEXTS.isdisjoint(schema)):
            return None
        found: dict[str, None] = {}
        null = true = false = False
        for member in members:
            if type(member) is str:
                found[member] = None
            elif member is None:
                null = bits & _NULL > 0
            elif member is True:
                true = bits & _BOOLEAN > 0
            elif member is False:
                false = bits & _BOOLEAN > 0
            else:
                return None
        return Values(null, true, false, Texts(tuple(found)) if bits & _STRING else NO_TEXTS)

    def _with_branches(self, place: Place, schema: dict[str, Json], own: Values) -> Values | None:
        branches = schema["anyOf"]
        if type(branches) is not list or not branches:
            return None
        prefix, base, terms = f"{place.pointer}/anyOf/", place.base, self._terms
        term = terms.any_of([terms.at(branch, f"{prefix}{i}", base) for i, branch in enumerate(branches)])
        if term is terms.true:
            return own
        if term is terms.false:
            return NO_VALUES
        if own is not ALL_VALUES:
            term = terms.all_of((terms.values(own), term))
        return self._normalizer.values(term)

    def _shaped(self, place: Place, schema: dict[str, Json], bits: int) -> Values | None:
        free = _FREE[bits]
        texts, numbers, arrays, objects = free.texts, free.numbers, free.arrays, free.objects
        doubt = None
        if bits & _STRING and not _TEXTS.isdisjoint(schema):
            found = self._texts(place, schema)
            if found is None:
                return None
            texts, doubt = found
        if bits & _INTEGER and not _BOUNDS.isdisjoint(schema):
            range_ = _numbers(schema, None if bits & _FRACTION else _ONE)
            if range_ is None:
                return None
            numbers = (range_,)
        if bits & _ARRAY and not _ITEMS.isdisjoint(schema):
            array = self._array(place, schema)
            if array is None:
                return None
            arrays = (array,)
        if bits & _OBJECT and not _MEMBERS.isdisjoint(schema):
            records = self._objects(place, schema)
            if records is None:
                return None
            objects = records
        return Values(free.null, free.true, free.false, texts, numbers, arrays, objects, doubt)

    def _texts(self, place: Place, schema: dict[str, Json]) -> tuple[Texts, Doubt | None] | None:
        """A pattern, a format or lengths; not several of them."""
        if "pattern" in schema:
            pattern = schema["pattern"]
            if type(pattern) is not str or "format" in schema or "minLength" in schema or "maxLength" in schema:
                return None
            return pattern_texts(pattern, limits=self._limits, pointer=place.at("pattern")), None
        if "format" in schema:
            name = schema["format"]
            if type(name) is not str or "minLength" in schema or "maxLength" in schema:
                return None
            known = format_texts(name)
            return (ALL_TEXTS, None) if known is None else (known.texts, format_doubt(known))
        counted = self._counted(schema)
        return None if counted is None else (counted, None)

    def _counted(self, schema: dict[str, Json]) -> Texts | None:
        low, high = schema.get("minLength", 0), schema.get("maxLength", MOST_CHARACTERS)
        if type(low) is not int or type(high) is not int or not 0 <= low <= high <= MOST_CHARACTERS or not high:
            return None
        key = low, high if "maxLength" in schema else None
        texts = self._lengths.get(key)
        if texts is None:
            texts = self._lengths[key] = Texts(None, Repeat(ANY_CHARACTER, *key))
        return texts

    def _array(self, place: Place, schema: dict[str, Json]) -> ArrayRecord | None:
        low, high = schema.get("minItems", 0), schema.get("maxItems", _END)
        if type(low) is not int or type(high) is not int or not 0 <= low <= high:
            return None
        terms = self._terms
        rest: Term | None = None
        if "items" in schema:
            items = schema["items"]
            rest = None if type(items) is list else terms.at(items, f"{place.pointer}/items", place.base)
            if type(items) is list or rest is terms.false:
                return None
            if rest is terms.true:
                rest = None
        if rest is None and not low and high is _END:
            return ANY_ARRAY
        return ArrayRecord((), rest, low, None if high is _END else high)

    def _objects(self, place: Place, schema: dict[str, Json]) -> tuple[ObjectRecord, ...] | None:
        terms, base = self._terms, place.base
        required = schema.get("required", _NO_NAMES)
        declared = schema.get("properties", _NO_MEMBERS)
        if type(required) is not list or type(declared) is not dict:
            return None
        try:
            left = dict.fromkeys(required)
        except TypeError:
            return None
        others, additional = _ANY_KEYS, terms.true
        if "additionalProperties" in schema:
            additional = terms.at(schema["additionalProperties"], f"{place.pointer}/additionalProperties", base)
            if additional is terms.false:
                others = self._closed
            elif additional is not terms.true:
                others = (KeyClass(ALL_TEXTS, additional),)
        properties = []
        prefix = f"{place.pointer}/properties/"
        at = terms.at
        for key, inner in declared.items():
            name = escape_token(key) if "~" in key or "/" in key else key
            value = at(inner, prefix + name, base)
            if key in left:
                del left[key]
                if value is terms.false:
                    return None
                properties.append(Property(key, value, True))
            else:
                properties.append(Property(key, value, False))
        for undeclared in left:
            if type(undeclared) is not str or additional is terms.false:
                return None
            properties.append(Property(undeclared, additional, True))
        if not properties and others is _ANY_KEYS:
            return _ANY_OBJECTS
        return (ObjectRecord(tuple(properties), others),)


_END = 2**512  # no bound
_NO_NAMES: Json = []
_NO_MEMBERS: Json = {}


def _types(schema: dict[str, Json]) -> int:
    """The types of a schema, as bits; 0 where they are malformed."""
    if "type" not in schema:
        return _ALL
    declared = schema["type"]
    if type(declared) is str:
        return _BITS.get(declared, 0)
    if type(declared) is not list:
        return 0
    bits = 0
    for name in declared:
        bit = _BITS.get(name, 0) if type(name) is str else 0
        if not bit:
            return 0
        bits |= bit
    return bits


def _numbers(schema: dict[str, Json], multiple: Decimal | None) -> NumberRange | None:
    """Whole bounds, or any that are far apart."""
    low, high = schema.get("minimum"), schema.get("maximum")
    for bound, keyword in ((low, "minimum"), (high, "maximum")):
        if type(bound) is not int and (bound is not None or keyword in schema):
            return None
    if low is not None and high is not None and not low < high:  # type: ignore[operator]  # both are int
        return None
    return NumberRange(
        None if low is None else Decimal(low),  # type: ignore[arg-type]
        None if high is None else Decimal(high),  # type: ignore[arg-type]
        multiple=multiple,
    )
