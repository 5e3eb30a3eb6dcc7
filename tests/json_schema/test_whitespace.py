"""The policies, and that each bounds the blanks at every structural place."""

from __future__ import annotations

import json

import pytest

from checkrail.errors import InputError
from checkrail.json_schema.whitespace import MAXIMUM_BLANKS, Whitespace

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "array", "items": {"type": "integer"}}, "b": {"type": "null"}},
    "required": ["a"],
}
VALUE = {"a": [1, 2], "b": None}


@pytest.mark.parametrize("policy", ["pretty", -1, MAXIMUM_BLANKS + 1, True, None, 1.5])
def test_other_policies_are_refused(policy):
    with pytest.raises(InputError) as caught:
        Whitespace.of(policy)
    assert caught.value.code == "INPUT_FORMAT"


@pytest.mark.parametrize(
    ("policy", "compact", "dumps", "pretty"),
    [
        ("compact", True, False, False),
        ("json.dumps", False, True, False),
        (0, True, False, False),
        (8, True, True, True),
    ],
)
def test_what_pythons_writers_write(accepts, policy, compact, dumps, pretty):
    assert accepts(SCHEMA, json.dumps(VALUE, separators=(",", ":")), whitespace=policy) is compact
    assert accepts(SCHEMA, json.dumps(VALUE), whitespace=policy) is dumps
    assert accepts(SCHEMA, json.dumps(VALUE, indent=1), whitespace=policy) is pretty


@pytest.mark.parametrize("place", range(11))
def test_the_bound_holds_at_every_place(accepts, place):
    parts = ["{", '"a"', ":", "[", "1", ",", "2", "]", ",", '"b"', ":", "null", "}"]
    for blank in " \t\n\r":
        for count, fits in ((0, True), (1, True), (3, True), (4, False)):
            text = "".join(parts[: place + 1]) + blank * count + "".join(parts[place + 1 :])
            assert accepts(SCHEMA, text, whitespace=3) is fits


@pytest.mark.parametrize("text", [" {}", "{} ", "\n{}", "{}\n"])
def test_no_blanks_around_the_whole(accepts, text):
    assert accepts({"type": "object"}, "{}")
    assert not accepts({"type": "object"}, text)


def test_empty_containers(accepts):
    for schema, text in (({"type": "object"}, "{{{}}}"), ({"type": "array"}, "[{}]")):
        assert accepts(schema, text.format(""), whitespace="json.dumps")
        assert not accepts(schema, text.format(" "), whitespace="json.dumps")
        assert accepts(schema, text.format("  "), whitespace=2)
        assert not accepts(schema, text.format("   "), whitespace=2)
