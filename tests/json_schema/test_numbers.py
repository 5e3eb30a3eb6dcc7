"""Numbers: what the mask lets through, bounds left to the check or moved into the mask."""

from __future__ import annotations

from decimal import Decimal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import Error
from checkrail.json_schema.numbers import Bounds

BOUND_KEYWORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
bound = st.one_of(st.integers(-30, 30), st.sampled_from([0.5, -0.5, 1.5, 2.25, -7.125]))


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(BOUND_KEYWORDS), bound, min_size=1), st.lists(bound, min_size=1, max_size=8))
def test_bounds_in_the_mask_agree_with_jsonschema(accepts, attempt, bounds, values):
    for kind in ("integer", "number"):
        schema = {"type": kind, **bounds}
        grammar = attempt(schema, enforce_bounds=True)
        if isinstance(grammar, Error):
            assert grammar.code == "SCHEMA_CONFLICT"
            probes = [n / 8 for n in range(-300, 301)] if kind == "number" else range(-40, 41)
            assert not any(jsonschema.Draft202012Validator(schema).is_valid(probe) for probe in probes)
            continue
        assert {e.column for e in grammar.coverage} == {"mask"}
        for value in values:
            assert accepts(grammar, repr(value)) is jsonschema.Draft202012Validator(schema).is_valid(value)


def test_bounds_are_semantic_by_default(accepts, columns):
    schema = {"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 5}
    assert accepts(schema, "999")
    assert accepts(schema, "-3")
    assert columns(schema) == {"type": "mask", "minimum": "checked", "maximum": "checked", "multipleOf": "checked"}
    enforced = columns(schema, enforce_bounds=True)
    assert enforced == {"type": "mask", "minimum": "mask", "maximum": "mask", "multipleOf": "checked"}
    assert not accepts(schema, "999", enforce_bounds=True)


def test_integers(accepts):
    for text in ("0", "-1", "9007199254740991", "-9007199254740991"):
        assert accepts({"type": "integer"}, text)
    for text in ("-0", "01", "1.0", "1e3", "9007199254740992", "-9007199254740992", "+1", ""):
        assert not accepts({"type": "integer"}, text)


@pytest.mark.parametrize("enforce", [False, True])
def test_integers_beyond_the_doubles_where_the_schema_says_so(accepts, enforce):
    low, high = 9007199254740993, 9007199254740995
    schema = {"type": "integer", "minimum": low, "maximum": high}
    assert accepts(schema, str(low), enforce_bounds=enforce)
    assert accepts(schema, str(high), enforce_bounds=enforce)
    assert not accepts(schema, str(high + 1), enforce_bounds=enforce)
    assert accepts(schema, "1", enforce_bounds=enforce) is not enforce
    for keyword, text in (("minimum", str(2**63 + 1)), ("maximum", str(-(2**63) - 1))):
        assert accepts({"type": "integer", keyword: int(text)}, text, enforce_bounds=enforce)


def test_fractional_bounds_on_integers(accepts):
    schema = {"type": "integer", "minimum": 1.5, "exclusiveMaximum": 4}
    assert [n for n in range(-2, 8) if accepts(schema, str(n), enforce_bounds=True)] == [2, 3]


def test_a_bound_out_of_reach_is_checked(columns, accepts):
    schema = {"type": "number", "minimum": 1e300}
    assert columns(schema, enforce_bounds=True)["minimum"] == "checked"
    assert accepts(schema, "1e301", enforce_bounds=True)


@pytest.mark.parametrize(
    "keywords",
    [
        {"minimum": 2, "maximum": 1},
        {"exclusiveMinimum": 1, "maximum": 1},
        {"minimum": 1, "exclusiveMaximum": 1},
        {"minimum": 1, "exclusiveMinimum": True, "maximum": 1},
    ],
)
def test_bounds_that_exclude_everything(refusal, keywords):
    for kind in ("integer", "number"):
        error = refusal({"type": kind, **keywords})
        assert (error.code, error.pointer) == ("SCHEMA_CONFLICT", "")


def test_no_integer_between(refusal, accepts):
    keywords = {"exclusiveMinimum": 1, "exclusiveMaximum": 2}
    assert refusal({"type": "integer", **keywords}).code == "SCHEMA_CONFLICT"
    assert accepts({"type": "number", **keywords}, "1.5")


@pytest.mark.parametrize(
    ("keyword", "value"), [("minimum", "1"), ("maximum", True), ("multipleOf", 0), ("multipleOf", -1)]
)
def test_malformed(refusal, keyword, value):
    error = refusal({"type": "integer", keyword: value})
    assert (error.code, error.pointer) == ("SCHEMA_SYNTAX", f"/{keyword}")


def test_contains_is_exact():
    tenths = Bounds(None, False, None, False, Decimal("0.1"))
    assert tenths.contains(Decimal("0.3"))
    assert tenths.contains(7)
    assert not tenths.contains(Decimal("0.35"))
    big = Bounds(Decimal(2**53 + 1), True, None, False, None)
    assert not big.contains(2**53 + 1)
    assert big.contains(2**53 + 2)
