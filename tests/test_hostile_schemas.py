"""Any JSON at all as the argument of any keyword: both readers of schemas end in a result or a catalogued error."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.validate import check_output
from checkrail.errors import Error
from checkrail.grammar.grammar import Grammar
from checkrail.json_schema.profile import KEYWORDS

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from(
        ["", "object", "string", "unique", "near:", "a(", "[z-a]", "date", "#", "#/$defs/a", "exact", "\ud800"]
    ),
    st.text(max_size=3),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["a", "type", "properties", "doc", "$ref"]), inner, max_size=3),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("keyword", sorted({*KEYWORDS, "requred", "$id", "$schema"}))
@settings(max_examples=40)
@given(
    argument=values, beside=st.sampled_from([{}, {"type": "object"}, {"type": "string"}, {"type": ["array", "number"]}])
)
def test_no_argument_of_a_keyword_breaks_a_reader(keyword, argument, beside):
    schema = {**beside, keyword: argument, "$defs": {"a": {"type": "null"}}}
    for read in (Grammar.from_json_schema, lambda s: check_output('{"a": [1, "x"]}', s)):
        with suppress(Error):
            read(schema)
