"""Spellings of items, counting, and what is left to the check."""

from __future__ import annotations

import pytest

from checkrail.limits import Limits


def test_columns(columns):
    schema = {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 1,
        "maxItems": 256,
        "uniqueItems": True,
        "contains": {"minimum": 3, "title": "t"},
        "minContains": 1,
        "maxContains": 2,
    }
    assert columns(schema) == {
        "type": "mask",
        "items": "mask",
        "minItems": "mask",
        "maxItems": "mask",
        "uniqueItems": "checked",
        "contains": "checked",
        "minContains": "checked",
        "maxContains": "checked",
        "/contains minimum": "checked",
        "/contains title": "annotation",
        "/items type": "mask",
    }
    assert columns({"type": "array", "uniqueItems": False})["uniqueItems"] == "annotation"
    assert columns({"type": "array", "minContains": 2})["minContains"] == "annotation"
    assert columns({"type": "array", "additionalItems": False})["additionalItems"] == "annotation"
    assert columns({"type": "array", "maxItems": 257})["maxItems"] == "checked"
    assert columns({"type": "array", "minItems": 257})["minItems"] == "checked"


def test_counts_above_the_limit(accepts):
    limits = Limits(counted_items=2)
    assert accepts({"type": "array", "maxItems": 3}, "[1,1,1,1]", limits=limits)
    assert not accepts({"type": "array", "minItems": 5}, "[1]", limits=limits)
    assert accepts({"type": "array", "minItems": 5}, "[1,1]", limits=limits)


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"minItems": 2, "maxItems": 1}, "SCHEMA_CONFLICT", ""),
        ({"items": False, "minItems": 1}, "SCHEMA_CONFLICT", ""),
        ({"prefixItems": [True, False], "minItems": 2}, "SCHEMA_CONFLICT", ""),
        ({"prefixItems": {}}, "SCHEMA_SYNTAX", "/prefixItems"),
        ({"items": [{}], "prefixItems": [{}]}, "SCHEMA_SYNTAX", "/items"),
        ({"items": 1}, "SCHEMA_SYNTAX", "/items"),
        ({"items": None}, "SCHEMA_SYNTAX", "/items"),
        ({"uniqueItems": 1}, "SCHEMA_SYNTAX", "/uniqueItems"),
        ({"maxItems": 1.5}, "SCHEMA_SYNTAX", "/maxItems"),
        ({"minContains": "1"}, "SCHEMA_SYNTAX", "/minContains"),
    ],
)
def test_refused(refusal, schema, code, pointer):
    error = refusal({"type": "array", **schema})
    assert (error.code, error.pointer) == (code, pointer)
