"""`enum` and `const`."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import Error
from checkrail.json_schema import json_schema_to_grammar
from checkrail.limits import Limits

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 12), st.sampled_from([0.5, -1.5]), st.text('ab"\\é\n', max_size=3)
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text("ab", max_size=1), inner, max_size=2)),
)


def spelled(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@settings(max_examples=150)
@given(st.lists(values, min_size=1, max_size=5), st.lists(values, max_size=4))
def test_exactly_the_members(accepts, members, others):
    grammar = json_schema_to_grammar({"enum": members})
    validator = jsonschema.Draft202012Validator({"enum": members})
    for value in [*members, *others]:
        if isinstance(value, (dict, list)):  # an equal object in another order is another text
            assert accepts(grammar, spelled(value)) is (spelled(value) in map(spelled, members))
        else:
            assert accepts(grammar, spelled(value)) is validator.is_valid(value)


siblings = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "null", ["string", "boolean"]]),
        "minLength": st.integers(0, 2),
        "pattern": st.sampled_from(["a", "^b", "é$"]),
        "maximum": st.integers(-2, 10),
        "multipleOf": st.sampled_from([2, 0.5]),
    },
)


@settings(max_examples=200)
@given(st.lists(scalars, min_size=1, max_size=6), siblings)
def test_members_meet_the_other_keywords(accepts, attempt, members, others):
    schema = {"enum": members, **others}
    valid = [v for v in members if jsonschema.Draft202012Validator(schema).is_valid(v)]
    grammar = attempt(schema)
    if isinstance(grammar, Error):
        assert grammar.code == "SCHEMA_CONFLICT"
        assert not valid
        return
    assert "checked" not in {entry.column for entry in grammar.coverage}
    for value in members:
        assert accepts(grammar, spelled(value)) is (value in valid and any(spelled(value) == spelled(v) for v in valid))


def test_one_spelling(accepts):
    assert accepts({"const": "café/\n"}, '"café/\\n"')
    for other in ('"caf\\u00e9/\\n"', '"café\\/\\n"', '"café/\\u000a"'):
        assert not accepts({"const": "café/\n"}, other)
    assert accepts({"const": 1.50}, "1.5")
    assert not accepts({"const": 1.5}, "1.50")
    assert accepts('{"const": 1.0, "type": "integer"}', "1")
    assert not accepts({"const": True}, "1")
    assert not accepts({"enum": [1]}, "true")


def test_blanks_in_fixed_objects(accepts):
    schema = {"const": {"a": [1, {}], "b": 2}}
    assert accepts(schema, '{ "a" : [ 1 , {} ] , "b" : 2 }')
    assert accepts(schema, '{"a": [1, {}], "b": 2}', whitespace="json.dumps")
    assert not accepts(schema, '{"a":[1,{}],"b":2}', whitespace="json.dumps")
    assert accepts({"const": []}, "[]", whitespace="json.dumps")


def test_const_and_enum(accepts, refusal):
    assert accepts({"const": 1, "enum": [0, 1.0]}, "1")
    assert not accepts({"const": 1, "enum": [0, 1.0]}, "0")
    assert accepts({"const": [{"a": 1}], "enum": [[], [{"b": 1}], [{"a": 1.0}]]}, '[{"a":1}]')
    assert refusal({"const": 1, "enum": [True, "1", [1]]}).code == "SCHEMA_CONFLICT"


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ({"enum": []}, "SCHEMA_CONFLICT"),
        ({"enum": "ab"}, "SCHEMA_SYNTAX"),
        ({"type": "string", "enum": [1, None]}, "SCHEMA_CONFLICT"),
        ({"type": "integer", "enum": [1.5]}, "SCHEMA_CONFLICT"),
        ({"enum": [1, 2], "minimum": 3}, "SCHEMA_CONFLICT"),
        ({"const": {}, "required": ["a"]}, "SCHEMA_KEYWORD_UNSUPPORTED"),
        ({"enum": [[1]], "maxItems": 0}, "SCHEMA_KEYWORD_UNSUPPORTED"),
    ],
)
def test_refused(refusal, schema, code):
    assert refusal(schema).code == code


def test_the_number_of_members_is_bounded(refusal):
    limits = Limits(enum_members=3)
    assert json_schema_to_grammar({"enum": [1, 2, 3]}, limits=limits)
    for keyword, value in (("enum", [1, 2, 3, 4]), ("enum", [[1, {"a": 2}]]), ("const", [1, 2, [3]])):
        error = refusal({keyword: value}, limits=limits)
        assert (error.code, error.pointer) == ("SCHEMA_BUDGET", f"/{keyword}")


def test_keywords_about_no_member(columns):
    found = columns({"enum": ["a", 1], "maxItems": 3, "maximum": 5, "maxLength": 2, "format": "date-time"})
    assert found == {
        "enum": "mask",
        "maxItems": "annotation",
        "maximum": "mask",
        "maxLength": "mask",
        "format": "checked",
    }


def test_in_a_report(accepts, columns):
    schema = {"enum": [[1], [1, 2]], "maxItems": 1}
    assert columns(schema, unsupported="report")["maxItems"] == "checked"
    assert accepts(schema, "[1,2]", unsupported="report")
