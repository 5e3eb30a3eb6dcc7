"""Closed schemas: every place describes what it takes."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.boundary.validation.closed_schema import open_place

CLOSED = {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.mark.parametrize(
    "schema",
    [
        CLOSED,
        {"type": "string", "pattern": "^a$", "description": "x", "default": "a", "format": "date"},
        {"type": "string", "x-grammar": "calc/1"},
        {"enum": [1, "a"]},
        {"const": {"open": {}}},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
        {**CLOSED, "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "null"}}},
    ],
)
def test_closed(schema: Any) -> None:
    assert open_place(schema) is None


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        (True, ""),
        ({}, ""),
        ([], ""),
        ({"description": "anything"}, ""),
        ({"type": "object"}, ""),
        ({"type": ["object", "null"]}, ""),
        ({"type": "object", "additionalProperties": True}, ""),
        ({"type": "object", "additionalProperties": {"type": "string"}}, ""),
        ({"properties": {}, "enum": [1]}, ""),
        ({"type": "array"}, ""),
        ({"type": "array", "items": True}, ""),
        ({"type": "array", "items": {}}, "/items"),
        ({**CLOSED, "patternProperties": {}}, ""),
        ({**CLOSED, "not": {}}, ""),
        ({**CLOSED, "x-unknown": 1}, ""),
        ({**CLOSED, "properties": {"a/b": {}}}, "/properties/a~1b"),
        ({**CLOSED, "$defs": {"a": {"type": "object"}}}, "/$defs/a"),
        ({"anyOf": [{"type": "null"}, {}]}, "/anyOf/1"),
        ({"oneOf": [{"type": "null"}, True]}, "/oneOf/1"),
        ({"type": "array", "prefixItems": [{}], "items": False}, "/prefixItems/0"),
        ({"type": "array", "items": {**CLOSED, "properties": {"deep": {"type": "object"}}}}, "/items/properties/deep"),
    ],
)
def test_open(schema: Any, place: str) -> None:
    found = open_place(schema)
    assert found is not None
    assert found[0] == place
    assert found[1]


@pytest.mark.parametrize("kind", [5, None, {"object": 1}, [5]])
def test_what_is_no_type_is_for_the_reader_to_refuse(kind: Any) -> None:
    assert open_place({"type": kind}) is None


def test_depth_costs_no_stack() -> None:
    schema: Any = {"type": "null"}
    for _ in range(50_000):
        schema = {"type": "array", "items": schema}
    assert open_place(schema) is None
