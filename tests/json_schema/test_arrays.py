"""Arrays of every length, with prefixes and without, against jsonschema."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar

kinds = st.sampled_from([{"type": "integer"}, {"type": "null"}, {"type": ["boolean", "null"]}, False, True])
arrays = st.fixed_dictionaries(
    {"type": st.just("array")},
    optional={
        "prefixItems": st.lists(kinds, max_size=3),
        "items": kinds,
        "minItems": st.integers(0, 4),
        "maxItems": st.integers(0, 5),
    },
)
items = st.lists(st.sampled_from([1, None, True]), max_size=6)


@settings(max_examples=150)
@given(arrays, st.lists(items, min_size=3, max_size=8))
def test_agrees_with_jsonschema(accepts, attempt, schema, values):
    validator = jsonschema.Draft202012Validator(schema)
    grammars = [attempt(schema, whitespace=policy) for policy in ("compact", "json.dumps")]
    if isinstance(grammars[0], Error):
        assert grammars[0].code == "SCHEMA_CONFLICT"
        assert not any(validator.is_valid(value) for value in values)
        return
    assert {entry.column for entry in grammars[0].coverage} == {"mask"}
    for value in values:
        for grammar, separators in zip(grammars, ((",", ":"), (", ", ": ")), strict=True):
            assert accepts(grammar, json.dumps(value, separators=separators)) is validator.is_valid(value)


@pytest.mark.parametrize("text", ["[1,]", "[,1]", "[1 1]", "[1,,1]", "[", "]", "[1", "1]", "[1]]", "{}"])
def test_commas(accepts, text):
    assert accepts({"type": "array", "items": {"type": "integer"}}, "[1,1]")
    assert not accepts({"type": "array", "items": {"type": "integer"}}, text)


def test_long_prefixes_do_not_nest(accepts):
    schema = {"type": "array", "prefixItems": [{"type": "null"}] * 300, "items": False}
    grammar = json_schema_to_grammar(schema)
    assert hash(grammar.rules["root"]) is not None  # deep expressions overflow the stack here
    assert accepts(grammar, "[null,null]")
