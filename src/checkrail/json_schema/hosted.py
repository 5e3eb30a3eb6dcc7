"""What hosted models refuse in a schema: the rules of OpenAI's strict mode (`checkrail check --hosted openai`).

A schema that runs here may be meant to run there too. The rules are about spelling and size and say nothing about what
a schema means. They are those of OpenAI's guide to structured outputs as others quote it in 2026, and of errors that
its users report (`oneOf`, formats); nothing here was tried against the service, and it may have changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import SchemaError
from ..limits import DEFAULT_LIMITS, Limits
from .references import subschemas
from .schema import Place, read_schema

__all__ = ["hosted_faults"]

_REFUSED = ("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas")
_NOT_NAMED = (
    "propertyNames",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
)
_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_MOST_PROPERTIES = 5_000
_MOST_LEVELS = 10
_MOST_CHARACTERS = 120_000
_MOST_ENUM_VALUES = 1_000
_MANY_VALUES, _MOST_ENUM_CHARACTERS = 250, 15_000


def hosted_faults(schema: Any, *, limits: Limits = DEFAULT_LIMITS) -> list[SchemaError]:
    """What strict mode refuses in a schema (text, dict or bool), each with its place, in the order of the schema.

    Raises what reading a schema raises.
    """
    tree = read_schema(schema, limits)
    root = Place(tree, "", "")
    if not isinstance(tree, dict):
        return [_fault(root, "the root is an object schema")]
    found: list[SchemaError] = []
    if tree.get("type") != "object" or "anyOf" in tree:
        found.append(_fault(root, "the root has the type object, and no anyOf"))
    counts = _Counts()
    pending = [root]
    while pending:
        place = pending.pop()
        pending += reversed(list(subschemas(place)))
        if isinstance(place.schema, dict):
            found += _of_place(place)
            counts.add(place)
    return found + list(counts.faults(root)) + list(_too_deep(root))


def _fault(place: Place, what: str, keyword: str | None = None) -> SchemaError:
    return SchemaError("LINT_HOSTED", pointer=place.pointer if keyword is None else place.at(keyword), what=what)


def _of_place(place: Place) -> Iterator[SchemaError]:
    schema = place.keywords
    for keyword in (*_REFUSED, *_NOT_NAMED):
        if keyword in schema:
            what = "is not supported" if keyword in _REFUSED else "is not among the keywords that are supported"
            yield _fault(place, f"{keyword} {what}", keyword)
    if "format" in schema and schema["format"] not in _FORMATS:
        yield _fault(place, "this format is not supported", "format")
    types = schema.get("type")
    if "properties" in schema or types == "object" or (isinstance(types, list) and "object" in types):
        if schema.get("additionalProperties") is not False:
            yield _fault(place, "an object has additionalProperties: false")
        required = schema.get("required")
        names = required if isinstance(required, list) else []
        missing = [name for name in place.mapping("properties") if name not in names]
        if missing:
            what = f"every property is required; {', '.join(missing[:5])} may be null instead of absent"
            yield _fault(place, what, "required" if "required" in schema else None)


class _Counts:
    """Sizes of the whole schema."""

    def __init__(self) -> None:
        self._properties = self._characters = self._values = 0
        self._long: list[Place] = []

    def add(self, place: Place) -> None:
        schema = place.keywords
        for keyword in ("properties", "$defs", "definitions"):
            names = schema.get(keyword)
            if isinstance(names, dict):
                self._properties += len(names) if keyword == "properties" else 0
                self._characters += sum(map(len, names))
        values = schema.get("enum")
        listed = values if isinstance(values, list) else []
        texts = [value for value in (*listed, schema.get("const")) if isinstance(value, str)]
        size = sum(map(len, texts))
        self._characters += size
        self._values += len(listed)
        if len(listed) > _MANY_VALUES and size > _MOST_ENUM_CHARACTERS:
            self._long.append(place)

    def faults(self, root: Place) -> Iterator[SchemaError]:
        for count, most, what in (
            (self._properties, _MOST_PROPERTIES, "properties"),
            (self._characters, _MOST_CHARACTERS, "characters in names and values"),
            (self._values, _MOST_ENUM_VALUES, "values in all enums"),
        ):
            if count > most:
                yield _fault(root, f"at most {most:,} {what} are allowed; here are {count:,}")
        for place in self._long:
            what = f"an enum of more than {_MANY_VALUES} values may have {_MOST_ENUM_CHARACTERS:,} characters"
            yield _fault(place, what, "enum")


def _too_deep(root: Place) -> Iterator[SchemaError]:
    """Objects and arrays that are written within one another on more levels than are allowed; the first one."""
    pending = [(root, 0)]
    while pending:
        place, level = pending.pop()
        if isinstance(place.schema, dict):
            level += "properties" in place.schema or "items" in place.schema
            if level > _MOST_LEVELS:
                yield _fault(place, f"at most {_MOST_LEVELS} levels of nesting are allowed")
                return
        pending += [(inner, level) for inner in subschemas(place)]
