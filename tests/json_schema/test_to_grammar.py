"""The front end as a whole: against jsonschema on random schemas, and the value that it returns."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checkrail
from checkrail.errors import SchemaError
from checkrail.grammar.grammar import Grammar
from checkrail.json_schema import json_schema_to_grammar

NAMES = ("a", "b", "ab")
scalar_schemas = st.sampled_from(
    [
        {"type": "null"},
        {"type": "boolean"},
        {"type": "integer"},
        {"type": "number"},
        {"type": "string"},
        {"type": "string", "maxLength": 1},
        {"type": "string", "pattern": "^a"},
        {"type": ["integer", "null"]},
        {"enum": ["a", 1, None]},
        {"const": {"a": [1]}},
        {"$ref": "#/$defs/tree"},
        {"$ref": "#/$defs/short"},
    ]
)
DEFINITIONS = {
    "tree": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
        "required": ["a"],
        "additionalProperties": False,
    },
    "short": {"anyOf": [{"type": "string", "maxLength": 1}, {"$ref": "#/$defs/tree"}]},
}


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[dict]) -> dict:
    properties = draw(st.dictionaries(st.sampled_from(NAMES), inner, max_size=3))
    required = [name for name in properties if draw(st.booleans())]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


schemas = st.recursive(
    scalar_schemas,
    lambda inner: st.one_of(
        objects(inner),
        st.builds(lambda item, least: {"type": "array", "items": item, "minItems": least}, inner, st.integers(0, 2)),
        st.builds(lambda branches: {"anyOf": branches}, st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=5,
)
leaves = st.sampled_from([None, True, 1, -20, 1.5, "", "a", "ab", "é"])
instances = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)),
    max_leaves=5,
)


def instances_of(schema: dict) -> st.SearchStrategy:
    """Values that are often valid: built along the schema, with a random value here and there."""
    return st.one_of(_along(schema, 3), _along(schema, 3), instances)


def _along(schema: dict, depth: int) -> st.SearchStrategy:
    if "$ref" in schema:
        schema = DEFINITIONS[schema["$ref"].rpartition("/")[2]]
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of(*(_along(branch, depth) for branch in schema["anyOf"]))
    if depth == 0:
        return leaves
    if schema["type"] == "object":
        required = {k: _along(s, depth - 1) for k, s in schema["properties"].items() if k in schema["required"]}
        optional = {k: _along(s, depth - 1) for k, s in schema["properties"].items() if k not in schema["required"]}
        return st.fixed_dictionaries(required, optional=optional)
    if schema["type"] == "array":
        return st.lists(_along(schema["items"], depth - 1), max_size=3)
    return leaves


def in_order(value: object, order: tuple[str, ...]) -> object:
    if isinstance(value, dict):
        return {key: in_order(value[key], order) for key in sorted(value, key=order.index)}
    return [in_order(item, order) for item in value] if isinstance(value, list) else value


@settings(max_examples=300)
@given(st.data())
def test_agrees_with_jsonschema(accepts, data):
    schema = {**data.draw(schemas), "$defs": DEFINITIONS}
    grammar = json_schema_to_grammar(schema, whitespace="compact", property_order="canonical")
    assert {entry.column for entry in grammar.coverage} <= {"mask", "annotation"}
    validator = jsonschema.Draft202012Validator(schema)
    for _ in range(3):
        value = data.draw(instances_of(schema))
        text = json.dumps(in_order(value, ("a", "ab", "b")), ensure_ascii=False, separators=(",", ":"))
        assert accepts(grammar, text) is validator.is_valid(value), text


def test_the_grammar():
    grammar = Grammar.from_json_schema({"type": "object", "properties": {"a": {"type": "string"}}})
    assert (grammar.format, grammar.root, grammar.contract) == ("json_schema", "root", "visibly-pushdown")
    assert repr(grammar) == f"<Grammar json_schema root=root {len(grammar.rules)} rules>"
    assert grammar.to_gbnf().startswith("root ::= ")
    assert grammar.sha256 == Grammar.from_json_schema('{"type":"object","properties":{"a":{"type":"string"}}}').sha256
    assert (
        grammar.sha256 != Grammar.from_json_schema({"type": "object", "properties": {"b": {"type": "string"}}}).sha256
    )


def test_a_type_is_not_a_schema():
    with pytest.raises(SchemaError) as caught:
        json_schema_to_grammar(int)
    assert "generate()" in caught.value.message


BYTES = checkrail.Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=[256])
ENGINE = [
    (True, ['{"a":[1,null]}', '"\\u00e9"', "-0.5e-7"], ["{", "[1,]", "01"]),
    (
        {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"$ref": "#"}, "c": {"type": "string", "format": "email"}},
        },
        ['{"a": 1.5, "b": {"c": "x@y.z"}}', "{}"],
        ['{"b": {"a": 1}, "a": 2}', '{"c": "x"}'],
    ),
    (
        {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "a"}, "v": {"type": "integer"}},
                    "required": ["kind"],
                },
                {
                    "type": "object",
                    "properties": {"kind": {"const": "b"}, "v": {"type": "array", "items": {"type": "null"}}},
                    "required": ["kind"],
                },
                {"type": "string"},
                {"type": "string", "format": "date"},
                {"type": "number"},
                {"type": "integer", "minimum": 3},
            ]
        },
        ['{"kind":"a","v":1}', '{"kind":"b","v":[null]}', '"x"', "1.5"],
        ['{"kind":"a","v":[]}', "true"],
    ),
    (
        {"type": "object", "properties": {f"p{i}": {"type": "boolean"} for i in range(60)}},
        ['{"p3":true,"p59":false}', "{}"],
        ['{"p3":true,"p2":true}'],
    ),
]


@pytest.mark.parametrize(("schema", "accepted", "refused"), ENGINE)
def test_the_engine_takes_these_grammars(schema, accepted, refused):
    """They are visibly pushdown as they stand, and the automaton has the language of the slow recogniser."""
    constraint = checkrail.compile(json_schema_to_grammar(schema), BYTES)
    for texts, fits in ((accepted, True), (refused, False)):
        for text in texts:
            matcher = constraint.matcher()
            assert (matcher.accept_bytes(text.encode()) and matcher.is_completed()) is fits, text
