"""Arrays in the open profile: lengths, tuples, contains, items that differ."""

from __future__ import annotations

import json
from itertools import product

import jsonschema
import pytest

from checkrail.errors import BudgetError, SchemaError
from checkrail.json_schema import json_schema_to_grammar
from checkrail.limits import Limits

ITEMS = [1, 5, "a", None]
ARRAYS = [list(items) for length in range(4) for items in product(ITEMS, repeat=length)]


@pytest.mark.parametrize(
    "schema",
    [
        {"minItems": 1, "maxItems": 2},
        {"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "null"}},
        {"prefixItems": [{"type": "integer"}, False, True]},
        {"contains": {"type": "integer"}},
        {"contains": {"minimum": 3}, "minContains": 2},
        {"contains": {"type": "integer"}, "minContains": 0, "maxContains": 1},
        {"allOf": [{"contains": {"const": 1}}, {"contains": {"const": "a"}}], "maxItems": 2},
        {"not": {"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "null"}}},
        {"not": {"contains": {"type": "integer"}, "minContains": 1, "maxContains": 1}},
        {"not": {"items": {"enum": [1, "a"]}, "minItems": 1}},
        {"items": {"enum": [1, 5, "a"]}, "uniqueItems": True},
        {"items": {"enum": [1, None]}, "prefixItems": [{"enum": ["a", 1]}], "uniqueItems": True, "minItems": 2},
        {"maxItems": 1, "uniqueItems": True},
        {"uniqueItems": False},
        {"enum": [[1, 5], ["a"], []]},
    ],
)
def test_arrays_agree_with_a_validator(opened, schema):
    accepts = opened({"type": "array", **schema})
    validator = jsonschema.Draft202012Validator(schema)
    for array in ARRAYS:
        assert accepts(json.dumps(array, separators=(",", ":"))) == validator.is_valid(array), array


@pytest.mark.parametrize("items", [{"type": "integer"}, {"enum": list(range(20))}, {"enum": [[1], [2]]}])
def test_items_that_are_not_few_have_no_rules(items):
    schema = {"type": "array", "items": items, "uniqueItems": True}
    grammar = json_schema_to_grammar(schema, profile="open")
    assert [e.column for e in grammar.coverage if e.keyword == "uniqueItems"] == ["mask"]
    with pytest.raises(SchemaError) as caught:
        dict(grammar.rules)
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert caught.value.pointer == "/uniqueItems"
    grammar = json_schema_to_grammar(schema, profile="open", unsupported="report")
    assert [e.keyword for e in grammar.coverage.column("checked")] == ["uniqueItems"]


def test_many_counts_end_in_a_budget():
    parts = [{"contains": {"const": i}, "minContains": 9} for i in range(6)]
    with pytest.raises(BudgetError) as caught:
        json_schema_to_grammar({"type": "array", "allOf": parts}, profile="open")
    assert caught.value.code == "SCHEMA_BUDGET"


def test_a_bound_that_few_different_items_never_come_to_is_not_counted(opened):
    schema = {"type": "array", "items": {"enum": list("abcdef")}, "uniqueItems": True, "maxItems": 200}
    grammar = json_schema_to_grammar(schema, profile="open", limits=Limits(counted_states=70))  # 2^6 sets of them
    assert len(grammar.rules) < 80
    accepts = opened(schema)
    assert accepts('["a","b","c","d","e","f"]')
    assert not accepts('["a","b","a"]')
