"""Bad schemas are refused before any value is seen, with code and pointer; references find their targets."""

from __future__ import annotations

from typing import Any

import pytest

from checkrail.boundary.validate import validate
from checkrail.boundary.validation.keywords import KEYWORDS
from checkrail.boundary.validation.schema_reader import _SchemaReader, read_schema
from checkrail.errors import SchemaError


def refusal(schema: Any) -> tuple[str, str | None]:
    with pytest.raises(SchemaError) as caught:
        read_schema(schema)
    return caught.value.code, caught.value.pointer


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (1, ""),
        (None, ""),
        ("{", ""),
        ('{"type":"string","type":"null"}', ""),
        ({"properties": {"a/b": 3}}, "/properties/a~1b"),
        ({"properties": []}, "/properties"),
        ({"type": "text"}, "/type"),
        ({"type": []}, "/type"),
        ({"type": [{"x": 1}]}, "/type"),
        ({"enum": "a"}, "/enum"),
        ({"const": float("nan")}, "/const"),
        ({"enum": [b"x"]}, "/enum"),
        ({"minLength": -1}, "/minLength"),
        ({"maxItems": 1.5}, "/maxItems"),
        ({"maxItems": True}, "/maxItems"),
        ({"maxItems": float("inf")}, "/maxItems"),
        ({"maxItems": float("nan")}, "/maxItems"),
        ({"minimum": "1"}, "/minimum"),
        ({"minimum": float("inf")}, "/minimum"),
        ({"multipleOf": 0}, "/multipleOf"),
        ({"required": "a"}, "/required"),
        ({"required": [1]}, "/required"),
        ({"uniqueItems": 1}, "/uniqueItems"),
        ({"allOf": []}, "/allOf"),
        ({"anyOf": {}}, "/anyOf"),
        ({"items": "x"}, "/items"),
        ({"not": 1}, "/not"),
        ({"dependentRequired": {"a": "b"}}, "/dependentRequired"),
        ({"dependencies": {"a": 1}}, "/dependencies/a"),
        ({"pattern": "("}, "/pattern"),
        ({"pattern": 1}, "/pattern"),
        ({"patternProperties": {"[": {}}}, "/patternProperties/["),
        ({"format": 1}, "/format"),
        ({"$ref": 1}, "/$ref"),
        ({1: 2}, ""),
        ({"x-source": {"dok": "a"}}, "/x-source"),
        ({"x-source": "document"}, "/x-source"),
        ({"x-source": {"doc": "A B"}}, "/x-source"),
        ({"x-source": {"match": ["fuzzy"]}}, "/x-source"),
        ({"x-source": {"match": []}}, "/x-source"),
        ({"x-source": {"occurrence": "near:"}}, "/x-source"),
        ({"x-source": {"occurrence": ["unique"]}}, "/x-source"),
        ({"x-source": {"boundary": "page"}}, "/x-source"),
        ({"type": "number", "x-source": {}}, "/x-source"),
        ({"x-overlap": "allow"}, "/x-overlap"),
        ({"x-derived": {"a": {"from": "b"}}}, "/x-derived"),
        ({"x-derived": {"a": {"from": "b", "parse": "guess"}}}, "/x-derived"),
        ({"x-derived": []}, "/x-derived"),
    ],
)
def test_malformed(schema: Any, pointer: str) -> None:
    assert refusal(schema) == ("SCHEMA_SYNTAX", pointer)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$schema": "https://example.org/mine"}, "/$schema"),
        ({"$schema": 4}, "/$schema"),
        ({"pattern": r"(a)\1"}, "/pattern"),
        ({"patternProperties": {"(?<=a)b/": {}}}, "/patternProperties/(?<=a)b~1"),
    ],
)
def test_unsupported(schema: Any, pointer: str) -> None:
    assert refusal(schema) == ("SCHEMA_KEYWORD_UNSUPPORTED", pointer)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$ref": "https://example.org/s"}, "/$ref"),
        ({"$ref": "other.json"}, "/$ref"),
        ({"items": {"$ref": "#/$defs/no"}}, "/items/$ref"),
        ({"$ref": "#nowhere"}, "/$ref"),
        ({"$ref": "#/$defs/~2"}, "/$ref"),
        ({"allOf": [{}], "items": {"$ref": "#/allOf/00"}}, "/items/$ref"),
        ({"allOf": [{}], "items": {"$ref": "#/allOf/1"}}, "/items/$ref"),
        ({"type": "string", "items": {"$ref": "#/type/0"}}, "/items/$ref"),
        ({"$ref": "http://[::1#x"}, "/$ref"),
        ({"$id": "http://example.org/", "$ref": "http://[::1"}, "/$ref"),
        ({"$id": "http://[::1#", "$ref": "x"}, "/$ref"),
        ({"$ref": "#"}, "/$ref"),
        ({"allOf": [{"$ref": "#"}]}, ""),
        ({"anyOf": [{"not": {"$ref": "#/$defs/a"}}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#"}}}, ""),
        ({"dependentSchemas": {"x": {"$ref": "#"}}}, ""),
    ],
)
def test_references_that_lead_nowhere_or_round(schema: Any, pointer: str) -> None:
    code, where = refusal(schema)
    assert code == "SCHEMA_REF"
    assert where is not None
    if pointer:
        assert where == pointer


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a~1b%25~0", "$defs": {"a/b%~": {"type": "null"}}},
        {"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "null"}}},
        {"$id": "https://example.org/root", "$ref": "item", "$defs": {"x": {"$id": "item", "type": "null"}}},
        {"$id": "urn:x:y", "$ref": "urn:x:y#/$defs/x", "$defs": {"x": {"type": "null"}}},
        {"$ref": "#/elsewhere/0", "elsewhere": [{"type": "null"}]},
        {"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"type": "null"}}},
        {"$ref": "#/$defs/n", "$defs": {"n": False}},
        {"$defs": {"x": {"type": "null"}}, "allOf": [{"$ref": "#/$defs/x"}], "maxLength": 1},
    ],
)
def test_references_that_lead_somewhere(schema: Any) -> None:
    assert not validate("xx", schema).ok
    assert validate(None, schema).ok == ("n" not in schema.get("$defs", {}))


def test_siblings_of_a_reference_count_except_in_old_drafts() -> None:
    schema = {"$ref": "#/definitions/x", "maxLength": 1, "definitions": {"x": {"type": "string"}}}
    assert not validate("ab", schema).ok
    assert validate("ab", {"$schema": "http://json-schema.org/draft-07/schema#", **schema}).ok
    assert not validate("ab", {"$schema": "https://json-schema.org/draft/2019-09/schema", **schema}).ok


def test_recursive_schemas_are_fine_where_they_go_deeper() -> None:
    tree = {"type": "object", "properties": {"children": {"items": {"$ref": "#"}}}, "required": ["v"]}
    assert validate({"v": 1, "children": [{"v": 2, "children": []}]}, tree).ok
    (fault,) = validate({"v": 1, "children": [{"v": 2, "children": [{}]}]}, tree).faults
    assert fault.pointer == "/children/0/children/0"


def test_one_python_object_in_two_places_is_two_schemas() -> None:
    shared = {"type": "string"}
    faults = validate({"a": 1, "b": 2}, {"properties": {"a": shared, "b": shared}}).faults
    assert [fault.schema_pointer for fault in faults] == ["/properties/a/type", "/properties/b/type"]


def test_a_python_object_within_itself_is_refused() -> None:
    loop: dict[str, Any] = {"type": "object"}
    loop["properties"] = {"a": {"items": loop}}
    assert refusal(loop) == ("SCHEMA_SYNTAX", "/properties/a/items")


def test_formats_are_annotations_on_request_or_when_unknown() -> None:
    assert validate("x", {"format": "date"}, format_assertion=False).ok
    assert validate("x", {"format": "postcode"}).ok
    assert not validate("x", {"format": "date"}).ok


def test_every_keyword_has_a_reader_of_its_argument() -> None:
    for word, keyword in KEYWORDS.items():
        assert callable(getattr(_SchemaReader, keyword.argument)), word
        assert keyword.check is None or keyword.steps is None


def test_deep_schema_texts_are_read() -> None:
    text = '{"items":' * 900 + '{"type":"null"}' + "}" * 900
    assert validate([], text).ok
    assert refusal('{"items":' * 2_000 + "{}" + "}" * 2_000) == ("SCHEMA_SYNTAX", "")


def test_repr_names_the_place() -> None:
    assert repr(read_schema({"type": "string"})) == "<Subschema the root: type>"
