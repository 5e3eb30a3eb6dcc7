"""References: to a place in the same document, by JSON pointer, anchor or the `$id` of a part.

Nothing is ever fetched: a reference that leads out of the document is refused. Resolution follows RFC 3986
(relative to the nearest `$id`) and RFC 6901 (pointers, with percent and tilde escapes). The index of ids and
anchors is made in one pass over the places where schemas can stand, so ids inside `enum` or `default` are data. Most
schemas have no part with an id and refer by pointers alone; for these there is no index. What `$dynamicRef` and
`$recursiveRef` lead to depends on the scope of the place as well, see `dynamic`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn
from urllib.parse import unquote_to_bytes, urldefrag, urljoin

from ..errors import SchemaError
from ..limits import DEFAULT_LIMITS, Limits
from .dialect import Dialect
from .dynamic import RECURSIVE, STATIC, DynamicScopes
from .schema import Json, Place

__all__ = ["REFERENCES", "References", "subschemas"]

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
"""The keywords that refer to another schema."""

_ONE_SCHEMA = (
    "items",
    "additionalItems",
    "additionalProperties",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
)
_LIST_OF_SCHEMAS = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_MAP_OF_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_SIMPLE = re.compile("#(?:/[A-Za-z0-9_.$:@!,()*+;=-]+)*")  # a pointer without escapes
_PLAIN_URI = re.compile(r"https?://[A-Za-z0-9.-]+(?:/[A-Za-z0-9._-]*)*")  # relative to nothing, and no fragment
_INDEX = re.compile("0|[1-9][0-9]{0,8}")
_BAD_ESCAPE = re.compile("~(?![01])")
_NAME = re.compile("/?[A-Za-z0-9_$/-]+")  # what may be meant as a name or as a pointer
_ABSOLUTE = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
_LONGEST_URI = 100


def subschemas(place: Place) -> Iterator[Place]:
    """The schemas directly within a schema, wherever a keyword can hold one."""
    schema = place.schema
    if not isinstance(schema, dict):
        return
    for keyword in _ONE_SCHEMA:
        if isinstance(schema.get(keyword), (dict, bool)):
            yield place.child(schema[keyword], keyword)
    for keyword in _LIST_OF_SCHEMAS:
        if isinstance(schema.get(keyword), list):
            yield from place.schemas(keyword)
    for keyword in _MAP_OF_SCHEMAS:
        if isinstance(schema.get(keyword), dict):
            yield from (inner for inner in place.mapping(keyword).values() if isinstance(inner.schema, (dict, bool)))


class References:
    """The ids and anchors of one document, and what references mean in it. id_keywords: what gives a part an id.
    is_dynamic: whether some reference depends on the dynamic scope."""

    def __init__(
        self, root: Json, dialect: Dialect, limits: Limits = DEFAULT_LIMITS, *, may_have_parts: bool = True
    ) -> None:
        """may_have_parts: False where it is known that no object below the root has an id, or a reference that depends
        on ids."""
        self._only_reference = dialect.reference_hides_siblings
        self.id_keywords = ("id",) if dialect.draft == 4 else ("$id",) if dialect.declared else ("$id", "id")
        self._resources: dict[str, Place] = {}
        self._anchors: dict[tuple[str, str], Place] = {}
        self._entered: dict[str, Place] = {}  # those with an id, by pointer
        self._scopes = DynamicScopes(limits.alternatives)
        self.is_dynamic = False
        self.root = self._enter(Place(root, "", ""))
        self._resources.setdefault("", self.root)
        self._resolved: dict[tuple[str, str], Place] = {}
        self._indexed = False
        has_parts, is_dynamic = self._look_for_parts(root) if may_have_parts else (False, False)
        if has_parts or is_dynamic:
            self._index()
        if is_dynamic:  # from here on, since scopes need the whole index
            self.is_dynamic = True
            self.root = self._within(self.root, STATIC)
        self._is_simple = not (has_parts or is_dynamic) and _is_whole(self.root.base)

    def enter(self, place: Place) -> Place:
        """The place with the base URI that its own `$id` gives it."""
        known = self._entered.get(place.pointer)
        if known is None:  # else its base is already its own, and a relative id must not count twice
            base = self._own_base(place)
            if base is None:
                return place
            known = self._entered[place.pointer] = Place(place.schema, place.pointer, base)
        return self._within(known, place.scope) if self.is_dynamic else known

    def resolve(self, place: Place, keyword: str = "$ref") -> Place:
        """What a reference of a place points to. Raises SchemaError SCHEMA_REF, BudgetError."""
        reference = place.text(keyword) or ""
        known = self._resolved.get((place.base, reference))
        if known is None:
            known = self._by_simple_pointer(reference) if self._is_simple else None
            known = known or self._resolve(reference, place, keyword)
            self._resolved[place.base, reference] = known
        if not self.is_dynamic:
            return known
        if keyword != "$ref":
            name = RECURSIVE if keyword == "$recursiveRef" else reference.partition("#")[2]
            if self._scopes.is_anchor(name, known):
                known = self._scopes.outermost(place.scope, name) or known
        return self._within(known, place.scope)

    def _within(self, place: Place, scope: int) -> Place:
        """A place that is reached in a scope, in the scope of its own resource."""
        return Place(place.schema, place.pointer, place.base, self._scopes.enter(scope, place.base, place.pointer))

    def _by_simple_pointer(self, reference: str) -> Place | None:
        """The target where nothing below the root has a base of its own; None to look at it more closely."""
        if not _SIMPLE.fullmatch(reference):
            return None
        here = self.root.schema
        for token in reference.split("/")[1:]:
            if isinstance(here, dict) and token in here:
                here = here[token]
            elif isinstance(here, list) and _INDEX.fullmatch(token) and int(token) < len(here):
                here = here[int(token)]
            else:
                return None
        return Place(here, reference[1:], self.root.base)

    def _resolve(self, reference: str, place: Place, keyword: str) -> Place:
        try:
            target = place.base + reference if reference.startswith("#") else urljoin(place.base, reference)
            uri, fragment = urldefrag(target)
            fragment = unquote_to_bytes(fragment).decode("utf-8")
        except ValueError:
            self._refuse(place, keyword, "it is not a URI reference")
        resource = self._resources.get(uri)
        if resource is None:
            self._refuse(place, keyword, _not_here(reference, uri))
        if fragment and not fragment.startswith("/"):
            self._index()
            anchor = self._anchors.get((uri, fragment))
            if anchor is None:
                self._refuse(place, keyword, f"there is no anchor {fragment}")
            return anchor
        return self._follow(resource, fragment, place, keyword)

    def _look_for_parts(self, root: Json) -> tuple[bool, bool]:
        """Whether anything below the root looks like a part with an id, and whether there is a dynamic reference."""
        has_parts = is_dynamic = False
        pending: list[Json] = [root]
        while pending:
            value = pending.pop()
            if isinstance(value, dict):
                if value is not root and any(type(value.get(keyword)) is str for keyword in self.id_keywords):
                    has_parts = True
                if "$dynamicRef" in value or "$recursiveRef" in value:
                    is_dynamic = True
                pending += [inner for inner in value.values() if type(inner) is dict or type(inner) is list]
            elif isinstance(value, list):
                pending += [inner for inner in value if type(inner) is dict or type(inner) is list]
        return has_parts, is_dynamic

    def _index(self) -> None:
        """Enter every schema of the document."""
        if self._indexed:
            return
        self._indexed = True
        pending = [self.root]
        while pending:
            place = pending.pop()
            pending += [self._enter(inner) for inner in subschemas(place)]

    def _enter(self, place: Place) -> Place:
        place = self.enter(place)
        if isinstance(place.schema, dict):
            is_resource = self._own_base(place) is not None
            if is_resource:
                self._resources.setdefault(place.base, place)
            if place.schema.get("$recursiveAnchor") is True and (is_resource or not place.pointer):
                self._scopes.declare(RECURSIVE, place)
            for keyword in ("$anchor", "$dynamicAnchor"):
                anchor = place.schema.get(keyword)
                if isinstance(anchor, str):
                    self._anchors.setdefault((place.base, anchor), place)
                    if keyword == "$dynamicAnchor":
                        self._scopes.declare(anchor, place)
            own = self._own_id(place)
            if own is not None and "#" in own:  # an anchor, as drafts 4 to 7 spell it
                self._anchors.setdefault((place.base, own.partition("#")[2]), place)
        return place

    def _own_id(self, place: Place) -> str | None:
        if isinstance(place.schema, dict) and not (self._only_reference and "$ref" in place.schema):
            for keyword in self.id_keywords:
                value = place.schema.get(keyword)
                if isinstance(value, str):
                    return value
        return None

    def _own_base(self, place: Place) -> str | None:
        own = self._own_id(place)
        if own is None or own.startswith("#"):
            return None
        if _PLAIN_URI.fullmatch(own):
            return own
        try:
            return urldefrag(urljoin(place.base, own))[0]
        except ValueError:
            raise SchemaError("SCHEMA_REF", pointer=place.pointer, what="its id is not a URI reference") from None

    def _follow(self, resource: Place, pointer: str, place: Place, keyword: str) -> Place:
        """Walk a JSON pointer from a resource."""
        if _BAD_ESCAPE.search(pointer):
            self._refuse(place, keyword, "~ must be written ~0 in a JSON pointer")
        here = resource
        for raw in pointer.split("/")[1:]:
            token = raw.replace("~1", "/").replace("~0", "~")
            value = here.schema
            if isinstance(value, dict) and token in value:
                here = self.enter(here.child(value[token], token))
            elif isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
                here = self.enter(here.child(value[int(token)], token))
            else:
                self._refuse(place, keyword, f"there is nothing at {token[:40]!r} of the pointer")
        return here

    @staticmethod
    def _refuse(place: Place, keyword: str, what: str) -> NoReturn:
        raise SchemaError("SCHEMA_REF", pointer=place.at(keyword), what=what)


def _is_whole(base: str) -> bool:
    """Whether a base URI and a fragment are those two again when they are taken apart."""
    return not base or _PLAIN_URI.fullmatch(base) is not None or base == urldefrag(base + "#")[0]


def _not_here(reference: str, uri: str) -> str:
    """Why there is no such document. uri: the whole of the reference."""
    if _NAME.fullmatch(reference):
        return "this schema has no part of that name; a pointer within it starts with #/"
    document = uri if len(uri) <= _LONGEST_URI else uri[:_LONGEST_URI] + "..."
    otherwise = ", or pass the document in registry" if _ABSOLUTE.match(uri) else ""
    return f"it leads to {document}, out of this schema, and nothing is fetched; copy its target under $defs{otherwise}"
