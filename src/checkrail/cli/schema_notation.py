"""A short notation for flat schemas: `name, age int, bio: one line`.

Fields are separated by commas, or by line ends where there are any. A field is a name, a type (str, int, float or
bool; str if absent) and, after a colon, a description. All fields are required. The notation is the one of the
`llm` program. You need it for a quick question on the command line; a file with a JSON Schema says more.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from ..errors import SchemaError

__all__ = ["schema_from_notation"]

_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_FIELD = re.compile(r"\s*(\w+)(?:\s+(\w+))?\s*(?::\s*(.*?))?\s*", re.DOTALL)


def schema_from_notation(text: str) -> dict[str, Any]:
    """The JSON Schema that the notation means. Raises SchemaError SCHEMA_SYNTAX and names the field that is wrong.

    >>> schema_from_notation("name, age int")["properties"]
    {'name': {'type': 'string'}, 'age': {'type': 'integer'}}
    """
    properties: dict[str, Any] = {}
    for number, field in enumerate(text.split("\n" if "\n" in text.strip() else ","), 1):
        if not field.strip():
            continue
        name, member = _field(number, field)
        if name in properties:
            _refuse(number, f"the name {name} occurs twice")
        properties[name] = member
    if not properties:
        raise SchemaError("SCHEMA_SYNTAX", pointer="", what="it has no field")
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _field(number: int, field: str) -> tuple[str, dict[str, Any]]:
    match = _FIELD.fullmatch(field)
    if match is None:
        _refuse(number, "a field is a name, a type and, after a colon, a description")
    name, kind, description = match.groups()
    if kind is not None and kind not in _TYPES:
        _refuse(number, f"there is no type {kind}; use {', '.join(_TYPES)}")
    member = {"type": _TYPES[kind or "str"]}
    return name, member | ({"description": description} if description else {})


def _refuse(number: int, what: str) -> NoReturn:
    raise SchemaError("SCHEMA_SYNTAX", pointer="", what=f"field {number}: {what}")
