"""Closed objects, and the number of properties."""

from __future__ import annotations

import pytest


def test_objects_are_closed(accepts, columns):
    for extra in ({}, {"additionalProperties": False}):
        schema = {"type": "object", "properties": {"a": {"type": "null"}}, **extra}
        assert columns(schema)["additionalProperties"] == "mask"
        assert accepts(schema, '{"a":null}')
        assert not accepts(schema, '{"b":null}')
        assert not accepts(schema, '{"a":null,"b":1}')
    assert accepts({"type": "object"}, "{}")
    assert not accepts({"type": "object"}, '{"a":1}')


@pytest.mark.parametrize(
    ("least", "most", "outcome"),
    [
        (None, None, "mask"),
        (0, 3, "mask"),
        (1, 4, "mask"),
        (2, None, "SCHEMA_KEYWORD_UNSUPPORTED"),
        (None, 2, "SCHEMA_KEYWORD_UNSUPPORTED"),
        (4, None, "SCHEMA_CONFLICT"),
        (None, 0, "SCHEMA_CONFLICT"),
        (3, 2, "SCHEMA_CONFLICT"),
    ],
)
def test_numbers_of_properties(refusal, columns, least, most, outcome):
    schema = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "required": ["a"]}
    counts = {k: v for k, v in (("minProperties", least), ("maxProperties", most)) if v is not None}
    if outcome == "mask":
        found = columns({**schema, **counts})
        assert all(found[keyword] == "mask" for keyword in counts)
    else:
        assert refusal({**schema, **counts}).code == outcome


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"required": ["b"]}, "SCHEMA_CONFLICT", "/required"),
        ({"required": "a"}, "SCHEMA_SYNTAX", "/required"),
        ({"required": True}, "SCHEMA_SYNTAX", "/required"),
        ({"properties": []}, "SCHEMA_SYNTAX", "/properties"),
        ({"properties": {"a": 1}}, "SCHEMA_SYNTAX", "/properties/a"),
        ({"properties": {"a": False}, "required": ["a"]}, "SCHEMA_CONFLICT", "/properties/a"),
        ({"minProperties": -1}, "SCHEMA_SYNTAX", "/minProperties"),
    ],
)
def test_refused(refusal, schema, code, pointer):
    error = refusal({"type": "object", "properties": {"a": {}}, **schema})
    assert (error.code, error.pointer) == (code, pointer)


def test_a_property_that_can_never_be(accepts, columns):
    schema = {"type": "object", "properties": {"a": False, "b": {"type": "null"}}}
    assert accepts(schema, '{"b":null}')
    assert not accepts(schema, '{"a":null}')
    assert columns(schema)["/properties/a false"] == "mask"
