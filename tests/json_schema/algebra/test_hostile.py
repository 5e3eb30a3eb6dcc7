"""Any JSON at all as the argument of any keyword, at any place: a grammar that compiles, or a catalogued error."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import Error
from checkrail.grammar.analyze import check
from checkrail.json_schema import json_schema_to_grammar
from checkrail.json_schema.profile import KEYWORDS

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.sampled_from(["", "object", "string", "a(", "[z-a]", "date", "email", "#", "#/$defs/a", "#/properties/a", "^a"]),
    st.text(max_size=3),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["a", "type", "properties", "$ref", "not", "items", "enum", "minLength"]), inner, max_size=3
        ),
    ),
    max_leaves=6,
)
besides = st.sampled_from(
    [
        {},
        {"type": "object"},
        {"type": ["array", "string"]},
        {"not": {"required": ["a"]}},
        {"oneOf": [{}, {"type": "null"}]},
    ]
)


@pytest.mark.parametrize("keyword", sorted({*KEYWORDS, "requred", "$id", "$schema"}))
@settings(max_examples=12, deadline=None)
@given(argument=values, beside=besides)
def test_no_argument_of_a_keyword_breaks_the_reader(keyword, argument, beside):
    inner = {**beside, keyword: argument}
    for schema in (
        {**inner, "$defs": {"a": {"type": "null"}}},
        {"not": {"type": "object", "required": ["a"], "properties": {"a": inner}}},
    ):
        with suppress(Error):
            check(json_schema_to_grammar(schema, profile="open"))


def test_internal_errors_are_none_of_them():
    for keyword in KEYWORDS:
        for argument in (None, 0, -1, 1.5, "", "x", [], {}, [[]], {"a": 1}, True, False, [True], {"a": True}):
            assert code_of({keyword: argument}) != "INTERNAL", (keyword, argument)
            combined = {"anyOf": [{keyword: argument}, {"const": 1}], "not": {keyword: argument}}
            assert code_of(combined) != "INTERNAL", (keyword, argument)


def code_of(schema):
    try:
        json_schema_to_grammar(schema, profile="open")
    except Error as error:
        return error.code
    return None
