"""The validator against the packages `jsonschema` and `jsonschema-rs` on random schemas and values."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from checkrail.boundary.validate import validate

names = st.sampled_from(["a", "b", "ab", ""])
strings = st.sampled_from(["", "a", "ab", "aba", "b1", "é", "\U0001f600x", "2026-02-28"])
scalars = st.sampled_from([None, True, False, 0, 1, 1.0, 2, 3, -1, 0.5, 2.5, 7]) | strings
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
counts = st.integers(0, 3)
numbers = st.sampled_from([-1, 0, 1, 2, 0.5, 2.5, 3])
patterns = st.sampled_from(["a", "^a", "b$", "^a?b*$", "[0-9]", "^.{2}$", "^$", "(ab)+"])


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    many = st.lists(inner, min_size=1, max_size=3)
    types = st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"])
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": types | st.lists(types, min_size=1, max_size=3, unique=True),
        "enum": st.lists(values, min_size=1, max_size=4),
        "const": values,
        "minLength": counts,
        "maxLength": counts,
        "pattern": patterns,
        "minimum": numbers,
        "maximum": numbers,
        "exclusiveMinimum": numbers,
        "exclusiveMaximum": numbers,
        "multipleOf": st.sampled_from([1, 2, 0.5, 3]),
        "prefixItems": many,
        "items": inner,
        "minItems": counts,
        "maxItems": counts,
        "uniqueItems": st.booleans(),
        "contains": inner,
        "minContains": counts,
        "maxContains": counts,
        "required": st.lists(names, max_size=2, unique=True),
        "properties": st.dictionaries(names, inner, max_size=3),
        "patternProperties": st.dictionaries(patterns, inner, max_size=2),
        "additionalProperties": inner,
        "propertyNames": inner,
        "minProperties": counts,
        "maxProperties": counts,
        "dependentRequired": st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=2),
        "dependentSchemas": st.dictionaries(names, inner, max_size=2),
        "allOf": many,
        "anyOf": many,
        "oneOf": many,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "unevaluatedItems": inner,
        "unevaluatedProperties": inner,
    }
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=4, unique=True)
    return chosen.flatmap(lambda words: st.fixed_dictionaries({word: keywords[word] for word in words}))


random_schemas = st.recursive(st.booleans() | schemas(st.booleans()), schemas, max_leaves=4)


@settings(max_examples=500, deadline=None)
@given(random_schemas, st.lists(values, min_size=4, max_size=8))
def test_valid_means_what_two_others_say(schema: Any, instances: list[Any]) -> None:
    oracles = Draft202012Validator(schema), jsonschema_rs.Draft202012Validator(schema)
    for instance in instances:
        found = {oracle.is_valid(instance) for oracle in oracles}
        assert found == {validate(instance, schema).ok}, (schema, instance)


plain_keywords = st.sampled_from(
    [
        {"type": "string", "minLength": 2, "pattern": "a"},
        {"type": ["integer", "null"], "minimum": 1, "multipleOf": 2},
        {"enum": ["a", 1]},
        {"const": "ab"},
        {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": True},
        {"maximum": 2, "exclusiveMinimum": 0, "maxLength": 1},
    ]
)
flat_schemas = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.dictionaries(names, plain_keywords, max_size=3),
        "required": st.lists(names, max_size=3, unique=True),
        "minProperties": counts,
        "allOf": st.lists(st.fixed_dictionaries({"maxProperties": counts}), min_size=1, max_size=1),
    },
)


@settings(max_examples=300, deadline=None)
@given(flat_schemas, st.dictionaries(names, values, max_size=3))
def test_every_fault_is_the_one_that_jsonschema_reports(schema: Any, instance: Any) -> None:
    """Place in the value, place in the schema: fault for fault, where no branch hides faults on either side."""
    expected = {
        (
            "".join(f"/{step}" for step in error.absolute_path),
            "".join(f"/{step}" for step in error.absolute_schema_path),
        )
        for error in Draft202012Validator(schema).iter_errors(instance)
    }
    got = {(fault.pointer, fault.schema_pointer) for fault in validate(instance, schema).faults}
    assert got == expected
