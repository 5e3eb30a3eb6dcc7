"""The survey against lowering: the same refusals, and the same objects with members in any order."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest
from hypothesis import given, settings

from checkrail.errors import Error
from checkrail.json_schema.algebra import lower
from checkrail.json_schema.algebra.lower import Lowering
from checkrail.json_schema.algebra.lower_objects import ObjectLowering
from checkrail.json_schema.algebra.profile import OpenSchema, OpenTranslator
from checkrail.json_schema.algebra.survey import Survey
from checkrail.json_schema.options import Options
from checkrail.json_schema.schema import read_schema
from checkrail.limits import DEFAULT_LIMITS, Limits
from data_path import unpacked
from random_schemas import containers, schemas


def options_of(limits=DEFAULT_LIMITS, **options):
    given = {"profile": "open", "property_order": None, "whitespace": 0, "enforce_bounds": None, "unsupported": "error"}
    return Options.of(**{**given, **options}, limits=limits)


def refusals(schema, options):
    """What the survey and what lowering refuse a schema with; None for nothing."""
    tree = read_schema(schema, options.limits)
    return refusal(lambda: OpenSchema.read(tree, options)), refusal(lambda: OpenTranslator(tree, options).run())


def refusal(attempt):
    try:
        attempt()
    except Error as error:
        return error.code, error.pointer, error.message
    return None


@settings(deadline=None, max_examples=150)
@given(schemas | containers)
def test_random_schemas_are_refused_alike(schema):
    first, second = refusals(schema, options_of())
    if first is not None and first != second:  # keys come once in texts, while the rules let those repeat
        assert "keys that are not declared must come" in first[2]
        assert second is None
        return
    assert first == second


@settings(deadline=None, max_examples=150)
@given(schemas | containers)
def test_small_limits_are_the_same(schema):
    for limits in (Limits(counted_states=6, rules=14, alternatives=4), Limits(subschemas=9)):
        first, second = refusals(schema, options_of(limits, property_order="any"))
        assert (first is None) == (second is None)


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"items": {"type": "number", "minimum": 1e300}}, "SCHEMA_KEYWORD_UNSUPPORTED", "/items"),
        ({"items": {"type": "object", "minProperties": 50_000}}, "SCHEMA_BUDGET", "/items"),
        (
            {"items": {"type": "array", "allOf": [{"contains": {"minimum": i}} for i in range(9)]}},
            "SCHEMA_BUDGET",
            "/items",
        ),
        ({"items": {"type": "array", "contains": {"minimum": 3}, "maxContains": 50_000}}, "SCHEMA_BUDGET", "/items"),
        ({"properties": {"a": {"items": {"type": "no"}}}}, "SCHEMA_SYNTAX", "/properties/a/items/type"),
        ({"properties": {"a": {"items": {"$ref": "#/x"}}}}, "SCHEMA_REF", "/properties/a/items/$ref"),
    ],
)
def test_what_lowering_refuses_is_refused_at_once(schema, code, pointer):
    first, second = refusals(schema, options_of())
    assert first == second
    assert first[:2] == (code, pointer)


def test_one_item_cannot_be_equal_to_another():
    once = {"type": "array", "uniqueItems": True, "maxItems": 1, "prefixItems": [True], "items": {"type": "no"}}
    first, second = refusals(once, options_of())
    assert first == second
    assert first[0] == "SCHEMA_SYNTAX"
    assert refusals({**once, "items": {}}, options_of()) == (None, None)


def test_places_that_no_value_reaches_are_not_read():
    assert refusals({"properties": {"a": False}, "$defs": {"b": {"type": "no"}}}, options_of()) == (None, None)


def test_too_many_rules_are_none_to_an_automaton_on_demand():
    schema = {"properties": {f"p{i}": {"type": "object", "properties": {f"q{i}": {}}} for i in range(30)}}
    first, second = refusals(schema, options_of(Limits(rules=30)))
    assert first is None
    assert second[0] == "GRAMMAR_BUDGET_RULES"
    assert refusals(schema, options_of(Limits(rules=100))) == (None, None)


def test_objects_with_many_properties_and_other_keys_are_not_lowered_to_be_read():
    objects = [{"type": "object", "properties": {f"p{j}": {"const": i} for j in range(11)}} for i in range(40)]
    options = options_of()
    with patch.object(Lowering, "run", side_effect=AssertionError("lowered")):
        OpenSchema.read(read_schema({"prefixItems": objects}, options.limits), options)


def free_objects(schema, options):
    """The objects whose members may come in any order: as the survey says, and as lowering makes them."""
    translator = OpenTranslator(read_schema(schema, options.limits), options)
    root = translator.root()
    survey = Survey(translator.normalizer, options)
    survey.run(root)
    found = []

    class Spy(ObjectLowering):
        def expression(self):
            if self._any_order:
                found.append(self._record)
            return super().expression()

    with patch.object(lower, "ObjectLowering", Spy):
        Lowering(translator.normalizer, options).run(root)
    surveyed = {record for records, most in survey.orders.items() for record in records if most > 1}
    return {record for record in surveyed if len(record.properties) > 1}, set(found)


@pytest.mark.parametrize("order", ["mixed", "any", "declared"])
def test_any_order_uses_up_its_budget_alike(order):
    small = [{"type": "object", "properties": {"a": {}, "b": {}, f"c{i}": {}}} for i in range(40)]
    first, second = free_objects({"prefixItems": small}, options_of(property_order=order))
    assert first == second
    assert len(first) == {"mixed": 10, "any": 40, "declared": 0}[order]


FILES = sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json"))[3::61]


def test_real_schemas_are_surveyed_as_they_are_lowered():
    refused = 0
    for path in FILES:
        text = json.dumps(json.loads(path.read_text("utf-8"))["schema"])
        if len(text) > 6_000:
            continue
        first, second = refusals(text, options_of())
        assert first == second, path.name
        refused += first is not None
        if first is None:
            surveyed, lowered = free_objects(text, options_of())
            assert lowered <= surveyed
    assert refused < len(FILES) / 10


def test_multiples_are_written_on_demand_that_no_whole_automaton_holds():
    schema = {"items": {"type": "number", "multipleOf": 0.12345}}
    first, second = refusals(schema, options_of())
    assert first is None
    assert second[:2] == ("SCHEMA_BUDGET", "/items")
