"""Rule names come from pointers and are unique."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.json_schema.names import Names, name_of


@pytest.mark.parametrize(
    ("pointer", "name"),
    [
        ("", "root"),
        ("/properties/vendor", "vendor"),
        ("/properties/lines/items", "lines-item"),
        ("/properties/lines/items/properties/unit price", "unit-price"),
        ("/$defs/Invoice", "Invoice"),
        ("/properties/properties", "properties"),
        ("/properties/items/items", "items-item"),
        ("/anyOf/1", "root-option"),
        ("/x-shared/point", "point"),
        ("/x-shared/0", "x-shared"),
        ("/properties/a~1b~0c", "a-b-c"),
        ("/properties/日本", "value"),
        ("/properties/", "value"),
    ],
)
def test_names(pointer, name):
    assert name_of(pointer) == name


@given(st.lists(st.text(max_size=50), max_size=30))
def test_each_name_is_a_rule_name_and_handed_out_once(wanted):
    names = Names(("root",))
    given_out = [names.fresh(text) for text in wanted]
    assert len({*given_out, "root"}) == len(given_out) + 1
    assert all(re.fullmatch("[A-Za-z0-9]+(-[A-Za-z0-9]+)*", name) for name in given_out)
