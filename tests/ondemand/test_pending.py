"""An explanation says which subschemas a text is in the middle of."""

from __future__ import annotations

import json

import pytest

import checkrail

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "tags": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"$ref": "#/$defs/tag"}},
        'a"b': {
            "anyOf": [
                {"type": "object", "properties": {"x": {"const": 1}}},
                {"type": "object", "properties": {"x": {"const": 2}}},
            ]
        },
    },
    "additionalProperties": {"type": "null"},
    "$defs": {"tag": {"type": "object", "properties": {"t": {"type": "string", "maxLength": 3}}}},
}
VOCABULARY = checkrail.Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)


@pytest.mark.parametrize(
    ("text", "data", "expected", "places"),
    [
        (b'{"name": "a", ', b"x", b'"', ("",)),
        (b'{"name": ', b"1", b'"', ("/properties/name", "")),
        (
            b'{"tags": [1, {"t": "abc',
            b"d",
            b'"',
            ("/$defs/tag/properties/t", "/properties/tags/items", "/properties/tags", ""),
        ),
        (b'{"tags": [', b'"', b"-0123456789]", ("/properties/tags/prefixItems/0", "/properties/tags", "")),
        (b'{"other": ', b"1", b"n", ("/additionalProperties", "")),
    ],
)
def test_places(text: bytes, data: bytes, expected: bytes, places: tuple[str, ...]) -> None:
    grammar = checkrail.Grammar.from_json_schema(json.dumps(SCHEMA), profile="open", whitespace="json.dumps")
    matcher = checkrail.compile(grammar, VOCABULARY).matcher()
    assert matcher.accept_bytes(text)
    rejection = matcher.explain(data)
    assert rejection is not None
    assert (rejection.offset, rejection.byte) == (0, data[0])
    assert set(expected) <= set(rejection.expected)
    assert rejection.rules == (places,)


def test_alternatives_and_members_in_any_order() -> None:
    grammar = checkrail.Grammar.from_json_schema(json.dumps(SCHEMA), profile="open")
    matcher = checkrail.compile(grammar, VOCABULARY).matcher()
    assert matcher.accept_bytes(b'{"z": null, "a\\"b": {"x": ')
    rejection = matcher.explain(b"3")
    assert rejection is not None
    assert rejection.expected == b"\t\n\r 12"
    pointer = '/properties/a"b/anyOf'
    assert rejection.rules[0][:2] == (f"{pointer}/0/properties/x", f"{pointer}/1/properties/x")


def test_a_text_that_ends_too_early() -> None:
    matcher = checkrail.compile(checkrail.Grammar.from_json_schema("{}", profile="open"), VOCABULARY).matcher()
    rejection = matcher.explain(b"[1, {")
    assert rejection is not None
    assert (rejection.offset, rejection.byte, rejection.complete) == (5, None, False)
