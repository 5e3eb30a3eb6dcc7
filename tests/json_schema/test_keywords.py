"""Every keyword is noted, or refused with its pointer and what to write instead; none is passed over."""

from __future__ import annotations

import pytest

from checkrail.json_schema import json_schema_to_grammar
from checkrail.json_schema.profile import KEYWORDS

# Where each refused keyword stands, with a value that would mean something.
REFUSED = {
    "not": {"type": "string", "not": {"const": "x"}},
    "if": {"type": "string", "if": {"const": "x"}},
    "then": {"type": "string", "then": {"const": "x"}},
    "else": {"type": "string", "else": {"const": "x"}},
    "patternProperties": {"type": "object", "patternProperties": {"^x": {}}},
    "propertyNames": {"type": "object", "propertyNames": {"maxLength": 3}},
    "unevaluatedProperties": {"type": "object", "unevaluatedProperties": False},
    "unevaluatedItems": {"type": "array", "unevaluatedItems": False},
    "dependentRequired": {"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}},
    "dependentSchemas": {"type": "object", "properties": {"a": {}}, "dependentSchemas": {"a": True}},
    "dependencies": {"type": "object", "properties": {"a": {}, "b": {}}, "dependencies": {"a": ["b"]}},
    "$dynamicRef": {"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a"}}},
    "$recursiveRef": {"$recursiveRef": "#"},
    "$recursiveAnchor": {"$recursiveAnchor": True, "type": "string"},
    "$vocabulary": {"$vocabulary": {}, "type": "string"},
    "divisibleBy": {"type": "integer", "divisibleBy": 2},
    "disallow": {"disallow": "string", "type": "integer"},
    "extends": {"type": "object", "extends": {"type": "object"}},
}
ALSO_REFUSED = {
    "additionalProperties": [
        {"type": "object", "additionalProperties": True},
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ],
    "minProperties": [{"type": "object", "properties": {"a": {}, "b": {}}, "minProperties": 1}],
    "maxProperties": [{"type": "object", "properties": {"a": {}, "b": {}}, "maxProperties": 1}],
    "allOf": [
        {"allOf": [{"type": "string"}, {"maxLength": 3}]},
        {"type": "string", "minLength": 1, "allOf": [{"maxLength": 3}]},
    ],
    "anyOf": [
        {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    ],
    "oneOf": [{"anyOf": [{"type": "null"}], "oneOf": [{"type": "string"}]}],
    "$ref": [{"$defs": {"s": {"type": "string"}}, "$ref": "#/$defs/s", "maxLength": 3}],
    "type": [{"minLength": 1, "minimum": 1}, {"properties": {}, "items": {}}],
}
CASES = [*((k, s) for k, s in REFUSED.items()), *((k, s) for k, schemas in ALSO_REFUSED.items() for s in schemas)]


def test_the_cases_are_complete():
    assert REFUSED.keys() == {row.name for row in KEYWORDS.values() if row.column == "refused"}


@pytest.mark.parametrize(("keyword", "schema"), CASES, ids=[f"{k}" for k, _ in CASES])
def test_refused(refusal, keyword, schema):
    for outer, prefix in ((lambda s: s, ""), (lambda s: {"type": "array", "items": s}, "/items")):
        if prefix and any("Ref" in k for k in schema):
            continue
        error = refusal(_moved(outer(schema)))
        assert error.code == "SCHEMA_KEYWORD_UNSUPPORTED"
        assert error.pointer == f"{prefix}/{keyword}"
        assert error.params["keyword"] == keyword
        assert len(error.params["what"]) > 5


def _moved(schema: dict) -> dict:
    """References are relative to the document: definitions move to its root."""
    definitions = schema.get("items", {}).get("$defs") if isinstance(schema.get("items"), dict) else None
    return {"$defs": definitions, **schema} if definitions else schema


@pytest.mark.parametrize(
    ("wrong", "right"), [("requred", "required"), ("propertys", "properties"), ("maxlength", "maxLength")]
)
def test_a_misspelt_keyword(refusal, wrong, right):
    error = refusal({"type": "object", "properties": {"a": {"type": "string", wrong: []}}})
    assert (error.code, error.pointer) == ("SCHEMA_KEYWORD_UNSUPPORTED", f"/properties/a/{wrong}")
    assert f"did you mean `{right}`?" in error.message


def test_unknown_keywords(refusal, columns):
    assert "x-" in refusal({"type": "string", "zzz": 1}).message
    assert columns({"type": "string", "x-zzz": 1})["x-zzz"] == "annotation"
    # Also where a schema is only checked, and inside definitions that are used.
    assert refusal({"type": "array", "contains": {"type": "string", "zzz": 1}}).pointer == "/contains/zzz"
    assert refusal({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string", "zzz": 1}}}).pointer == "/$defs/a/zzz"


def test_keywords_about_other_types_are_annotations(columns):
    found = columns(
        {"type": "integer", "maxLength": 3, "patternProperties": {}, "uniqueItems": True, "format": "int32"}
    )
    assert found == {
        "type": "mask",
        "maxLength": "annotation",
        "patternProperties": "annotation",
        "uniqueItems": "annotation",
        "format": "annotation",
    }


@pytest.mark.parametrize("keyword", [row.name for row in KEYWORDS.values() if row.column == "annotation"])
def test_annotations_change_nothing(keyword):
    value = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {}, "definitions": {}}.get(
        keyword, "x"
    )
    plain = json_schema_to_grammar({"type": "string"})
    noted = json_schema_to_grammar({"type": "string", keyword: value})
    assert noted.rules == plain.rules
    assert [(e.keyword, e.column) for e in noted.coverage] == [("type", "mask"), (keyword, "annotation")]


def test_report_leaves_to_the_check_what_it_can(accepts, columns):
    for keyword, schema in CASES:
        if keyword in ("type", "$dynamicRef", "$recursiveRef", "$recursiveAnchor"):
            continue
        found = columns(schema, unsupported="report")
        assert found[keyword] == "checked", keyword
    schema = ALSO_REFUSED["anyOf"][0]
    assert accepts(schema, '{"a":1}', unsupported="report")
    assert not accepts(schema, '{"c":1}', unsupported="report")
    assert columns({"type": "string", "zzz": 1}, unsupported="report")["zzz"] == "annotation"


@pytest.mark.parametrize("keyword", ["type", "$dynamicRef", "$recursiveRef"])
def test_what_a_report_cannot_leave(refusal, keyword):
    schema = REFUSED.get(keyword) or ALSO_REFUSED[keyword][0]
    assert refusal(schema, unsupported="report").pointer == f"/{keyword}"


def test_several_branches_in_a_report(accepts, columns):
    schema = {"allOf": [{"type": "string"}, {"maxLength": 3, "x-note": 1}]}
    assert columns(schema, unsupported="report") == {
        "allOf": "checked",
        "/allOf/0 type": "mask",
        "/allOf/1 maxLength": "checked",
        "/allOf/1 x-note": "annotation",
    }
    assert accepts(schema, '"long"', unsupported="report")


@pytest.mark.parametrize("value", ["text", [], ["string", "text"], 5, None, {}, [["string"]]])
def test_malformed_types(refusal, value):
    error = refusal({"type": value})
    assert (error.code, error.pointer) == ("SCHEMA_SYNTAX", "/type")
