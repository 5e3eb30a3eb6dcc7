"""What OpenAI's strict mode refuses."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.json_schema.hosted import hosted_faults


def closed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def test_what_it_takes():
    node = {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}
    schema = closed(
        name={"type": ["string", "null"], "pattern": "^a", "format": "email"},
        kind={"enum": ["a", "b"]},
        items={"type": "array", "items": {"$ref": "#/$defs/node"}, "minItems": 1},
        price={"type": "number", "minimum": 0, "multipleOf": 0.01},
    )
    assert hosted_faults({**schema, "$defs": {"node": closed(next=node)}}) == []


@pytest.mark.parametrize(
    ("schema", "pointer", "what"),
    [
        (True, "", "object schema"),
        ({"type": "string"}, "", "type object"),
        ({**closed(), "anyOf": [closed()]}, "", "no anyOf"),
        (closed(a={"type": "object", "properties": {}}), "/properties/a", "additionalProperties"),
        ({**closed(a={}, b={}), "required": ["b"]}, "/required", "a may be null"),
        (closed(a={"not": {}}), "/properties/a/not", "not is not supported"),
        (closed(a={"items": {"allOf": []}}), "/properties/a/items/allOf", "allOf"),
        (closed(a={"type": "string", "format": "uri"}), "/properties/a/format", "format"),
        (closed(a={"enum": [str(i) for i in range(1001)]}), "", "1,001"),
        (closed(a={"enum": [f"{i:0100d}" for i in range(251)]}), "/properties/a/enum", "15,000"),
        (closed(**{"x" * 120_001: {}}), "", "120,000 characters"),
        (closed(**{str(i): {} for i in range(5001)}), "", "5,000 properties"),
    ],
)
def test_what_it_refuses(schema, pointer, what):
    (fault,) = hosted_faults(schema)
    assert (fault.code, fault.pointer) == ("LINT_HOSTED", pointer)
    assert what in fault.message


def test_levels():
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(10):
        schema = closed(a=schema)
    assert hosted_faults(schema) == []
    (fault,) = hosted_faults(closed(a=schema))
    assert "10 levels" in fault.message
