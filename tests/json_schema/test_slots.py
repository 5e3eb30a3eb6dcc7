"""Which strings of a schema are slots, and what stands in their places."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checkrail import Grammar, SchemaError
from checkrail.json_schema.slots import FREE_MARK, find_slots, mark_of

NAME: dict[str, Any] = {"type": "string", "x-source": {"doc": "letter"}, "maxLength": 9}
SUM: dict[str, Any] = {"type": "string", "x-grammar": "calc-equation/1"}
MARK = {"const": mark_of(0).decode()}


def slotted(schema: Any, *, copies: bool = True, profile: str = "strict") -> Any:
    return find_slots(schema, copies=copies, profile=profile)


def test_marks_differ_and_none_begins_another() -> None:
    marks = [mark_of(slot) for slot in range(4_096)] + [FREE_MARK]
    assert len(set(marks)) == len(marks) == len({len(mark) for mark in marks}) * len(marks)
    assert all(json.loads(b'"' + mark + b'"') for mark in marks)


def test_a_copy_is_a_constant_and_remembers_what_it_must_be() -> None:
    found = slotted({**NAME, "minLength": 2, "pattern": "^[A-Z]", "title": "Name"})
    (slot,) = found.slots
    assert (slot.kind, slot.pointers, slot.low, slot.high) == ("copy", ("",), 2, 9)
    assert (slot.source, slot.others) == ({"doc": "letter"}, {"pattern": "^[A-Z]"})
    assert found.schema() == MARK
    assert found.schema({0}) is False
    assert repr(found) == "<SlottedSchema 1 slots>"


def test_copies_are_slots_only_where_they_are_asked_for() -> None:
    schema = {"type": "object", "properties": {"a": NAME, "b": SUM}}
    assert [slot.kind for slot in slotted(schema).slots] == ["copy", "equation"]
    assert [slot.kind for slot in slotted(schema, copies=False).slots] == ["equation"]
    assert slotted({"type": "string"}).slots == ()


def test_equal_strings_are_one_slot() -> None:
    schema = {"type": "array", "prefixItems": [NAME, dict(NAME)], "items": {**NAME, "maxLength": 8}}
    assert [slot.pointers for slot in slotted(schema).slots] == [("/prefixItems/0", "/prefixItems/1"), ("/items",)]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({**NAME, "type": ["string", "null"]}, {"anyOf": [MARK, {"type": ["null"]}]}),
        ({**NAME, "type": ["string"]}, MARK),
        (
            {**NAME, "type": ["integer", "string"], "minimum": 3},
            {"anyOf": [MARK, {"type": ["integer"], "minimum": 3}]},
        ),
        (
            {**NAME, "type": ["null", "string"], "enum": ["a", None]},
            {"anyOf": [MARK, {"type": ["null"], "enum": [None]}]},
        ),
        ({**NAME, "type": ["null", "string"], "enum": ["a"]}, MARK),
        ({**NAME, "type": ["null", "string"], "const": "a"}, MARK),
        ({**NAME, "type": "integer"}, {**NAME, "type": "integer"}),
        ({"x-source": {}}, MARK),
    ],
)
def test_other_types_beside(schema: dict[str, Any], expected: Any) -> None:
    assert slotted(schema).schema() == expected


def test_without_a_type_the_open_profile_means_all() -> None:
    types = ["array", "boolean", "integer", "null", "number", "object"]
    assert slotted({"x-source": {}}, profile="open").schema() == {"anyOf": [MARK, {"type": types}]}


def test_data_is_not_taken_for_a_schema() -> None:
    data = {"type": "string", "x-source": {}}
    schema = {"type": "object", "properties": {"x-source": {"enum": [data]}}, "default": data, "examples": [data]}
    assert slotted(schema).slots == ()
    assert slotted(schema).schema() == schema


def test_everywhere_that_schemas_stand() -> None:
    schema = {
        "$defs": {"n": NAME},
        "properties": {"a": NAME},
        "patternProperties": {"^x": NAME},
        "additionalProperties": NAME,
        "items": NAME,
        "prefixItems": [NAME],
        "anyOf": [NAME],
        "oneOf": [NAME],
        "allOf": [NAME],
    }
    assert len(slotted(schema, profile="open").slots[0].pointers) == 9
    assert json.dumps(slotted(schema, profile="open").schema()).count(json.dumps(MARK)) == 9


@pytest.mark.parametrize("keyword", ["not", "if", "then", "else", "contains"])
def test_a_mark_does_not_stand_where_several_schemas_have_a_say(keyword: str) -> None:
    with pytest.raises(SchemaError) as caught:
        slotted({keyword: {"properties": {"a": NAME}}}, profile="open")
    assert (caught.value.code, caught.value.pointer) == ("SCHEMA_KEYWORD_UNSUPPORTED", f"/{keyword}/properties/a")


def test_nor_in_one_of_several_branches_of_all_of() -> None:
    with pytest.raises(SchemaError, match="below allOf"):
        slotted({"allOf": [{"properties": {"a": NAME}}, {"minProperties": 1}]}, profile="open")
    with pytest.raises(SchemaError, match="below dependentSchemas"):
        slotted({"dependentSchemas": {"b": {"properties": {"a": NAME}}}}, profile="open")


def test_names_of_properties_are_no_slots() -> None:
    assert slotted({"propertyNames": NAME}, profile="open").slots == ()


@pytest.mark.parametrize("keyword", ["$ref", "anyOf", "not"])
def test_a_slot_says_what_it_is_by_itself(keyword: str) -> None:
    with pytest.raises(SchemaError, match=f"beside \\{keyword}" if keyword[0] == "$" else f"beside {keyword}"):
        slotted({**NAME, keyword: []}, profile="open")


@pytest.mark.parametrize(
    "other",
    [{"type": "string"}, {"type": ["null", "string"]}, {"type": "string", "pattern": "a"}, {"maxLength": 3}, {}, True],
)
def test_free_strings_beside_a_slot_are_refused(other: Any) -> None:
    with pytest.raises(SchemaError, match="list them with enum"):
        slotted({"properties": {"a": {"anyOf": [NAME, other]}}})


@pytest.mark.parametrize(
    "other", [{"type": "null"}, {"enum": ["N/A"]}, {"const": "x"}, {"properties": {}}, {"minimum": 1}, NAME, False]
)
def test_other_values_and_listed_strings_may_stand_beside_it(other: Any) -> None:
    assert len(slotted({"anyOf": [NAME, other]}).slots) == 1


def test_characters_of_marks_are_refused_elsewhere() -> None:
    with pytest.raises(SchemaError) as caught:
        slotted({"properties": {"a": NAME, "b": {"enum": ["\U0010ffff"]}}})
    assert caught.value.code == "SCHEMA_SYNTAX"
    assert slotted({"enum": ["\U0010ffff"]}).slots == ()


@pytest.mark.parametrize("profile", ["strict", "open"])
def test_both_profiles_read_what_is_made(profile: str) -> None:
    schema = {
        "type": "object",
        "properties": {"a": NAME, "n": {**NAME, "type": ["string", "null"]}, "l": {"type": "array", "items": SUM}},
        "required": ["a"],
        "additionalProperties": False,
    }
    found = slotted(schema, profile=profile)
    rules = str(Grammar.from_json_schema(found.schema(), profile=profile))
    assert "\U0010ffff" in rules or "10FFFF" in rules.upper()
    left = Grammar.from_json_schema(found.schema({1}), profile=profile)
    assert str(left)
