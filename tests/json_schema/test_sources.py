"""The shape of x-source, x-derived and x-overlap; the reader of the check must agree."""

from __future__ import annotations

import pytest

from checkrail.boundary.validation.schema_reader import read_schema
from checkrail.errors import SchemaError
from checkrail.json_schema import json_schema_to_grammar

SOURCES = [
    ({}, True),
    ({"doc": "invoice"}, True),
    (
        {
            "doc": "invoice",
            "match": ["exact", "ws", "nfkc", "casefold", "digits"],
            "occurrence": "unique",
            "boundary": "word",
        },
        True,
    ),
    ({"occurrence": "ordered"}, True),
    ({"occurrence": "first"}, True),
    ({"occurrence": "near:total"}, True),
    ({"occurrence": "near:"}, False),
    ({"occurrence": "last"}, False),
    ({"occurrence": 1}, False),
    ({"doc": "Invoice"}, False),
    ({"doc": ""}, False),
    ({"doc": "a" * 33}, False),
    ({"doc": 1}, False),
    ({"match": []}, False),
    ({"match": "exact"}, False),
    ({"match": ["fuzzy"]}, False),
    ({"boundary": "line"}, True),
    ({"boundary": "page"}, False),
    ({"dok": "invoice"}, False),
    ("invoice", False),
    (None, False),
]
DERIVED = [
    ({"amount": {"from": "text", "parse": "decimal-comma"}}, True),
    ({}, True),
    ({"amount": {"from": "text", "parse": "calc"}}, True),
    ({"amount": {"from": "text"}}, False),
    ({"amount": {"from": "text", "parse": "roman"}}, False),
    ({"amount": {"from": 1, "parse": "int"}}, False),
    ({"amount": {"from": "text", "parse": "int", "more": 1}}, False),
    ({"amount": "text"}, False),
    ([], False),
]
OVERLAP = [("forbid", True), ("allow", False), (True, False)]
CASES = [
    *(({"type": "string"}, "x-source", *case) for case in SOURCES),
    *(({"type": "object"}, "x-derived", *case) for case in DERIVED),
    *(({"type": "array"}, "x-overlap", *case) for case in OVERLAP),
]


@pytest.mark.parametrize(("base", "keyword", "value", "fine"), CASES)
def test_shapes(columns, base, keyword, value, fine):
    schema = {**base, keyword: value}
    if fine:
        assert columns(schema)[keyword] == "checked"
        read_schema(schema)
        return
    for read in (json_schema_to_grammar, read_schema):
        with pytest.raises(SchemaError) as caught:
            read(schema)
        assert caught.value.code == "SCHEMA_SYNTAX"
    with pytest.raises(SchemaError) as caught:
        json_schema_to_grammar(schema)
    assert caught.value.pointer == f"/{keyword}"


def test_on_other_types_they_are_annotations(columns):
    assert columns({"type": "integer", "x-source": {"doc": "invoice"}})["x-source"] == "annotation"


@pytest.mark.parametrize("modes", [[["exact"]], [{}], [None]])
def test_modes_that_are_no_strings(refusal, modes):
    assert refusal({"type": "string", "x-source": {"match": modes}}).code == "SCHEMA_SYNTAX"
