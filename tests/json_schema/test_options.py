"""Options outside their domain are refused by name."""

from __future__ import annotations

import pytest

from checkrail.errors import InputError
from checkrail.json_schema import json_schema_to_grammar


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("profile", "loose"),
        ("profile", None),
        ("property_order", "any"),
        ("property_order", "mixed"),
        ("whitespace", "any"),
        ("enforce_bounds", 1),
        ("enforce_bounds", "yes"),
        ("unsupported", "ignore"),
    ],
)
def test_refused(name, value):
    with pytest.raises(InputError) as caught:
        json_schema_to_grammar({"type": "string"}, **{name: value})
    assert caught.value.code == "INPUT_FORMAT"
    assert name in caught.value.message


@pytest.mark.parametrize(("name", "value"), [("property_order", "canonical"), ("enforce_bounds", False)])
def test_refused_in_the_open_profile(name, value):
    with pytest.raises(InputError) as caught:
        json_schema_to_grammar({"type": "string"}, profile="open", **{name: value})
    assert name in caught.value.message


def test_the_order_of_properties(accepts):
    keys = ["b", "\ufb33", "a", "\U0001f600"]
    schema = {"type": "object", "properties": {key: {"type": "null"} for key in keys}, "required": keys}
    declared = "{" + ",".join(f'"{key}":null' for key in keys) + "}"
    canonical = "{" + ",".join(f'"{key}":null' for key in ["a", "b", "\U0001f600", "\ufb33"]) + "}"
    for order, own, other in (("declared", declared, canonical), ("canonical", canonical, declared)):
        assert accepts(schema, own, property_order=order)
        assert not accepts(schema, other, property_order=order)
        assert accepts({"const": dict.fromkeys(keys)}, own, property_order=order)


def test_fractions_of_zeros_belong_to_the_open_profile():
    with pytest.raises(InputError):
        json_schema_to_grammar({"type": "integer"}, integer_fractions=True)
