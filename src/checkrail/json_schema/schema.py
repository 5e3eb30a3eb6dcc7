"""Reading a schema: from text, bytes or Python data to one checked tree, and places within it.

The tree is plain data in which every float has become a `Decimal` with the digits that were written, so that
bounds and constants are exact. Hostile input ends here: depth, size, number range, duplicate keys, lone
surrogates and non-JSON values are refused before any keyword is looked at. Everything later may recurse as deep
as `Limits.schema_depth`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..errors import BudgetError, InputError, SchemaError
from ..limits import Limits
from .schema_text import Json, checked_number, checked_string, parse_schema, refuse_schema

__all__ = ["Json", "Place", "escape_token", "json_type", "read_document", "read_schema"]


@dataclass(slots=True)  # a frozen one takes twice as long to make, and there is one for each subschema
class Place:
    """One schema within the document. pointer: where it stands. base: the URI its references are relative to.
    scope: the dynamic scope in which it is read (see `dynamic`)."""

    schema: Json
    pointer: str
    base: str
    scope: int = 0

    @property
    def name(self) -> str:
        """What tells it from other places: the pointer, and the dynamic scope where there is one."""
        return f"{self.scope} {self.pointer}" if self.scope else self.pointer

    @property
    def keywords(self) -> dict[str, Json]:
        """The schema's members; raises SchemaError where it is neither an object nor a boolean."""
        if isinstance(self.schema, dict):
            return self.schema
        raise SchemaError("SCHEMA_SYNTAX", pointer=self.pointer, what="a schema is an object, true or false")

    def at(self, keyword: str) -> str:
        """The pointer of one of its keywords."""
        return f"{self.pointer}/{escape_token(keyword)}"

    def child(self, schema: Json, *tokens: str | int) -> Place:
        """A schema further down; `tokens` lead there."""
        pointer = self.pointer + "".join(f"/{escape_token(str(token))}" for token in tokens)
        return Place(schema, pointer, self.base, self.scope)

    def malformed(self, keyword: str, what: str) -> SchemaError:
        """The error for a keyword whose value is not what it must be."""
        return SchemaError("SCHEMA_SYNTAX", pointer=self.at(keyword), what=what)

    def conflict(self, what: str, keyword: str | None = None) -> SchemaError:
        """The error for constraints that nothing satisfies."""
        pointer = self.pointer if keyword is None else self.at(keyword)
        return SchemaError("SCHEMA_CONFLICT", pointer=pointer, what=what)

    def count(self, keyword: str) -> int | None:
        """A keyword whose value is a natural number; None when absent."""
        value = self.keywords.get(keyword)
        if value is None and keyword not in self.keywords:
            return None
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool) and value >= 0 and value == int(value):
            return int(value)
        raise self.malformed(keyword, "must be a whole number that is not negative")

    def number(self, keyword: str) -> Decimal | None:
        """A keyword whose value is a number; None when absent."""
        value = self.keywords.get(keyword)
        if value is None and keyword not in self.keywords:
            return None
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            return Decimal(value)
        raise self.malformed(keyword, "must be a number")

    def text(self, keyword: str) -> str | None:
        """A keyword whose value is a string; None when absent."""
        value = self.keywords.get(keyword)
        if value is None and keyword not in self.keywords:
            return None
        if isinstance(value, str):
            return value
        raise self.malformed(keyword, "must be a string")

    def names(self, keyword: str) -> tuple[str, ...]:
        """A keyword whose value is a list of strings, each once; empty when absent."""
        value = self.keywords.get(keyword, [])
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return tuple(dict.fromkeys(str(name) for name in value))
        raise self.malformed(keyword, "must be a list of property names")

    def schemas(self, keyword: str) -> tuple[Place, ...]:
        """The places in a keyword whose value is a list of schemas; empty when absent."""
        value = self.keywords.get(keyword, [])
        if isinstance(value, list):
            return tuple(self.child(schema, keyword, i) for i, schema in enumerate(value))
        raise self.malformed(keyword, "must be a list of schemas")

    def mapping(self, keyword: str) -> dict[str, Place]:
        """The places in a keyword whose value maps names to schemas; empty when absent."""
        value = self.keywords.get(keyword, {})
        if isinstance(value, dict):
            return {name: self.child(schema, keyword, name) for name, schema in value.items()}
        raise self.malformed(keyword, "must be an object of schemas")


def escape_token(token: str) -> str:
    """A token of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


def json_type(value: Json) -> str:
    """The name of a value's type; a number with a whole value is an integer, however it is written."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
        case int():
            return "integer"
        case Decimal():
            return "integer" if value == value.to_integral_value() else "number"


def read_schema(source: Any, limits: Limits) -> Json:
    """The schema as plain data.

    `source` is JSON text (str or bytes), or the data itself. Raises SchemaError where it is malformed, BudgetError
    beyond the limits, InputError for bytes that are not UTF-8.
    """
    return read_document(source, limits)[0]


def read_document(source: Any, limits: Limits) -> tuple[Json, bool]:
    """`read_schema`, and whether a part of the schema may have an id, or a reference that depends on ids."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        source = _decode(bytes(source))
    if isinstance(source, str):
        tree = parse_schema(source, limits)
        return tree, (
            '"$id"' in source
            or '"id"' in source
            or '"$dynamicRef"' in source
            or '"$recursiveRef"' in source
            or "\\u" in source
        )
    if isinstance(source, type) or hasattr(source, "model_json_schema") or hasattr(source, "json_schema"):
        refuse_schema("this is a Python type; pass its JSON Schema, or give the type to generate() and extract()")
    return _Copy(limits).value(source, 1), True


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("INPUT_ENCODING", name="The schema", offset=error.start) from None


class _Copy:
    """Copies data while checking it; the number of values is bounded, so shared or cyclic data ends too."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.expression_nodes

    def value(self, value: Any, depth: int) -> Json:
        """A checked copy of `value`, which stands `depth` levels down."""
        self._left -= 1
        if self._left < 0:
            raise BudgetError("GRAMMAR_BUDGET_NODES", pointer="", limit=self._limits.expression_nodes)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return checked_string(value)
        if isinstance(value, (int, float, Decimal)):
            return checked_number(value)
        if depth > self._limits.schema_depth:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer="", limit=self._limits.schema_depth)
        if isinstance(value, (list, tuple)):
            return [self.value(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {self._key(name): self.value(item, depth + 1) for name, item in value.items()}
        return refuse_schema(f"a value of type {type(value).__name__} is not JSON")

    @staticmethod
    def _key(name: Any) -> str:
        if not isinstance(name, str):
            refuse_schema(f"a key of type {type(name).__name__} is not JSON")
        return checked_string(name)
