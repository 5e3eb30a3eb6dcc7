"""Slots: the strings of a schema that are said at run time, and the schema with a mark in the place of each.

    {"type": "string", "x-source": {"doc": "document"}, "maxLength": 40}     a copy from a document
    {"type": "string", "x-grammar": "calc-equation/1"}                       an expression and its value

A mark is a constant string that no other string of the schema can be. So everything that a schema can do with a
constant (`anyOf`, references, both profiles) it can do with a slot, and its grammar is compiled once, whatever
documents come; see `mask.slotted_source` for how a filler takes the place of the mark. You need it to hold a model to
copies; the same keywords are checked afterwards without it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..errors import GrammarError, SchemaError
from ..limits import DEFAULT_LIMITS, Limits
from .profile import KEYWORDS
from .schema import Json, escape_token, read_schema

__all__ = ["FREE_MARK", "Slot", "SlotKind", "SlottedSchema", "find_slots", "mark_of"]

SlotKind = Literal["copy", "equation"]

_HEAD = "\U0010ffff"  # a noncharacter, which no text should hold
_RESERVED = "\U00100000"  # strings of a schema with slots stay below
_MOST_SLOTS = 4_096
_EQUATION = "calc-equation/1"
_TEXT_KEYWORDS = ("pattern", "format", "enum", "const")
_LENGTHS = ("minLength", "maxLength")
_APPLICATORS = ("$ref", "$dynamicRef", "$recursiveRef", "anyOf", "oneOf", "allOf", "not", "if")
# Where a schema is one of several that all have a say about one value, a constant is no stand-in for a language.
_SEVERAL = ("allOf", "not", "if", "then", "else", "contains", "dependentSchemas", "dependencies")
_ONE = (
    "items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "not", "if",
    "then", "else", "contains",
)  # fmt: skip
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
_OF_STRINGS = frozenset(("x-source", "x-grammar", *_LENGTHS, "pattern", "format"))


def mark_of(slot: int) -> bytes:
    """The constant that stands for a slot, between its quotes."""
    return (_HEAD + chr(0xF0000 + slot)).encode("utf-8")


FREE_MARK = mark_of(0xFFF0)
"""No slot's: where it may stand, any string may."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One language of strings. kind: "copy" or "equation". pointers: the places of the schema where it stands.

    source: the argument of `x-source`. low, high: its lengths. others: what else the schema says about the string.
    """

    kind: SlotKind
    pointers: tuple[str, ...]
    source: dict[str, Any] = field(default_factory=dict)
    low: int | None = None
    high: int | None = None
    others: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SlottedSchema:
    """A schema and its slots. Make it with `find_slots`."""

    slots: tuple[Slot, ...]
    _tree: Json
    _walk: _Walk

    def schema(self, without: Collection[int] = ()) -> Json:
        """The schema with a mark in each slot, and with nothing at all in those of `without`."""
        return self._walk.run(self._tree, frozenset(without))[0]

    def __repr__(self) -> str:
        return f"<SlottedSchema {len(self.slots)} slots>"


def find_slots(schema: Any, *, copies: bool, profile: str = "strict", limits: Limits = DEFAULT_LIMITS) -> SlottedSchema:
    """The slots of a schema that the profile has accepted; none where it has no such strings.

    copies: whether strings with `x-source` are slots; equations always are. Raises SchemaError
    SCHEMA_KEYWORD_UNSUPPORTED where such a string stands in a place where a mark cannot stand for it.
    """
    tree = read_schema(schema, limits)
    walk = _Walk(copies, profile == "strict")
    slots = walk.run(tree, frozenset())[1]
    if slots and any(character >= _RESERVED for character in _text_of(tree)):
        raise SchemaError("SCHEMA_SYNTAX", pointer="", what="a schema with slots has no characters above U+FFFFF")
    return SlottedSchema(slots, tree, walk)


def _text_of(tree: Json) -> str:
    return json.dumps(tree, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class _Walk:
    """How schemas are read: which keywords make slots, and what a string without `type` is."""

    copies: bool
    strict: bool

    def run(self, tree: Json, without: frozenset[int]) -> tuple[Json, tuple[Slot, ...]]:
        """The schema with marks, and the slots in the order of the marks."""
        pass_ = _Pass(self, without)
        return pass_.value(tree, "", ""), tuple(pass_.slots())

    def kind_of(self, schema: dict[str, Json]) -> SlotKind | None:
        """What slot a schema is, if it is one."""
        if not self.types_of(schema) & {"string"}:
            return None
        if schema.get("x-grammar") == _EQUATION:
            return "equation"
        return "copy" if self.copies and "x-source" in schema else None

    def has_free_strings(self, schema: Json) -> bool:
        """Whether a schema allows strings that it does not list, as far as is seen without following references."""
        if not isinstance(schema, dict):
            return bool(schema)
        if schema.keys() & {"enum", "const", *_APPLICATORS}:
            return False
        if "type" in schema or not self.strict:
            return "string" in self.types_of(schema)
        return all(KEYWORDS[name].types & {"string"} for name in schema if name in KEYWORDS)

    def types_of(self, schema: dict[str, Json]) -> frozenset[str]:
        """The types that a schema declares. Without `type` the keywords of slots mean strings in the strict profile."""
        declared = schema.get("type", "string" if self.strict else list(_TYPES))
        return frozenset(str(name) for name in (declared if isinstance(declared, list) else [declared]))


class _Pass:
    """One walk through a schema. The recursion is as deep as the schema, which is bounded."""

    def __init__(self, walk: _Walk, without: frozenset[int]) -> None:
        self._walk = walk
        self._without = without
        self._numbers: dict[str, int] = {}
        self._found: list[tuple[Slot, list[str]]] = []

    def slots(self) -> Iterator[Slot]:
        """What was found so far."""
        for slot, pointers in self._found:
            yield replace(slot, pointers=tuple(pointers))

    def value(self, schema: Json, pointer: str, inside: str) -> Json:
        """A schema with its slots marked. inside: the keyword that shares the value out among several schemas."""
        if not isinstance(schema, dict):
            return schema
        kind = self._walk.kind_of(schema)
        if kind is not None:
            keyword = "x-source" if kind == "copy" else "x-grammar"
            if inside:
                raise _unsupported(pointer, keyword, f"a copied or computed string cannot stand below {inside}")
            return self._slot(schema, kind, keyword, pointer)
        return {name: self._keyword(name, value, schema, f"{pointer}/{escape_token(name)}", inside)
                for name, value in schema.items()}  # fmt: skip

    def _keyword(self, name: str, value: Json, schema: dict[str, Json], pointer: str, inside: str) -> Json:
        if name in _SEVERAL and not (name == "allOf" and isinstance(value, list) and len(value) == 1):
            inside = name
        if isinstance(value, list) and name in _LISTS:
            if name in ("anyOf", "oneOf"):
                self._refuse_other_strings(value, pointer)
            return [self.value(item, f"{pointer}/{i}", inside) for i, item in enumerate(value)]
        if isinstance(value, dict) and name in _MAPS:
            return {key: self.value(item, f"{pointer}/{escape_token(key)}", inside) for key, item in value.items()}
        return self.value(value, pointer, inside) if name in _ONE else value

    def _refuse_other_strings(self, branches: list[Json], pointer: str) -> None:
        """Strings that are listed may stand beside a slot; of others its mark could be one."""
        kinds = [self._walk.kind_of(branch) if isinstance(branch, dict) else None for branch in branches]
        if not any(kinds):
            return
        for branch, kind in zip(branches, kinds, strict=True):
            if kind is None and self._walk.has_free_strings(branch):
                what = "other strings may stand in the place of a copied or computed one; list them with enum"
                raise _unsupported(pointer.rpartition("/")[0], pointer.rpartition("/")[2], what)

    def _slot(self, schema: dict[str, Json], kind: SlotKind, keyword: str, pointer: str) -> Json:
        for other in _APPLICATORS:
            if other in schema:
                raise _unsupported(pointer, keyword, f"it stands beside {other}; write one schema that says both")
        slot = Slot(kind, ())
        if kind == "copy":
            source: Any = schema["x-source"]
            low, high = (_count(schema.get(name)) for name in _LENGTHS)
            slot = Slot(kind, (), source, low, high, {name: schema[name] for name in _TEXT_KEYWORDS if name in schema})
        number = self._number(slot, pointer)
        marked: Json = False if number in self._without else {"const": mark_of(number).decode()}
        rest = self._other_types(schema)
        return marked if rest is None else {"anyOf": [marked, rest]}

    def _number(self, slot: Slot, pointer: str) -> int:
        key = _text_of([slot.kind, slot.source, slot.low, slot.high, slot.others])
        number = self._numbers.setdefault(key, len(self._found))
        if number == len(self._found):
            if number >= _MOST_SLOTS:
                raise GrammarError("GRAMMAR_SLOTS", what=f"there are more than {_MOST_SLOTS}")
            self._found.append((slot, []))
        self._found[number][1].append(pointer)
        return number

    def _other_types(self, schema: dict[str, Json]) -> Json:
        """What else the value may be, if not a string; None for nothing else."""
        types = self._walk.types_of(schema) - {"string"}
        if not types:
            return None
        rest: dict[str, Json] = {k: v for k, v in schema.items() if k not in _OF_STRINGS}
        rest["type"] = list[Json](sorted(types))
        for name in ("enum", "const"):
            listed = schema.get(name) if name == "enum" else [schema[name]] if name in schema else None
            if isinstance(listed, list):
                rest.pop(name, None)
                kept: list[Json] = [member for member in listed if not isinstance(member, str)]
                if not kept:
                    return None
                rest["enum"] = kept
        return rest


def _count(value: Json) -> int | None:
    return None if value is None else int(value)  # type: ignore[arg-type]  # the profile has accepted the schema


def _unsupported(pointer: str, keyword: str, what: str) -> SchemaError:
    return SchemaError("SCHEMA_KEYWORD_UNSUPPORTED", pointer=pointer, keyword=keyword, what=what)
