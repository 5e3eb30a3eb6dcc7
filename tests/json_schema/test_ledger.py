"""The ledger keeps the weaker promise and misses nothing."""

from __future__ import annotations

import pytest

from checkrail.errors import Error
from checkrail.grammar.coverage import CoverageEntry
from checkrail.json_schema.ledger import Ledger
from checkrail.json_schema.schema import Place

PLACE = Place({"minimum": 1}, "/p", "")


@pytest.mark.parametrize(
    "order", [["annotation", "mask", "checked"], ["checked", "mask", "annotation"], ["mask", "checked"]]
)
def test_the_weaker_promise_stands(order):
    ledger = Ledger()
    for column in order:
        ledger.note(PLACE, "minimum", column, column)
    assert ledger.coverage().entries == (CoverageEntry("/p", "minimum", "checked", "checked"),)


def test_a_keyword_that_nobody_noted_is_an_internal_error():
    ledger = Ledger()
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
