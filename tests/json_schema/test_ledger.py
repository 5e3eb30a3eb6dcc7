"""The ledger keeps the weaker promise and misses nothing."""

from __future__ import annotations

import pytest

from checkrail.errors import Error
from checkrail.grammar.coverage import CoverageEntry
from checkrail.json_schema.ledger import Ledger
from checkrail.json_schema.schema import Place
from checkrail.limits import DEFAULT_LIMITS, Limits

PLACE = Place({"minimum": 1}, "/p", "")


@pytest.mark.parametrize(
    "order", [["annotation", "mask", "checked"], ["checked", "mask", "annotation"], ["mask", "checked"]]
)
def test_the_weaker_promise_stands(order):
    ledger = Ledger(DEFAULT_LIMITS)
    for column in order:
        ledger.note(PLACE, "minimum", column, column)
    assert ledger.coverage().entries == (CoverageEntry("/p", "minimum", "checked", "checked"),)


def test_a_keyword_that_nobody_noted_is_an_internal_error():
    ledger = Ledger(DEFAULT_LIMITS)
    ledger.visit(PLACE)
    with pytest.raises(Error) as caught:
        ledger.coverage()
    assert (caught.value.code, caught.value.pointer) == ("INTERNAL", "/p")


def test_a_place_reached_under_two_types(columns):
    schema = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "$ref": "#/$defs/v"},
            "any": {"$ref": "#/$defs/v"},
        },
        "$defs": {"v": {"type": ["string", "integer"], "maximum": 5, "maxLength": 3}},
    }
    found = columns(schema)
    assert found["/$defs/v maximum"] == "checked"
    assert found["/$defs/v maxLength"] == "mask"


def test_the_number_of_places_is_bounded(refusal):
    schema = {"type": "object", "properties": {str(i): {"type": "null"} for i in range(10)}}
    error = refusal(schema, limits=Limits(subschemas=10))
    assert (error.code, error.params["name"]) == ("SCHEMA_BUDGET", "subschemas")
