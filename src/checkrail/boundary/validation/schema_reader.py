"""From a JSON Schema as data to `Subschema`: every argument checked and converted once, every reference resolved.

You need this to check many values under one schema: read it once and pass the result to `validate`. Errors in
a schema come out here, before any value is seen, each a `SchemaError` with the JSON pointer of its place.

The language is draft 2020-12, plus the older spellings that mean the same (`$recursiveRef`, `items`
with a list, `additionalItems`, `dependencies`, `definitions`, boolean `exclusiveMinimum`). Schemas are read from a
work list, so depth does not matter; the cost is O(size of the schema).

The compiler of masks reads schemas on its own. That is on purpose: the validator is the second opinion on what
the mask let through, so the two share no reading of the standard.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NoReturn

from ...errors import DocumentError, Error, SchemaError
from ...limits import DEFAULT_LIMITS
from ..binding.derived import Derivation, read_derivations
from ..binding.source_rule import read_source_rule
from ..document import document_from_value
from ..pointers import escape, join
from ..strictjson import parse
from .exact import Exact
from .formats import FORMATS, GRAMMARS
from .identity import identity
from .keywords import KEYWORDS
from .keywords_object import PatternSchema
from .keywords_value import Format
from .patterns import Matches, is_pattern, matches
from .references import Resources, is_legacy, refuse_cycles, unknown_words
from .subschema import Subschema

__all__ = ["read_schema"]

_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_TEXT_DEPTH = 1_000  # brackets within one another in a schema that is given as text


def read_schema(
    schema: Subschema | dict[str, Any] | bool | str | bytes,
    *,
    format_assertion: bool = True,
    matches: Matches = matches,
) -> Subschema:
    """Read a schema: a dict, a boolean, or its JSON text.

    format_assertion: check `format`; without it, it is an annotation. matches: the regular expression matcher.
    Raises `SchemaError`: SCHEMA_SYNTAX, SCHEMA_REF, SCHEMA_KEYWORD_UNSUPPORTED.
    """
    if isinstance(schema, Subschema):
        return schema
    if isinstance(schema, (str, bytes)):
        try:
            raw: Any = parse(
                schema, max_depth=_TEXT_DEPTH, max_bytes=DEFAULT_LIMITS.schema_bytes, big_integers=True
            ).value
        except DocumentError as error:
            raise SchemaError("SCHEMA_SYNTAX", position=error.position, pointer="", what=error.message) from None
    else:
        raw = schema
    return _SchemaReader(raw, format_assertion, matches).read()


class _SchemaReader:
    """One schema document being read; `waiting` holds the subschemas whose keywords are not read yet."""

    def __init__(self, raw: Any, format_assertion: bool, matches: Matches) -> None:
        self.raw = raw
        self.format_assertion = format_assertion
        self.matches = matches
        self.known: dict[int, Subschema] = {}  # by the identity of the schema object, for references
        self.subschemas = 0
        self.waiting: deque[Subschema] = deque()
        self.references: list[tuple[Subschema, str]] = []
        self.dynamic: list[tuple[Subschema, str, str]] = []  # with what was written
        self.resources = Resources(raw)
        self.legacy = is_legacy(raw)
        self.unknown = unknown_words(raw)

    def read(self) -> Subschema:
        root = self.subschema(self.raw, None, ())
        everything = []
        while self.waiting or self.references:
            while self.waiting:
                everything.append(self.waiting.popleft())
                self.fill(everything[-1])
            while self.references:
                self.resolve(*self.references.pop())
        for schema, word, written in self.dynamic:  # now that all anchors are known
            schema.arguments[word] = self.resources.dynamic(word, written, schema.arguments[word])
        if self.dynamic:
            root.dynamic = self.resources.dynamic_names()
        refuse_cycles(everything)
        return root

    def subschema(self, raw: Any, parent: Subschema | None, tokens: tuple[str | int, ...]) -> Subschema:
        """The subschema of `raw`, which is read later."""
        base = parent.base if parent else ""
        schema = Subschema(self.subschemas, raw, parent, tokens, base)
        self.subschemas += 1
        if isinstance(raw, dict):
            self.refuse_containing_itself(schema)
            self.known.setdefault(id(raw), schema)
            self.resources.declare(schema)
            self.waiting.append(schema)
        elif not isinstance(raw, bool):
            self.fail(schema, "a schema is an object or a boolean")
        return schema

    def refuse_containing_itself(self, schema: Subschema) -> None:
        """Python data can be a cycle, which JSON text cannot. A dict in several places is several schemas."""
        if id(schema.raw) in self.known:
            ancestor = schema.parent
            while ancestor is not None:
                if ancestor.raw is schema.raw:
                    self.fail(schema, "the schema contains itself; write a $ref")
                ancestor = ancestor.parent

    def fill(self, schema: Subschema) -> None:
        """Read the keywords of one schema."""
        raw = schema.raw
        for key in raw:
            if not isinstance(key, str):
                self.fail(schema, "a keyword is a string")
        only_reference = self.legacy and "$ref" in raw
        for word, keyword in KEYWORDS.items():
            if word not in raw or word in self.unknown:
                continue
            if only_reference and word not in ("$ref", "$defs", "definitions"):
                continue
            argument = getattr(self, keyword.argument)(raw[word], schema, word)
            if argument is not None:
                schema.arguments[word] = argument

    def resolve(self, schema: Subschema, word: str) -> None:
        """Put the target in place of the URI of a reference."""
        nearest, raw, tokens = self.resources.target(schema, word, self.known)
        schema.arguments[word] = self.subschema(raw, nearest, tokens) if tokens else nearest

    # Readers of arguments, named in the table of keywords. None means: nothing to apply.

    def schema(self, raw: Any, schema: Subschema, word: str) -> Subschema:
        return self.subschema(raw, schema, (word,))

    def schemas(self, raw: Any, schema: Subschema, word: str) -> list[Subschema]:
        if not isinstance(raw, list) or not raw:
            self.fail(schema, f"{word} is a list of schemas, and not empty", word)
        return [self.subschema(item, schema, (word, position)) for position, item in enumerate(raw)]

    def schema_map(self, raw: Any, schema: Subschema, word: str) -> dict[str, Subschema]:
        return {name: self.subschema(item, schema, (word, name)) for name, item in self.members(raw, schema, word)}

    def pattern_map(self, raw: Any, schema: Subschema, word: str) -> list[PatternSchema]:
        return [
            PatternSchema(self.pattern(pattern, schema, word, pattern), self.subschema(item, schema, (word, pattern)))
            for pattern, item in self.members(raw, schema, word)
        ]

    def items(self, raw: Any, schema: Subschema, word: str) -> Subschema | list[Subschema]:
        if isinstance(raw, list):
            return [self.subschema(item, schema, (word, position)) for position, item in enumerate(raw)]
        return self.subschema(raw, schema, (word,))

    def dependencies(self, raw: Any, schema: Subschema, word: str) -> dict[str, tuple[str, ...] | Subschema]:
        return {
            name: self.names(need, schema, word)
            if isinstance(need, list)
            else self.subschema(need, schema, (word, name))
            for name, need in self.members(raw, schema, word)
        }

    def reference(self, raw: Any, schema: Subschema, word: str) -> str:
        if not isinstance(raw, str):
            self.fail(schema, f"{word} is a string", word)
        self.references.append((schema, word))
        if word != "$ref":
            self.dynamic.append((schema, word, raw))
        return raw

    def types(self, raw: Any, schema: Subschema, word: str) -> tuple[str, ...]:
        names = (raw,) if isinstance(raw, str) else raw
        if not isinstance(names, (list, tuple)) or not names or any(name not in _TYPES for name in names):
            self.fail(schema, f"type is one of {', '.join(_TYPES)}, or a list of them", word)
        return tuple(names)

    def values(self, raw: Any, schema: Subschema, word: str) -> frozenset[bytes]:
        if not isinstance(raw, list):
            self.fail(schema, "enum is a list", word)
        return frozenset(self.value(item, schema, word) for item in raw)

    def value(self, raw: Any, schema: Subschema, word: str) -> bytes:
        try:
            return identity(document_from_value(raw).root)
        except DocumentError as error:
            self.fail(schema, error.message, word)

    def count(self, raw: Any, schema: Subschema, word: str) -> int:
        whole = isinstance(raw, int) or (isinstance(raw, float) and raw.is_integer())
        if not whole or isinstance(raw, bool) or raw < 0:
            self.fail(schema, f"{word} is an integer, zero or above", word)
        return int(raw)

    def number(self, raw: Any, schema: Subschema, word: str) -> Exact:
        if isinstance(raw, bool) or not isinstance(raw, (int, float)):
            self.fail(schema, f"{word} is a number", word)
        return self.exact(raw, schema, word)

    def exclusive(self, raw: Any, schema: Subschema, word: str) -> Exact | None:
        return None if isinstance(raw, bool) else self.number(raw, schema, word)  # a boolean modifies its neighbour

    def positive(self, raw: Any, schema: Subschema, word: str) -> Exact:
        number = self.number(raw, schema, word)
        if number.coefficient <= 0:
            self.fail(schema, f"{word} is above zero", word)
        return number

    def exact(self, raw: int | float, schema: Subschema, word: str) -> Exact:
        try:
            return document_from_value(raw).root.exact
        except DocumentError:
            self.fail(schema, f"{word} is within the range of a double", word)

    def flag(self, raw: Any, schema: Subschema, word: str) -> bool:
        if not isinstance(raw, bool):
            self.fail(schema, f"{word} is true or false", word)
        return raw

    def names(self, raw: Any, schema: Subschema, word: str) -> tuple[str, ...]:
        if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
            self.fail(schema, f"{word} is a list of strings", word)
        return tuple(dict.fromkeys(raw))

    def names_map(self, raw: Any, schema: Subschema, word: str) -> dict[str, tuple[str, ...]]:
        return {name: self.names(needs, schema, word) for name, needs in self.members(raw, schema, word)}

    def pattern(self, raw: Any, schema: Subschema, *place: str) -> Callable[[str], bool]:
        word = place[0]
        if not isinstance(raw, str):
            self.fail(schema, f"{word} is a string", word)
        try:
            self.matches(raw, "")  # a bad pattern is an error of the schema, found now
        except Error as error:
            where = schema.pointer + join(place)
            if error.code == "GRAMMAR_SYNTAX":
                raise SchemaError("SCHEMA_SYNTAX", pointer=where, position=error.position, what=error.message) from None
            raise SchemaError(
                "SCHEMA_KEYWORD_UNSUPPORTED", pointer=where, position=error.position, keyword=word, what=error.message
            ) from None
        return partial(self.matches, raw)

    def format(self, raw: Any, schema: Subschema, word: str) -> Format | None:
        if not isinstance(raw, str):
            self.fail(schema, "format is a string", word)
        if not self.format_assertion:
            return None
        if raw == "regex":
            return Format(raw, is_pattern)
        return Format(raw, FORMATS[raw]) if raw in FORMATS else None

    def grammar(self, raw: Any, schema: Subschema, word: str) -> Format:
        if not isinstance(raw, str) or raw not in GRAMMARS:
            self.fail(schema, f"{word} is one of {', '.join(GRAMMARS)}", word)
        return Format(raw, GRAMMARS[raw], word)

    def source_rule(self, raw: Any, schema: Subschema, word: str) -> Any:
        types = schema.raw.get("type", "string")
        if types != "string" and not (isinstance(types, list) and "string" in types):
            self.fail(schema, f"{word} belongs on a string", word)
        return read_source_rule(raw, partial(self.fail, schema, word=word))

    def overlap(self, raw: Any, schema: Subschema, word: str) -> str:
        if raw != "forbid":
            self.fail(schema, f'{word} is "forbid"', word)
        return "forbid"

    def derivations(self, raw: Any, schema: Subschema, word: str) -> tuple[Derivation, ...]:
        return read_derivations(raw, partial(self.fail, schema, word=word))

    # Steps.

    def members(self, raw: Any, schema: Subschema, word: str) -> Iterable[tuple[str, Any]]:
        if not isinstance(raw, dict) or not all(isinstance(name, str) for name in raw):
            self.fail(schema, f"{word} is an object", word)
        return raw.items()

    def fail(self, schema: Subschema, what: str, word: str = "") -> NoReturn:
        where = schema.pointer + (f"/{escape(word)}" if word else "")
        raise SchemaError("SCHEMA_SYNTAX", pointer=where, what=what)
