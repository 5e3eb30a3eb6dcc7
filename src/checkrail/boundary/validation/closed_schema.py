"""Whether a schema is closed: every value that it takes has been described.

You need it for the input and output schema of a tool, before the tool is registered. An open place in an input schema
is an argument that nobody declared and no person expects to see; an open place in an output schema is a way for text
to reach the model that nobody described. So every place says its type or its values, every object is closed, every
array describes its items, and keywords whose effect on the mask is not exact are refused by name.

Whether the schema is well-formed otherwise is for `read_schema` to say. Linear time, on a stack of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..pointers import escape

__all__ = ["open_place"]

_KEYWORDS = frozenset(
    [
        *("$defs", "$ref", "additionalProperties", "anyOf", "const", "default", "dependentRequired", "description"),
        *("enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength"),
        *("maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "oneOf"),
        *("pattern", "prefixItems", "properties", "required", "title", "type", "uniqueItems", "x-grammar"),
    ]
)
_SAYS_WHAT = ("type", "enum", "const", "$ref", "anyOf", "oneOf")


def open_place(schema: Any) -> tuple[str, str] | None:
    """The JSON pointer of the first place that is not closed and what is wrong there; None if there is none.

    >>> open_place({"type": "object", "properties": {}})
    ('', 'an object has "additionalProperties": false')
    """
    waiting = [("", schema)]
    while waiting:
        pointer, place = waiting.pop()
        fault = _fault(place)
        if fault is not None:
            return pointer, fault
        waiting.extend((pointer + step, inner) for step, inner in _inner(place))
    return None


def _fault(place: Any) -> str | None:
    if not isinstance(place, dict):
        return "a schema is an object here"
    unknown = sorted(str(word) for word in place if word not in _KEYWORDS)
    if unknown:
        return f"the keyword {unknown[0]} is not for tools"
    if not any(word in place for word in _SAYS_WHAT):
        return "it says neither a type nor values"
    kinds = place.get("type", ())
    kinds = kinds if isinstance(kinds, (list, tuple)) else (kinds,)
    if ("object" in kinds or "properties" in place) and place.get("additionalProperties") is not False:
        return 'an object has "additionalProperties": false'
    if "array" in kinds and not isinstance(place.get("items"), dict) and place.get("items") is not False:
        return "an array describes its items"
    return None


def _inner(place: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for word in ("properties", "$defs"):
        members = place.get(word)
        if isinstance(members, dict):
            yield from ((f"/{word}/{escape(str(name))}", inner) for name, inner in members.items())
    for word in ("anyOf", "oneOf", "prefixItems"):
        members = place.get(word)
        if isinstance(members, list):
            yield from ((f"/{word}/{position}", inner) for position, inner in enumerate(members))
    if isinstance(place.get("items"), dict):
        yield "/items", place["items"]
