"""References inside one schema document: by pointer, by anchor and by relative URI, with `$id` and its relatives.

Only what is in the document can be reached; nothing is ever fetched. A reference that leads nowhere, or out of the
document, is a `SchemaError` with code SCHEMA_REF. So is a cycle on one value (`{"$ref": "#"}`), which would never end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn
from urllib.parse import unquote, urljoin

from ...errors import SchemaError
from ..pointers import split
from .dynamic import DynamicReference
from .keywords import KEYWORDS
from .subschema import Subschema

__all__ = ["Resources", "is_legacy", "refuse_cycles", "unknown_words"]

_RECURSIVE = ""
"""The name under which `$recursiveAnchor` stands among the dynamic anchors."""

_DRAFTS = {
    "json-schema.org/draft-04/schema": True,
    "json-schema.org/draft-06/schema": True,
    "json-schema.org/draft-07/schema": True,
    "json-schema.org/draft/2019-09/schema": False,
    "json-schema.org/draft/2020-12/schema": False,
    "json-schema.org/schema": False,
}
_DYNAMIC = {
    "json-schema.org/draft/2019-09/schema": "$recursiveRef",
    "json-schema.org/draft/2020-12/schema": "$dynamicRef",
    "json-schema.org/schema": "$dynamicRef",
}


def is_legacy(raw: Any) -> bool:
    """True if `$schema` names draft 4, 6 or 7, in which `$ref` overrides the keywords beside it."""
    uri = raw.get("$schema") if isinstance(raw, dict) else None
    if uri is None:
        return False
    name = uri.removesuffix("#").partition("://")[2] if isinstance(uri, str) else ""
    if name not in _DRAFTS:
        raise SchemaError(
            "SCHEMA_KEYWORD_UNSUPPORTED",
            pointer="/$schema",
            keyword="$schema",
            what="it names no known draft; write https://json-schema.org/draft/2020-12/schema",
        )
    return _DRAFTS[name]


def unknown_words(raw: Any) -> frozenset[str]:
    """The references that the draft which `$schema` names does not have: each draft spells dynamic ones its own way."""
    uri = raw.get("$schema") if isinstance(raw, dict) else None
    if not isinstance(uri, str):
        return frozenset()
    return frozenset({"$dynamicRef", "$recursiveRef"} - {_DYNAMIC.get(uri.removesuffix("#").partition("://")[2], "")})


class Resources:
    """The schemas that have a URI of their own, and the anchors in each."""

    def __init__(self, raw: Any) -> None:
        self._roots: dict[str, Subschema] = {}
        self._anchors: dict[tuple[str, str], Subschema] = {}
        self._dynamic: dict[str, dict[str, Subschema]] = {}  # name of the anchor -> URI -> schema
        self._legacy = is_legacy(raw)
        self._id = "id" if self._legacy and "draft-04" in raw["$schema"] else "$id"

    def declare(self, schema: Subschema) -> None:
        """Note the names that a schema object gives itself; its base URI changes with its `$id`."""
        own = schema.raw.get(self._id)
        if isinstance(own, str) and not (self._legacy and "$ref" in schema.raw):
            uri, _, fragment = _join(schema.base, own).partition("#")
            if uri != schema.base:
                schema.base = uri
                self._roots.setdefault(uri, schema)
            if fragment:
                self._anchors[schema.base, fragment] = schema
        if schema.parent is None:
            self._roots[""] = self._roots[schema.base] = schema
        for word in ("$anchor", "$dynamicAnchor"):
            anchor = schema.raw.get(word)
            if isinstance(anchor, str):
                self._anchors[schema.base, anchor] = schema
                if word == "$dynamicAnchor":
                    self._dynamic.setdefault(anchor, {}).setdefault(schema.base, schema)
        if schema.raw.get("$recursiveAnchor") is True and self._roots.get(schema.base) is schema:
            self._dynamic.setdefault(_RECURSIVE, {}).setdefault(schema.base, schema)

    def dynamic(self, word: str, written: str, initial: Subschema) -> DynamicReference:
        """What a dynamic reference means. written: its value. initial: what `$ref` would lead to."""
        name = _RECURSIVE if word == "$recursiveRef" else unquote(written.partition("#")[2])
        candidates = self._dynamic.get(name, {})
        return DynamicReference(initial, candidates if initial in candidates.values() else {})

    def dynamic_names(self) -> Mapping[str, frozenset[str]]:
        """The names of the dynamic anchors of each resource that has any."""
        names: dict[str, set[str]] = {}
        for name, schemas in self._dynamic.items():
            for uri in schemas:
                names.setdefault(uri, set()).add(name)
        return {uri: frozenset(found) for uri, found in names.items()}

    def target(
        self, schema: Subschema, word: str, known: dict[int, Subschema]
    ) -> tuple[Subschema, Any, tuple[str | int, ...]]:
        """Where a reference of `schema` leads: the nearest known schema, the data there, and the way between."""
        uri, _, fragment = _join(schema.base, schema.arguments[word]).partition("#")
        nearest = self._roots.get(uri)
        if nearest is None:
            _fail(schema, "it leaves this schema, and nothing is fetched", word)
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            if (uri, fragment) not in self._anchors:
                _fail(schema, "there is no such anchor", word)
            nearest = self._anchors[uri, fragment]
            fragment = ""
        try:
            return _follow(nearest, split(fragment), known)
        except (LookupError, ValueError):
            _fail(schema, "there is nothing at that pointer", word)


def _join(base: str, reference: str) -> str:
    """`urljoin` that also knows fragments of URNs and other opaque URIs."""
    if not reference.startswith("#"):
        try:
            return urljoin(base, reference)
        except ValueError:  # for example an unfinished IPv6 address
            return reference
    return base + reference


def _follow(
    nearest: Subschema, way: list[str], known: dict[int, Subschema]
) -> tuple[Subschema, Any, tuple[str | int, ...]]:
    data = nearest.raw
    tokens: list[str | int] = []
    for token in way:
        step: str | int = token
        if isinstance(data, list):
            if not (token.isascii() and token.isdigit()) or (token[0] == "0" and token != "0"):
                raise LookupError(token)
            step = int(token)
        elif not isinstance(data, dict):
            raise LookupError(token)
        data = data[step]
        tokens.append(step)
        if id(data) in known:
            nearest, tokens = known[id(data)], []
    return nearest, data, tuple(tokens)


def refuse_cycles(schemas: list[Subschema]) -> None:
    """Refuse a schema that applies itself to the same value: depth-first search over those applications."""
    finished: set[int] = set()
    for start in schemas:
        path: dict[int, Iterator[Subschema]] = {}
        stack = [start] if start.number not in finished else []
        while stack:
            schema = stack[-1]
            following = next(path.setdefault(schema.number, _applied_in_place(schema)), None)
            if following is None:
                finished.add(schema.number)
                del path[schema.number]
                stack.pop()
            elif following.number in path:
                _fail(following, "it leads back to itself without going deeper into the value")
            elif following.number not in finished:
                stack.append(following)


def _applied_in_place(schema: Subschema) -> Iterator[Subschema]:
    for word, argument in schema.arguments.items():
        if KEYWORDS[word].in_place:
            if isinstance(argument, Subschema):
                yield argument
            elif isinstance(argument, DynamicReference):
                yield from argument.targets()
            elif isinstance(argument, list):
                yield from argument
            else:
                yield from (item for item in argument.values() if isinstance(item, Subschema))


def _fail(schema: Subschema, what: str, word: str = "$ref") -> NoReturn:
    where = schema.pointer + (f"/{word}" if word in schema.arguments else "")
    raise SchemaError("SCHEMA_REF", pointer=where, what=what)
