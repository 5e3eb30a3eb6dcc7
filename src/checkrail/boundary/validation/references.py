"""References inside one schema document: `$id`, `$anchor`, `$ref` by pointer, by anchor and by relative URI.

Only what is in the document can be reached; nothing is ever fetched. A reference that leads nowhere, or out of the
document, is a `SchemaError` with code SCHEMA_REF. So is a cycle on one value (`{"$ref": "#"}`), which would never end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn
from urllib.parse import unquote, urljoin

from ...errors import SchemaError
from ..pointers import split
from .keywords import KEYWORDS
from .subschema import Subschema

__all__ = ["Resources", "is_legacy", "refuse_cycles"]

_DRAFTS = {
    "json-schema.org/draft-04/schema": True,
    "json-schema.org/draft-06/schema": True,
    "json-schema.org/draft-07/schema": True,
    "json-schema.org/draft/2019-09/schema": False,
    "json-schema.org/draft/2020-12/schema": False,
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


class Resources:
    """The schemas that have a URI of their own, and the anchors in each."""

    def __init__(self, raw: Any) -> None:
        self._roots: dict[str, Subschema] = {}
        self._anchors: dict[tuple[str, str], Subschema] = {}
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

    def target(self, schema: Subschema, known: dict[int, Subschema]) -> tuple[Subschema, Any, tuple[str | int, ...]]:
        """Where the `$ref` of `schema` leads: the nearest known schema, the data there, and the way between."""
        uri, _, fragment = _join(schema.base, schema.arguments["$ref"]).partition("#")
        nearest = self._roots.get(uri)
        if nearest is None:
            _fail(schema, "it leaves this schema, and nothing is fetched")
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            if (uri, fragment) not in self._anchors:
                _fail(schema, "there is no such anchor")
            nearest = self._anchors[uri, fragment]
            fragment = ""
        try:
            return _follow(nearest, split(fragment), known)
        except (LookupError, ValueError):
            _fail(schema, "there is nothing at that pointer")


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
            elif isinstance(argument, list):
                yield from argument
            else:
                yield from (item for item in argument.values() if isinstance(item, Subschema))


def _fail(schema: Subschema, what: str) -> NoReturn:
    where = schema.pointer + ("/$ref" if "$ref" in schema.arguments else "")
    raise SchemaError("SCHEMA_REF", pointer=where, what=what)
