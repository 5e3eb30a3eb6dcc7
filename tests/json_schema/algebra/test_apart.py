"""Terms that are seen to exclude one another: never where a validator knows a value of both."""

from __future__ import annotations

from itertools import product
from typing import Any

import jsonschema
import pytest

from checkrail.json_schema.algebra.apart import are_apart
from checkrail.json_schema.algebra.profile import OpenTranslator
from checkrail.json_schema.algebra.survey import Survey
from checkrail.json_schema.options import Options
from checkrail.limits import DEFAULT_LIMITS


def apart(one: Any, two: Any) -> bool:
    options = Options.of(
        profile="open",
        property_order=None,
        whitespace=0,
        enforce_bounds=None,
        unsupported="error",
        limits=DEFAULT_LIMITS,
    )
    translator = OpenTranslator({"properties": {"one": one, "two": two}}, options)
    root = translator.normalizer.values(translator.root())
    first, second = (member.value for member in root.objects[0].properties)
    Survey(translator.normalizer, options).run(translator.root())
    made = len(translator.normalizer.terms)
    found = are_apart(first, second, translator.normalizer)
    assert len(translator.normalizer.terms) == made  # it makes none for the two together
    assert found == are_apart(second, first, translator.normalizer)
    return found


def kind(values: list[Any], *required: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"k": {"enum": values}, **more}, "required": list(required)}


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ({"type": "string"}, {"type": "null"}, True),
        ({"type": "string"}, {"type": ["null", "string"]}, False),
        ({"type": "number", "minimum": 3}, {"type": "integer", "maximum": 2}, True),
        ({"type": "number", "minimum": 3}, {"type": "integer", "maximum": 3}, False),
        (kind(["a"], "k"), kind(["b", 1]), True),
        (kind(["a"], "k"), kind(["b", "a"], "k"), False),
        (kind(["a"]), kind(["b"]), False),  # neither needs it
        (kind(["a"], "k", x={"type": "null"}), kind(["a"], "k", "x", x={"type": "boolean"}), True),
        (kind([[1]], "k"), kind([[2]], "k"), False),  # not seen
        (kind(["a"], "k"), {"type": "array"}, True),
        (kind(["a"], "k"), {"anyOf": [kind(["b"], "k"), kind(["c"], "k")]}, True),
        (kind(["a"], "k"), {"anyOf": [kind(["b"], "k"), {"type": "object", "required": ["x"]}]}, False),
        ({"type": "string", "format": "hostname"}, {"const": "xn--nxasmq6b"}, False),  # it may be one
    ],
)
def test_what_is_seen(one: Any, two: Any, expected: bool) -> None:
    assert apart(one, two) == expected


PARTS = [
    {"type": "null"},
    {"enum": ["a", 1]},
    {"const": "b"},
    {"type": ["integer", "array"]},
    kind(["a"], "k"),
    kind(["a", None]),
    kind(["b"], "k", x={"type": "integer"}),
    kind(["b"], "k", "x", x={"const": "a"}),
    {"type": "object", "required": ["x"]},
    {"properties": {"k": {"type": "null"}}},
    {"oneOf": [kind(["a"], "k"), kind(["b"], "k")]},
    {"not": kind(["a"], "k")},
]
LEAVES = [None, "a", "b", 1, []]
DOCUMENTS = [*LEAVES, {}, *({"k": k} for k in LEAVES), *({"k": k, "x": x} for k in LEAVES for x in LEAVES), {"x": 1}]


def test_what_is_apart_has_no_value_in_common() -> None:
    found = 0
    for one, two in product(PARTS, PARTS):
        if apart(one, two):
            found += 1
            both = jsonschema.Draft202012Validator({"allOf": [one, two]})
            assert not any(map(both.is_valid, DOCUMENTS)), (one, two)
    assert found > 40
