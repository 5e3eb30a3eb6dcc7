"""`@tool`: what it reads off a function, and what it refuses."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any

import pytest

import toy_tools
from checkrail.boundary.tools.limits import ToolLimits
from checkrail.boundary.tools.tool import Tool, source_sha256, tool
from checkrail.boundary.tools.types import Len
from checkrail.errors import InputError, ToolError

OBJECT = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def declare(function: Any, **changes: Any) -> Tool:
    """A tool of a function inside a test, which may only run in this process."""
    fields: dict[str, Any] = {
        "name": "t",
        "version": "1.0.0",
        "capability": "pure",
        "effect": "Tries.",
        "isolation": "none",
    }
    return tool(**(fields | changes))(function)


def test_a_plain_function() -> None:
    manifest = toy_tools.append.manifest
    assert manifest.description == "Add a line to the notebook."
    assert manifest.sensitivity == "private"
    assert manifest.input_schema == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 1, "maxLength": 30_000},
            "pin": {"type": "boolean", "default": False},
        },
        "required": ["text"],
        "additionalProperties": False,
    }
    file = Path(toy_tools.__file__)
    assert manifest.implementation.source_sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert (manifest.implementation.module, manifest.implementation.qualname) == ("toy_tools", "append")
    assert toy_tools.double.manifest.sensitivity == "public"


def test_properties_keep_the_order_of_the_parameters() -> None:
    def ordered(z: int, a: int, m: int) -> None: ...

    assert list(declare(ordered).manifest.input_schema["properties"]) == ["z", "a", "m"]


def test_the_function_stays_callable() -> None:
    assert toy_tools.double(4) == 8
    assert toy_tools.append("abc", pin=True) == {"line": 3}


def test_invoke_fills_in_the_defaults_that_were_declared() -> None:
    def pair(a: int, b: float = 2.5, c: str | None = None) -> list[str]:
        return [repr(a), repr(b), repr(c)]

    pairs = declare(pair)
    assert pairs.defaults == {"b": 2.5, "c": None}
    assert pairs.invoke({"a": 1}) == ["1", "2.5", "None"]
    assert pairs.invoke({"a": 1, "b": 3}) == ["1", "3.0", "None"]


def test_explicit_schemas() -> None:
    def explicit(arguments: dict[str, Any]) -> Any:
        arguments["b"].append(1)
        return arguments

    schema = {**OBJECT, "properties": {"a": {"type": "integer"}, "b": {"enum": [[]], "default": []}}}
    made = declare(explicit, input_schema=schema, output_schema={"type": "null"})
    assert made.invoke({"a": 1}) == {"a": 1, "b": [1]}
    assert made.invoke({"a": 1}) == {"a": 1, "b": [1]}, "a default is not shared between calls"


def test_a_tool_shows_its_identity_and_nothing_else() -> None:
    assert repr(toy_tools.append) == f"<Tool notes.append 1.0.0 write sha256:{toy_tools.append.manifest_sha256[:12]}>"


def positional(a: int, /) -> None: ...
def rest(*a: int) -> None: ...
def words(**a: int) -> None: ...
def bare(a) -> None: ...  # type: ignore[no-untyped-def]
def silent(a: int): ...  # type: ignore[no-untyped-def]
def open_dict(a: dict) -> None: ...  # type: ignore[type-arg]
def open_result(a: int) -> Any: ...
def mutable(a: list[int] = []) -> None: ...  # noqa: B006
def missing(a: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821
def misfit(a: Annotated[int, Len(1, 2)]) -> None: ...
async def coroutine(a: int) -> None: ...
def generator(a: int) -> Any:
    yield a


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (positional, "parameter a cannot be given by its name"),
        (rest, "parameter a cannot be given by its name"),
        (words, "parameter a cannot be given by its name"),
        (bare, "parameter a has no annotation"),
        (silent, "the result has no annotation"),
        (open_dict, "parameter a has the type dict"),
        (open_result, "the result has the type Any"),
        (mutable, "the default of parameter a"),
        (missing, "the annotations cannot be read"),
        (misfit, "parameter a is annotated with Len"),
        (coroutine, "a coroutine"),
        (generator, "a generator"),
    ],
)
def test_signatures_that_have_no_schema(function: Any, what: str) -> None:
    with pytest.raises(ToolError, match=f"TOOL_SIGNATURE: Tool t: .*{what}"):
        declare(function)


def test_one_schema_alone_is_refused() -> None:
    for given in ({"input_schema": OBJECT}, {"output_schema": OBJECT}):
        with pytest.raises(ToolError, match="go together"):
            declare(positional, **given)


@pytest.mark.parametrize("schema", [{"type": "string"}, {"anyOf": [OBJECT]}])
def test_arguments_are_an_object(schema: Any) -> None:
    with pytest.raises(ToolError, match=r"TOOL_MANIFEST.*/input_schema.*object with properties"):
        declare(positional, input_schema=schema, output_schema=OBJECT)


def test_what_a_worker_cannot_import_is_refused() -> None:
    def inner(a: int) -> None: ...

    for function in (inner, lambda a: None):
        with pytest.raises(ToolError, match=r"TOOL_NOT_IMPORTABLE.*inside another"):
            declare(function, isolation="process")
    program = {"__name__": "__main__"}
    exec("def outer(a: int) -> None: ...", program)
    with pytest.raises(ToolError, match=r"TOOL_NOT_IMPORTABLE.*the program itself"):
        declare(program["outer"], isolation="process")
    with pytest.raises(ToolError, match="only a function"):
        declare(len)


def test_only_a_pure_tool_runs_in_this_process() -> None:
    def inner(a: int) -> None: ...

    for capability in ("read", "write"):
        with pytest.raises(ToolError, match="only a pure tool"):
            declare(inner, capability=capability)


def test_a_function_without_a_file_has_no_source_hash() -> None:
    program: dict[str, Any] = {"__name__": "nowhere"}
    exec("def outer(a: int) -> None: ...", program)
    assert source_sha256(program["outer"]) is None
    assert declare(program["outer"]).manifest.implementation.source_sha256 is None
    with pytest.raises(ToolError, match="cannot be read"):
        declare(program["outer"], isolation="process")


def test_a_limit_out_of_range_is_refused() -> None:
    def inner(a: int) -> None: ...

    with pytest.raises(InputError):
        declare(inner, limits=ToolLimits(file_bytes=1))
