"""Dynamic references: mask and check against another validator, on schemas that extend one another."""

from __future__ import annotations

import itertools
import json
from typing import Any

import jsonschema
import pytest

from checkrail import Vocabulary, compile
from checkrail.boundary.validate import validate
from checkrail.errors import BudgetError, SchemaError
from checkrail.json_schema import bundle_schema, json_schema_to_grammar
from checkrail.json_schema.dynamic import STATIC, DynamicScopes
from checkrail.json_schema.schema import Place

BYTES = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), b""], eos=256)
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"

TREE = {
    "$id": "https://example.org/tree",
    "$dynamicAnchor": "node",
    "type": "object",
    "properties": {"data": True, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
}
STRICT_TREE = {
    "$schema": DRAFT_2020,
    "$id": "https://example.org/strict",
    "$dynamicAnchor": "node",
    "$ref": "tree",
    "unevaluatedProperties": False,
    "$defs": {"tree": TREE},
}
LIST = {
    "$id": "list",
    "type": "array",
    "items": {"$dynamicRef": "#item"},
    "$defs": {"any": {"$dynamicAnchor": "item"}},
}
STRINGS_AND_NUMBERS = {
    "$schema": DRAFT_2020,
    "$id": "https://example.org/both",
    "properties": {"strings": {"$ref": "strings"}, "numbers": {"$ref": "numbers"}, "any": {"$ref": "list"}},
    "$defs": {
        "list": LIST,
        "strings": {"$id": "strings", "$ref": "list", "$defs": {"i": {"$dynamicAnchor": "item", "type": "string"}}},
        "numbers": {"$id": "numbers", "$ref": "list", "$defs": {"i": {"$dynamicAnchor": "item", "type": "number"}}},
    },
}
NO_ANCHOR = {
    "$schema": DRAFT_2020,
    "$id": "https://example.org/plain",
    "items": {"$dynamicRef": "#there"},
    "$defs": {"a": {"$anchor": "there", "type": "string"}, "o": {"$id": "o", "$dynamicAnchor": "there"}},
}
RECURSIVE = {
    "$schema": DRAFT_2019,
    "$id": "https://example.org/extended",
    "$recursiveAnchor": True,
    "$ref": "base",
    "required": ["name"],
    "$defs": {
        "base": {
            "$id": "base",
            "$recursiveAnchor": True,
            "type": "object",
            "properties": {"child": {"$recursiveRef": "#"}, "own": {"$ref": "#"}},
        }
    },
}
CASES = {
    "tree": (
        STRICT_TREE,
        [{}, {"children": [{"data": 1}]}, {"children": [{"daat": 1}]}, {"daat": 1}, {"children": [{"children": [7]}]}],
    ),
    "one list, two kinds": (
        STRINGS_AND_NUMBERS,
        [{key: [value]} for key, value in itertools.product(("strings", "numbers", "any"), ("a", 1, None))],
    ),
    "no dynamic anchor": (NO_ANCHOR, [["a"], [1], []]),
    "recursive": (
        RECURSIVE,
        [{}, {"name": 1}, {"name": 1, "child": {}}, {"name": 1, "child": {"name": 2}}, {"name": 1, "own": {}}],
    ),
    "recursive without an anchor": (
        {**RECURSIVE, "$recursiveAnchor": False},
        [{}, {"name": 1}, {"name": 1, "child": {}}, {"name": 1, "child": {"name": 2}}],
    ),
    "another draft's word": (
        {"$schema": DRAFT_2020, "properties": {"a": {"$recursiveRef": "#"}}, "type": "object"},
        [{"a": 1}, {"a": {}}, 1],
    ),
}


def peer(schema: dict[str, Any]) -> jsonschema.protocols.Validator:
    return jsonschema.validators.validator_for(schema)(schema)


@pytest.mark.parametrize("name", CASES)
def test_mask_and_check_agree_with_a_peer(name: str) -> None:
    schema, values = CASES[name]
    constraint = compile(json_schema_to_grammar(schema, profile="open", whitespace="compact"), BYTES)
    verdicts = set()
    for value in values:
        expected = peer(schema).is_valid(value)
        matcher = constraint.matcher()
        text = json.dumps(value, separators=(",", ":")).encode()
        assert (matcher.accept_bytes(text) and matcher.is_completed()) == expected, value
        assert validate(value, schema).ok == expected, value
        verdicts.add(expected)
    assert verdicts == {True, False}


def test_coverage_names_each_place_once() -> None:
    coverage = json_schema_to_grammar(STRINGS_AND_NUMBERS, profile="open").coverage
    places = [(entry.pointer, entry.keyword) for entry in coverage.entries]
    assert len(set(places)) == len(places)
    assert ("/$defs/list/items", "$dynamicRef", "mask") in {(e.pointer, e.keyword, e.column) for e in coverage.entries}


def test_a_document_of_the_registry() -> None:
    schema = {**STRICT_TREE, "$defs": {}}
    bundled = bundle_schema(schema, {"https://example.org/tree": TREE})
    assert validate({"children": [{"daat": 1}]}, bundled).ok is False


def chain(count: int) -> dict[str, Any]:
    """Resources each of which may be entered or not: 2**count scopes."""
    parts = {
        f"r{i}": {
            "$id": f"r{i}",
            "anyOf": [{"$ref": f"r{j}"} for j in range(i + 1, count)] or [{"$dynamicRef": f"r{i}#a{i}"}],
            "$defs": {"a": {"$dynamicAnchor": f"a{i}", "type": "null"}},
        }
        for i in range(count)
    }
    return {"$schema": DRAFT_2020, "anyOf": [{"$ref": f"r{i}"} for i in range(count)], "$defs": parts}


def test_too_many_scopes_are_refused() -> None:
    with pytest.raises(BudgetError) as caught:
        json_schema_to_grammar(chain(14), profile="open")
    assert caught.value.code == "SCHEMA_BUDGET"
    with pytest.raises(BudgetError) as caught:
        validate(None, chain(14))
    assert caught.value.code == "SCHEMA_BUDGET"
    assert validate(None, chain(5)).ok


@pytest.mark.parametrize("reference", ["#nowhere", "https://example.org/x#a", "#/$defs/no"])
def test_what_leads_nowhere(reference: str) -> None:
    schema = {"items": {"$dynamicRef": reference}}
    for read in (lambda: json_schema_to_grammar(schema, profile="open"), lambda: validate([1], schema)):
        with pytest.raises(SchemaError) as caught:
            read()
        assert (caught.value.code, caught.value.pointer) == ("SCHEMA_REF", "/items/$dynamicRef")


def test_scopes() -> None:
    scopes = DynamicScopes(limit=3)
    for uri, name in (("a", "x"), ("b", "x"), ("b", "y"), ("c", "z")):
        scopes.declare(name, Place({}, f"/{uri}", uri))
    first = scopes.enter(STATIC, "a", "")
    second = scopes.enter(first, "b", "")
    assert scopes.enter(second, "a", "") == second
    assert scopes.enter(STATIC, "other", "") == STATIC
    found = [scopes.outermost(second, name) for name in ("x", "y")]
    assert [place.base for place in found if place is not None] == ["a", "b"]
    assert scopes.outermost(STATIC, "x") is None
    assert scopes.is_anchor("y", Place({}, "/b", "b"))
    assert not scopes.is_anchor("y", Place({}, "/a", "a"))
    scopes.enter(STATIC, "b", "")
    with pytest.raises(BudgetError):
        scopes.enter(second, "c", "/here")
