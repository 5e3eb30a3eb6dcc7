"""Arrays with equal items take part in combinations, and are left out where texts are written: against a validator."""

from __future__ import annotations

import itertools
import json
import os
import random
from typing import Any

import jsonschema
import pytest

from checkrail.errors import Error, SchemaError
from checkrail.json_schema import json_schema_to_grammar
from checkrail.json_schema.ledger import EQUAL_ITEMS

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
ARRAY, OBJECT = {"type": "array"}, {"type": "object"}
UNIQUE = {"type": "array", "uniqueItems": True}
STRINGS = {"type": "array", "items": {"type": "string"}}
OPERATION = {
    "type": "object",
    "oneOf": [
        {"properties": {"op": {"const": "is"}, "value": {"type": "string"}}, "required": ["op"]},
        {"properties": {"op": {"const": "is"}, "values": {**STRINGS, **UNIQUE}}, "required": ["op", "values"]},
    ],
}


def notes(schema: Any, **options: Any) -> list[str]:
    coverage = json_schema_to_grammar(schema, profile="open", **options).coverage
    return [entry.pointer for entry in coverage if entry.note == EQUAL_ITEMS]


@pytest.mark.parametrize(
    ("schema", "inside", "outside"),
    [
        ({"not": UNIQUE}, ["1", "{}", '"a"'], ["[]", "[1]", "[1,1]"]),
        ({"not": {"not": UNIQUE}}, ["[]", "[1,2]"], ["[1,1]", "1"]),
        (
            OPERATION,
            [
                '{"op":"is"}',
                '{"op":"is","value":"a"}',
                '{"op":"is","value":1,"values":["a"]}',
                '{"op":"is","values":1}',
            ],
            ['{"op":"is","values":["a"]}', '{"op":"is","value":1}', '{"op":"is","values":["a","a"]}'],
        ),
        # Both branches hold the empty array, whatever its items are.
        (
            {"oneOf": [{**UNIQUE, "items": {"type": "string"}}, {**UNIQUE, "items": {"type": "object"}}]},
            ['["a","b"]', '[{},{"a":1}]'],
            ["[]", '["a","a"]', "[{},{}]"],
        ),
        (
            {"oneOf": [{**UNIQUE, "maxItems": 1}, {"type": "array", "items": {"const": 1}}]},
            ["[2]", "[1,1]"],
            ["[1]", "[]"],
        ),
        ({"if": UNIQUE, "then": {"maxItems": 1}, "else": {"type": "string"}}, ["[1]", '"a"'], ["[1,2]", "1"]),
        ({**UNIQUE, "oneOf": [UNIQUE, {"minItems": 2}]}, ["[]", "[1]"], ["[1,2]", "[1,1]"]),
    ],
)
def test_the_opposite_of_items_that_differ(opened, schema, inside, outside):
    accepts = opened(schema)
    assert [text for text in inside if not accepts(text)] == []
    assert [text for text in outside if accepts(text)] == []


def test_the_coverage_says_where_equal_items_are_left_out():
    assert notes(OPERATION) == ["/oneOf/1/properties/values"]
    assert notes({"not": UNIQUE}) == ["/not"]
    assert notes({"not": UNIQUE}, unsupported="report") == ["/not"]
    assert notes(UNIQUE) == []
    assert notes({"not": {**UNIQUE, "maxItems": 1}}) == []
    assert notes({"oneOf": [{**UNIQUE, "items": {"type": kind}} for kind in ("string", "null")]}) == []
    # No value comes to the opposite.
    assert notes({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}, "b": {"not": UNIQUE}}}) == []


@pytest.mark.parametrize(
    "schema",
    [
        {**ARRAY, "not": UNIQUE},
        {"oneOf": [STRINGS, {**STRINGS, "uniqueItems": True}]},
        {**OBJECT, "properties": {"a": {**ARRAY, "not": UNIQUE}}},
        {
            "type": "object",
            "required": ["a"],
            "properties": {"a": {"type": "array"}},
            "not": {"properties": {"a": UNIQUE}},
        },
    ],
)
def test_a_schema_with_equal_items_alone_is_refused(schema):
    with pytest.raises(SchemaError) as caught:
        json_schema_to_grammar(schema, profile="open")
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert caught.value.pointer.endswith("/uniqueItems")
    assert "equal items" in str(caught.value)


