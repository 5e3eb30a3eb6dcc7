"""Attack 49: a tool whose schema would take for ever, in the mask or in the check. Refused, or held, within seconds."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

import pytest

from acting import call, session
from checkrail.boundary.tools.tool import Tool, tool
from checkrail.boundary.validate import validate
from checkrail.errors import Error


def made(schema: dict[str, Any]) -> Tool:
    """A tool with one argument of this schema."""
    whole = {
        "type": "object",
        "properties": {"x": schema},
        "required": ["x"],
        "additionalProperties": False,
    }
    return tool(
        name="bomb", version="1.0.0", capability="pure", effect="A test.", isolation="none",
        input_schema=whole, output_schema={"type": "null"},
    )(lambda arguments: None)  # fmt: skip


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "null"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


def doubled(rounds: int) -> dict[str, Any]:
    """2 to the power of `rounds` alternatives."""
    definitions: dict[str, Any] = {"0": {"type": "null"}}
    for number in range(1, rounds):
        branch = {"$ref": f"#/$defs/{number - 1}"}
        items = {"type": "array", "prefixItems": [branch, branch], "items": False}
        definitions[str(number)] = {"anyOf": [items, {"type": "array", "items": branch}]}
    return {"$ref": f"#/properties/x/$defs/{rounds - 1}", "$defs": definitions}


BOMBS: dict[str, dict[str, Any]] = {
    "states": {"type": "string", "pattern": "^(a|b)*a(a|b){24}$"},
    "counts": {"type": "string", "pattern": "^((a{0,200}){0,200}){0,200}$"},
    "backtracking": {"type": "string", "pattern": "^(a+)+$"},
    "deep": nested(200),
    "doubled": doubled(24),
    "long": {"type": "array", "items": {"type": "string", "maxLength": 10**9}, "maxItems": 10**9},
    "numbers": {"type": "integer", "minimum": -(2**53) + 1, "maximum": 2**53 - 1, "multipleOf": 999_983},
}


@pytest.mark.parametrize("name", BOMBS)
def test_it_ends(tmp_path: Path, name: str) -> None:
    begin = time.process_time()
    with contextlib.suppress(Error):  # and no RecursionError, no MemoryError
        session(tmp_path, [], tools=[made(BOMBS[name])])
    assert time.process_time() - begin < 30


def test_the_check_of_a_pattern_is_linear() -> None:
    begin = time.process_time()
    report = validate("a" * 100_000 + "b", {"type": "string", "pattern": "^(a+)+$"})
    assert not report.ok
    assert time.process_time() - begin < 5


def test_a_schema_of_the_same_kind_within_bounds_works(tmp_path: Path) -> None:
    small = session(tmp_path, [call("bomb", {"x": "aab"})], tools=[made({"type": "string", "pattern": "^(a|b){3}$"})])
    (one,) = small.run("Go on").calls
    assert one.state.value == "done"
