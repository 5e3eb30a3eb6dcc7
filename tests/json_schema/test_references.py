"""`$ref`: pointers, anchors and ids within the document; everything else is refused."""

from __future__ import annotations

import pytest

INTEGER = {"type": "integer"}


@pytest.mark.parametrize(
    ("reference", "definitions"),
    [
        ("#/$defs/a", {"$defs": {"a": INTEGER}}),
        ("#/definitions/a", {"definitions": {"a": INTEGER}}),
        ("#/$defs/a~1b~0c", {"$defs": {"a/b~c": INTEGER}}),
        ("#/$defs/a%20%C3%A9", {"$defs": {"a é": INTEGER}}),
        ("#/$defs/100%25", {"$defs": {"100%": INTEGER}}),
        ("#/$defs/", {"$defs": {"": INTEGER}}),
        ("#/$defs/a/anyOf/1", {"$defs": {"a": {"anyOf": [{"type": "null"}, INTEGER]}}}),
        ("#/x-shared/a", {"x-shared": {"a": INTEGER}}),
        ("#a", {"$defs": {"x": {"$anchor": "a", **INTEGER}}}),
        ("#a", {"$defs": {"x": {"$dynamicAnchor": "a", **INTEGER}}}),
        ("part", {"$defs": {"x": {"$id": "part", **INTEGER}}}),
        ("part#/$defs/y", {"$defs": {"x": {"$id": "part", "$defs": {"y": INTEGER}}}}),
        ("https://example.com/root#/$defs/a", {"$id": "https://example.com/root", "$defs": {"a": INTEGER}}),
        (
            "/other",
            {"$id": "https://example.com/root", "$defs": {"a": {"$id": "https://example.com/other", **INTEGER}}},
        ),
        ("urn:x:1#/$defs/a", {"$id": "urn:x:1", "$defs": {"a": INTEGER}}),
        ("#/$defs/a", {"$id": "urn:x:1", "$defs": {"a": INTEGER}}),
        ("#/$defs/a", {"$id": "folder/relative.json", "$defs": {"a": INTEGER}}),
        (
            "part/x.json",
            {"$id": "a/r.json", "$defs": {"a": {"$id": "part/x.json", "$ref": "#/$defs/i", "$defs": {"i": INTEGER}}}},
        ),
        ("#/$defs/a:b", {"$defs": {"a:b": INTEGER}}),
        ("#/$defs/l/anyOf/1", {"$defs": {"l": {"$id": "urn:y:2", "anyOf": [False, INTEGER]}}}),
        ("#/$defs/b", {"$defs": {"a": INTEGER, "b": {"$ref": "#/$defs/a"}}}),
    ],
)
def test_found(accepts, reference, definitions):
    schema = {"type": "object", "properties": {"v": {"$ref": reference}}, "required": ["v"], **definitions}
    assert accepts(schema, '{"v":7}')
    assert not accepts(schema, '{"v":"7"}')


@pytest.mark.parametrize(
    "draft", ["http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#"]
)
def test_anchors_of_old_drafts(accepts, draft):
    keyword = "id" if "04" in draft else "$id"
    schema = {"$schema": draft, "definitions": {"x": {keyword: "#a", **INTEGER}}, "$ref": "#a"}
    assert accepts(schema, "7")
    assert not accepts(schema, "null")


@pytest.mark.parametrize(
    ("reference", "word"),
    [
        ("https://example.com/schema.json#/a", "leads to https://example.com/schema.json, out of this schema"),
        ("https://example.com/schema.json", "in registry"),
        ("file:///etc/passwd", "nothing is fetched"),
        ("other.json#/a", "leads to other.json, out of this schema"),
        ("/" + 200 * "x.", "x..., out of this schema"),
        ("/$defs/a", "no part of that name"),
        ("$defs/a", "no part of that name"),
        ("#/$defs/b", "there is nothing"),
        ("#/$defs/l/2", "there is nothing"),
        ("#/$defs/l/01", "there is nothing"),
        ("#/$defs/l/-", "there is nothing"),
        ("#/$defs/a/type/x", "there is nothing"),
        ("#b", "no anchor"),
        ("#/$defs/a~2", "~0"),
        ("#/$defs/%FF", "not a URI reference"),
        ("http://[", "nothing is fetched"),
    ],
)
def test_refused(refusal, reference, word):
    error = refusal({"$ref": reference, "$defs": {"a": INTEGER, "l": [INTEGER]}})
    assert (error.code, error.pointer) == ("SCHEMA_REF", "/$ref")
    assert word in error.message


def test_an_id_that_is_no_reference(refusal):
    error = refusal({"$defs": {"x": {"$id": "http://["}}, "$id": "http://example.com/", "type": "string"})
    assert (error.code, error.pointer) == ("SCHEMA_REF", "/$defs/x")


def test_an_id_within_data_is_data(refusal):
    assert refusal({"$defs": {"x": {"const": {"$id": "part"}}}, "$ref": "part"}).code == "SCHEMA_REF"


@pytest.mark.parametrize(
    "definitions",
    [
        {"a": {"$ref": "#/$defs/a"}},
        {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
        {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}},
    ],
)
def test_circles_without_an_object_or_array(refusal, definitions):
    error = refusal({"$ref": "#/$defs/a", "$defs": definitions})
    assert error.code == "SCHEMA_REF"
    assert "back to itself" in error.message


def test_a_long_chain_is_bounded(refusal):
    definitions = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(10_000)} | {"d10000": INTEGER}
    assert refusal({"$ref": "#/$defs/d0", "$defs": definitions}).code == "GRAMMAR_BUDGET_DEPTH"


def test_mutual_recursion(accepts):
    schema = {
        "$ref": "#/$defs/tree",
        "$defs": {
            "tree": {"type": "object", "properties": {"leaf": INTEGER, "kids": {"$ref": "#/$defs/forest"}}},
            "forest": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
        },
    }
    assert accepts(schema, '{"leaf":1,"kids":[{},{"kids":[{"leaf":2}]}]}')
    assert not accepts(schema, '{"kids":[{"kids":{}}]}')


def test_a_reference_within_other_types(accepts):
    schema = {"type": ["string", "null"], "$ref": "#/$defs/a", "$defs": {"a": {"type": ["integer", "string"]}}}
    assert accepts(schema, '"x"')
    assert not accepts(schema, "1")
    assert not accepts(schema, "null")