def test_what_is_left_to_the_check_is_in_no_mask(opened):
    accepts = opened({"oneOf": [UNIQUE, {"type": "null"}]}, unsupported="report")
    assert accepts("[1,1]")
    assert accepts("null")
    accepts = opened({"not": UNIQUE}, unsupported="report")
    assert accepts("null")
    assert not accepts("[1,2]")


@pytest.mark.parametrize("more", [{}, {"maxItems": 3}, {"minItems": 1, "maxItems": 2}])
def test_listed_numbers_are_the_same_however_their_ranges_came_about(opened, more):
    """Below `contains` the number 1 is an integer at one item, and at the next a number about which nothing is said."""
    items = {"enum": [1, 2]}
    accepts = opened({**UNIQUE, "items": items, "contains": {"type": ["integer", "string"]}, **more})
    assert accepts("[1,2]")
    assert not accepts("[1,1]")
    prefix = {**UNIQUE, "prefixItems": [{"const": 1}, {"type": "integer", "minimum": 1, "maximum": 1}], "items": items}
    assert not opened(prefix)("[1,1]")
    no_less = {"not": {"exclusiveMaximum": 1}, "maximum": 1, "type": "number"}
    accepts = opened({**prefix, "prefixItems": [{"const": 1}, no_less]}, integer_fractions=True)
    assert not accepts("[1,1]")
    assert not accepts("[1.0,1]")


# Random schemas

ITEMS = [{}, {"type": "integer"}, {"enum": [1, 2]}, {"type": "string"}, {"type": ["integer", "string"]}]
BASE = [1, 2, "a", *(list(items) for n in range(4) for items in itertools.product([1, 2, "a"], repeat=n))]
DOCUMENTS = [
    *BASE,
    {},
    *({"a": value} for value in BASE),
    *([value] for value in BASE[:20]),
    *([one, two] for one in BASE[:9] for two in BASE[:9]),
]


REFUSED = ("SCHEMA_KEYWORD_UNSUPPORTED", "SCHEMA_CONFLICT", "SCHEMA_BUDGET", "GRAMMAR_EMPTY_LANGUAGE")


def an_array(rng: random.Random) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for share, keyword, value in (
        (0.6, "type", "array"),
        (0.7, "uniqueItems", True),
        (0.6, "items", rng.choice(ITEMS)),
        (0.4, "minItems", rng.randrange(3)),
        (0.3, "maxItems", rng.randrange(1, 4)),
        (0.2, "contains", rng.choice(ITEMS)),
    ):
        if rng.random() < share:
            schema[keyword] = value
    return schema


def a_schema(rng: random.Random, depth: int) -> dict[str, Any]:
    kind = rng.randrange(9)
    if depth == 0 or kind < 2:
        return an_array(rng)
    inner = [a_schema(rng, depth - 1) for _ in range(3)]
    return [
        {"oneOf": inner[: rng.randrange(2, 4)]},
        {"anyOf": inner[:2]},
        {"allOf": inner[:2]},
        {"not": inner[0]},
        dict(zip(("if", "then", "else"), inner, strict=True)),
        {"type": "object", "properties": {"a": inner[0]}, "maxProperties": 1},
        {"items": inner[0], "type": "array", "maxItems": 2},
    ][kind - 2]


def has_equal_items(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_equal_items, value.values()))
    if not isinstance(value, list):
        return False
    return len(set(map(json.dumps, value))) < len(value) or any(map(has_equal_items, value))


@pytest.mark.parametrize("seed", range(400 if THOROUGH else 8))
def test_random_combinations_agree_with_a_validator(opened, seed):
    """Nothing invalid is accepted, and nothing valid refused that has no equal items."""
    rng = random.Random(seed)
    answered = 0
    while answered < 6:
        schema = a_schema(rng, 3)
        if "uniqueItems" not in json.dumps(schema):
            continue
        try:
            accepts = opened(schema)
        except Error as error:
            if error.code in REFUSED:
                continue
            raise
        answered += 1
        validator = jsonschema.Draft202012Validator(schema)
        for document in DOCUMENTS:
            accepted = accepts(json.dumps(document, separators=(",", ":")))
            if accepted != validator.is_valid(document):
                assert not accepted, (schema, document)
                assert has_equal_items(document), (schema, document)
