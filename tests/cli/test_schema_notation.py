"""Fields in one line."""

from __future__ import annotations

import pytest

from checkrail.cli.schema_notation import schema_from_notation
from checkrail.errors import SchemaError
from checkrail.grammar.grammar import Grammar


def test_names_types_and_descriptions() -> None:
    assert schema_from_notation("name, age int, bio: one line , x float,ok bool,") == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "bio": {"type": "string", "description": "one line"},
            "x": {"type": "number"},
            "ok": {"type": "boolean"},
        },
        "required": ["name", "age", "bio", "x", "ok"],
        "additionalProperties": False,
    }


def test_lines_may_hold_commas() -> None:
    properties = schema_from_notation("name: first, then last\nage int")["properties"]
    assert properties == {"name": {"type": "string", "description": "first, then last"}, "age": {"type": "integer"}}


def test_it_compiles() -> None:
    assert Grammar.from_json_schema(schema_from_notation("a, b int")).rules


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no field"),
        (" , ", "no field"),
        ("a integer", "field 1"),
        ("a, b c d", "field 2"),
        ("a,a int", "twice"),
        ("a-b", "field 1"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(SchemaError, match=says):
        schema_from_notation(text)
