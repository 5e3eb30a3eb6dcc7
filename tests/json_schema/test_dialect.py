"""Drafts, and what each understands."""

from __future__ import annotations

import pytest

from checkrail.json_schema.dialect import read_dialect

D4, D7, D2019, D2020 = (
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
)


@pytest.mark.parametrize(
    ("name", "draft"), [(D4, 4), (D7, 7), (D2019, 2019), (D2020, 2020), ("http://json-schema.org/schema#", 2020)]
)
def test_names(name, draft):
    dialect = read_dialect({"$schema": name})
    assert (dialect.draft, dialect.declared) == (draft, True)
    assert dialect.reference_hides_siblings is (draft <= 7)


def test_none():
    assert repr(read_dialect({})) == "<Dialect 2020 by default>"
    assert (read_dialect({}).draft, read_dialect(True).declared) == (2020, False)


@pytest.mark.parametrize(
    "name", ["http://json-schema.org/draft-03/schema#", "https://example.com/my-dialect", 5, "", None]
)
def test_unknown_dialects_are_refused(refusal, name):
    error = refusal({"$schema": name, "type": "string"})
    assert (error.code, error.pointer) == ("SCHEMA_KEYWORD_UNSUPPORTED", "/$schema")


def test_boolean_exclusive_bounds(accepts, refusal):
    schema = {"type": "integer", "minimum": 1, "exclusiveMinimum": True, "maximum": 3, "exclusiveMaximum": False}
    for head in ({}, {"$schema": D4}):
        found = [n for n in range(6) if accepts(head | schema, str(n), enforce_bounds=True)]
        assert found == [2, 3]
    assert refusal({"$schema": D7} | schema).pointer == "/exclusiveMinimum"


def test_tuples(accepts, refusal):
    schema = {"type": "array", "items": [{"type": "integer"}, {"type": "null"}], "additionalItems": {"type": "boolean"}}
    for head in ({}, {"$schema": D4}, {"$schema": D2019}):
        assert accepts(head | schema, "[1,null,true]")
        assert not accepts(head | schema, "[1,null,2]")
        assert not accepts(head | schema, "[null]")
    assert refusal({"$schema": D2020} | schema).pointer == "/items"
    assert accepts({"$schema": D4, "type": "array", "items": [{}], "additionalItems": False}, "[1]")
    assert not accepts({"$schema": D4, "type": "array", "items": [{}], "additionalItems": False}, "[1,2]")


def test_beside_a_reference(accepts, refusal, columns):
    schema = {"definitions": {"s": {"type": "string"}}, "$ref": "#/definitions/s", "maxLength": 2, "title": "t"}
    assert accepts({"$schema": D7} | schema, '"long"')
    assert columns({"$schema": D7} | schema)["maxLength"] == "annotation"
    assert refusal({"$schema": D2019} | schema).pointer == "/$ref"
    assert accepts({"$schema": D7, **schema, "type": "integer"}, '"long"')
