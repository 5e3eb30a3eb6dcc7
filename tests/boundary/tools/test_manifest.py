"""Manifests: every field has its bound, and every change has another hash."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.calc.calculator import calc
from checkrail.boundary.canon import dumps
from checkrail.boundary.tools.limits import ToolLimits
from checkrail.boundary.tools.manifest import Implementation, Manifest, schema_digest
from checkrail.errors import ToolError

MANIFEST = toy_tools.append.manifest
CALC_INPUT = {
    "type": "object",
    "properties": {
        "expression": {
            "type": "string",
            "description": ("One arithmetic expression: numbers, + - * / ^, parentheses, abs ceil floor round sqrt."),
            "minLength": 1,
            "maxLength": 1024,
        }
    },
    "required": ["expression"],
    "additionalProperties": False,
}


def test_the_hash_is_that_of_the_canonical_json() -> None:
    text = json.dumps(MANIFEST.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == MANIFEST.sha256


def test_the_published_vector_of_a_schema() -> None:
    assert schema_digest(CALC_INPUT) == "ac54be5aa566dccde59b3017f97c987736d07ef9b14c7d5dd0ea8ece1c08bc59"
    assert calc("2^10").value == 1024


def test_there_and_back() -> None:
    for tool in toy_tools.ALL:
        copy = Manifest.from_json(json.loads(json.dumps(tool.manifest.to_json())))
        assert copy.sha256 == tool.manifest.sha256
        assert copy.to_json() == tool.manifest.to_json()


CHANGES: dict[str, Any] = {
    "name": "notes.add",
    "version": "1.0.1",
    "title": "Append",
    "description": "Something else.",
    "effect": "Something else.",
    "capability": "read",
    "sensitivity": "public",
    "deterministic": True,
    "idempotent": True,
    "reads": ("other",),
    "writes": ("other",),
    "input_schema": {"type": "object", "properties": {}, "additionalProperties": False},
    "output_schema": {"type": "null"},
    "errors": {"FULL": "Full."},
    "limits": ToolLimits(wall_ms=1).effective("write"),
    "isolation": "sandbox",
    "implementation": Implementation("toy_tools", "append", "0" * 64),
}


@pytest.mark.parametrize("field", CHANGES)
def test_every_field_is_in_the_hash(field: str) -> None:
    extra = {"writes": ()} if field == "capability" else {}
    other = dataclasses.replace(MANIFEST, **{field: CHANGES[field], **extra})
    assert other.sha256 != MANIFEST.sha256


def test_all_fields_are_tried() -> None:
    assert set(CHANGES) == {field.name for field in dataclasses.fields(Manifest)}


@pytest.mark.parametrize(
    ("field", "values"),
    [
        (
            "name",
            [
                "",
                "Notes",
                "1a",
                "a.",
                ".a",
                "a..b",
                "a-b",
                "a b",
                "nоtes",
                "a" * 65,
                "a\n",
                "a.B",
                "a.1",
                "_a",
                5,
                None,
            ],
        ),
        ("version", ["1", "1.0", "1.0.0.0", "v1.0.0", "1.0.x", "10000.0.0", "1.0.0\n", "١.0.0", 1]),
        ("title", ["", "x" * 81, "a\u200bb", "a\nb", "e\u0301", 5]),
        ("description", ["", "x" * 1001, "\u202e"]),
        ("effect", ["", "x" * 201, "\x1b[2J", "\U000e0041"]),
        ("sensitivity", ["secret", None]),
        ("deterministic", [1, "true", None]),
        ("idempotent", [0]),
        ("reads", [("/etc",), ("a", "a"), tuple(f"r{i}" for i in range(9)), (5,), ([],)]),
        ("writes", [("..",), ("A",)]),
        ("input_schema", [{"const": "x" * 65_537}, {"const": "\ud800"}, {1: 2}]),
        ("errors", [{"x": "y"}, {"FULL": "{"}]),
        ("isolation", ["none", "strong", "", None]),
        (
            "implementation",
            [
                Implementation("m", "q", "0" * 63),
                Implementation("m", "q", None),
                Implementation("", "q", "0" * 64),
                Implementation("m", "a b", "0" * 64),
                Implementation("m", 5, "0" * 64),  # type: ignore[arg-type]
            ],
        ),
    ],
)
def test_bounds(field: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ToolError) as caught:
            dataclasses.replace(MANIFEST, **{field: value})
        assert caught.value.code == "TOOL_MANIFEST"
        assert str(caught.value.pointer).startswith(f"/{field}")


def test_longest_texts_pass() -> None:
    longest = dataclasses.replace(MANIFEST, name="a" * 64, title="x" * 80, description="x" * 1000, effect="é" * 200)
    assert longest.name == "a" * 64


@pytest.mark.parametrize(
    ("capability", "what"), [("external", "external tools"), ("admin", "no such"), (None, "no such")]
)
def test_other_capabilities_are_refused(capability: Any, what: str) -> None:
    with pytest.raises(ToolError, match=f"TOOL_CAPABILITY_UNSUPPORTED.*{what}"):
        dataclasses.replace(MANIFEST, capability=capability)


def test_folders_belong_to_the_capability() -> None:
    with pytest.raises(ToolError, match="a pure tool has no folders"):
        dataclasses.replace(MANIFEST, capability="pure")
    with pytest.raises(ToolError, match="is a write tool"):
        dataclasses.replace(MANIFEST, capability="read")


@pytest.mark.parametrize("number", [2**53, float("inf"), float("nan")])
def test_numbers_without_canonical_form(number: float) -> None:
    with pytest.raises(ToolError, match="TOOL_MANIFEST_NUMBER"):
        dataclasses.replace(MANIFEST, output_schema={"const": number})


def test_a_schema_that_holds_itself_ends_in_an_error() -> None:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    with pytest.raises(ToolError, match="Nested deeper"):
        dataclasses.replace(MANIFEST, output_schema=schema)


def test_whoever_holds_the_schema_cannot_change_it_here() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": False}
    manifest = dataclasses.replace(MANIFEST, input_schema=schema)
    schema["additionalProperties"] = True
    schema["properties"]["b"] = {}  # type: ignore[index]
    assert manifest.input_schema["additionalProperties"] is False
    assert list(manifest.input_schema["properties"]) == ["a"]
    assert manifest.canonical == dumps(manifest.to_json(), max_depth=200)


def test_files_with_other_fields_are_refused() -> None:
    good = MANIFEST.to_json()
    bad = [
        [],
        None,
        {},
        good | {"manifest": "tool-manifest/2"},
        good | {"more": 1},
        {name: value for name, value in good.items() if name != "effect"},
        good | {"limits": {}},
        good | {"limits": 5},
        good | {"limits": list(good["limits"])},
        good | {"errors": 5},
        good | {"errors": None},
        good | {"errors": []},
        good | {"errors": "FULL"},
        good | {"implementation": {"module": "m"}},
        good | {"implementation": {**good["implementation"], "\x1b[2J": 1}},
        good | {"implementation": ["module", "qualname", "source_sha256"]},
        good | {"reads": "abc"},
        good | {"writes": None},
        good | {"writes": [[]]},
    ]
    for data in bad:
        with pytest.raises(ToolError, match="TOOL_MANIFEST") as caught:
            Manifest.from_json(data)
        assert caught.value.message.isprintable(), "nothing of the file that acts on a terminal"
