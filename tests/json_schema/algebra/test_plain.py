"""The fast path against the full reader: equal sets for every place that it takes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import Error
from checkrail.json_schema.algebra.profile import OpenTranslator
from checkrail.json_schema.options import Options
from checkrail.json_schema.references import subschemas
from checkrail.json_schema.schema import read_schema
from checkrail.limits import DEFAULT_LIMITS, Limits
from data_path import unpacked
from random_schemas import schemas

DRAFTS = (None, *(f"http://json-schema.org/draft-0{n}/schema#" for n in (4, 6, 7)))


def compared(schema, limits=DEFAULT_LIMITS):
    """How many places of a schema the fast path takes, and how many there are. Asserts that both readers agree."""
    options = Options.of(
        profile="open",
        property_order=None,
        whitespace=8,
        enforce_bounds=None,
        unsupported="error",
        limits=limits,
    )
    translator = OpenTranslator(read_schema(schema, limits), options, keeps_notes=False)
    reader, normalizer = translator.reader, translator.normalizer
    pending = [translator.references.root]
    taken = 0
    for place in pending:
        pending += map(translator.references.enter, subschemas(place))
        fast, refused = attempt(lambda here=place: reader.plain.read(here))
        full, also_refused = attempt(lambda here=place: normalizer.values(reader.define(here)))
        if refused is not None:
            assert refused == also_refused
        elif fast is not None:
            taken += 1
            assert fast == full, place
    return taken, len(pending)


def attempt(read):
    try:
        return read(), None
    except Error as error:
        return None, error.code


@settings(deadline=None, max_examples=200)
@given(schemas, st.sampled_from(DRAFTS))
def test_random_schemas(schema, draft):
    if isinstance(schema, dict) and draft is not None:
        schema = {"$schema": draft, **schema}
    compared(schema)


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 2000)
    | st.floats(-9, 9)
    | st.sampled_from(["a", "string", "date", "email"])
)
arguments = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "type", "x/~"]), inner, max_size=3)
    ),
    max_leaves=5,
)
sound = {
    "type": st.sampled_from(["string", "integer", "number", "array", "object", ["string", "null"]]),
    "properties": st.dictionaries(st.sampled_from(["a", "x/~"]), st.sampled_from([{}, True, False, {"type": "null"}])),
    "required": st.lists(st.sampled_from(["a", "z"]), max_size=3),
    "additionalProperties": st.sampled_from([True, False, {}, {"type": "null"}]),
    "items": st.sampled_from([True, False, {}, {"type": "null"}, [{}]]),
    "minItems": st.sampled_from([0, 1, 3, 2**600]),
    "maxItems": st.sampled_from([0, 1, 3, 2**600]),
    "minLength": st.sampled_from([0, 1, 3, 2**70]),
    "maxLength": st.sampled_from([0, 1, 3, 2**70]),
    "minimum": st.integers(-2, 3) | st.floats(-3, 3),
    "maximum": st.integers(-2, 3) | st.floats(-3, 3),
    "pattern": st.sampled_from(["^a", "b{2,3}", "(", "^(?=a)"]),
    "format": st.sampled_from(["date", "uuid", "email", "uri", "no such"]),
    "enum": st.lists(scalars, max_size=3),
    "const": scalars,
    "anyOf": st.lists(st.sampled_from([True, False, {"type": "string"}, {"type": "null", "title": "t"}]), max_size=3),
    "$ref": st.sampled_from(["#/$defs/a", "#/$defs/none", "#anchor", "#"]),
    "$id": st.sampled_from(["http://example.com/x", "part", "#anchor"]),
    "title": scalars,
    "unheardOf": scalars,
}  # fmt: skip
places = st.fixed_dictionaries({}, optional=sound).map(lambda schema: dict(list(schema.items())[:6]))


@settings(deadline=None, max_examples=400)
@given(
    places,
    st.sampled_from(DRAFTS),
    st.sampled_from([Limits(), Limits(enum_members=2, counted_states=8)]),
)
def test_one_place_with_sound_arguments(schema, draft, limits):
    whole = {"$defs": {"a": {"type": "integer"}}, "properties": {"p": schema}}
    compared(whole if draft is None else {"$schema": draft, **whole}, limits)


@pytest.mark.parametrize("keyword", sorted(sound))
@settings(deadline=None, max_examples=40)
@given(argument=arguments, beside=places)
def test_any_argument_of_a_keyword(keyword, argument, beside):
    compared({"$defs": {"a": {"type": "integer"}}, "properties": {"p": {**beside, keyword: argument}}})


FILES = sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json"))[5::41]


def test_every_place_of_real_schemas():
    taken = places = 0
    for path in FILES:
        text = json.dumps(json.loads(path.read_text("utf-8"))["schema"])
        if len(text) < 20_000:
            found = compared(text)
            taken, places = taken + found[0], places + found[1]
    assert taken > 0.85 * places
