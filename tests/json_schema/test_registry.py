"""Schemas that refer to documents which the caller passes in. The official suite's remote references are in
`algebra/test_official_suite.py`."""

from __future__ import annotations

import json

import jsonschema
import pytest
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

import checkrail
from checkrail.errors import SchemaError
from checkrail.json_schema.registry import bundle_schema

BASE = "https://example.com/"
DOCUMENTS = {
    f"{BASE}name": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string", "maxLength": 3},
    f"{BASE}tree": {"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"$ref": "name"}]}},
    f"{BASE}parts": {"$defs": {"yes": {"const": True}, "far": {"$anchor": "here", "$ref": "parts#/$defs/yes"}}},
    f"{BASE}any": True,
}
BYTES = checkrail.Vocabulary.from_bytes([bytes([b]) for b in range(256)] + [None], eos=256)
SCHEMAS = [
    {"$ref": f"{BASE}name"},
    {"$id": f"{BASE}root", "properties": {"a": {"$ref": "tree"}, "b": {"$ref": "parts#/$defs/yes"}}, "type": "object"},
    {"$id": BASE, "type": "array", "items": {"$ref": "parts#here"}, "$defs": {"own": {"$ref": "any"}}},
    {"$ref": f"{BASE}any", "type": "integer"},
]
VALUES = [
    "abc",
    "abcd",
    1,
    True,
    [],
    [[]],
    ["abc", ["abcd"]],
    ["abc", ["ab"]],
    {"a": ["x"]},
    {"a": "x"},
    {"b": True},
    {"b": 1},
]
VALUES += [[True], [1], {"a": [["abcd"]]}]


def accepts(grammar: checkrail.Grammar, value: object) -> bool:
    matcher = checkrail.compile(grammar, BYTES).matcher()
    return all(map(matcher.accept_token, json.dumps(value).encode())) and matcher.is_completed()


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: json.dumps(schema)[:40])
def test_they_mean_what_an_independent_validator_says(schema):
    resources = [(uri, Resource.from_contents(d, default_specification=DRAFT202012)) for uri, d in DOCUMENTS.items()]
    oracle = jsonschema.Draft202012Validator(schema, registry=Registry().with_resources(resources))
    grammar = checkrail.Grammar.from_json_schema(schema, profile="open", registry=DOCUMENTS)
    verdicts = [oracle.is_valid(value) for value in VALUES]
    assert [accepts(grammar, value) for value in VALUES] == verdicts
    assert len(set(verdicts)) == 2


def test_only_what_is_referred_to_is_taken():
    bundled = bundle_schema({"$ref": f"{BASE}tree"}, DOCUMENTS)
    assert isinstance(bundled, dict)
    assert sorted(bundled["$defs"]) == [f"{BASE}name", f"{BASE}tree"]
    unchanged = {"type": "string", "$defs": {"a": True}}
    assert bundle_schema(unchanged, DOCUMENTS) == unchanged
    assert bundle_schema(True, DOCUMENTS) is True


def test_what_is_not_there_is_an_error_with_its_place():
    with pytest.raises(SchemaError) as caught:
        checkrail.Grammar.from_json_schema({"$ref": f"{BASE}nothing"}, profile="open", registry=DOCUMENTS)
    assert caught.value.code == "SCHEMA_REF"


def test_what_is_no_uri_is_left_to_whoever_resolves_it():
    schema = {"$id": BASE, "properties": {"a": {"$id": "http://[", "$ref": "http://["}, "b": {"$ref": "name"}}}
    bundled = bundle_schema(schema, {**DOCUMENTS, "http://[": True})
    assert isinstance(bundled, dict)
    assert list(bundled["$defs"]) == [f"{BASE}name"]
    with pytest.raises(SchemaError) as caught:
        checkrail.Grammar.from_json_schema(schema, profile="open", registry=DOCUMENTS)
    assert caught.value.code == "SCHEMA_REF"


def test_documents_are_read_as_strictly_as_schemas():
    with pytest.raises(SchemaError):
        bundle_schema({"$ref": f"{BASE}x"}, {f"{BASE}x": '{"type": "string", "type": "null"}'})


def test_documents_of_another_draft_are_refused():
    documents = {"https://example.org/old": {"$schema": "http://json-schema.org/draft-07/schema#", "items": [True]}}
    with pytest.raises(SchemaError) as caught:
        bundle_schema({"$ref": "https://example.org/old"}, documents)
    assert (caught.value.code, caught.value.params["keyword"]) == ("SCHEMA_KEYWORD_UNSUPPORTED", "$schema")
    same = {"$schema": "http://json-schema.org/draft-07/schema", "$ref": "https://example.org/old"}
    assert "$defs" in bundle_schema(same, documents)
