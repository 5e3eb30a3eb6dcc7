"""Tools in this process: what they say, and what never gets out."""

from __future__ import annotations

from typing import Any

import pytest

import toy_tools
from checkrail.boundary.canon import dumps
from checkrail.boundary.strictjson import parse
from checkrail.boundary.tools.tool import Tool, ToolFailure, tool
from checkrail.boundary.worker.in_process import run_here


def made(function: Any, **changes: Any) -> Tool:
    fields: dict[str, Any] = {
        "name": "t",
        "version": "1.0.0",
        "capability": "pure",
        "effect": "Tries.",
        "isolation": "none",
    }
    return tool(**(fields | changes))(function)


def test_a_result() -> None:
    outcome = run_here(toy_tools.double, dumps({"number": 4}))
    assert (outcome.state, outcome.result, outcome.error, outcome.effects) == ("done", b"8", None, "none")


@pytest.mark.parametrize(
    ("number", "code", "failure"),
    [
        (13, "TOOL_FAILED", ("TOO_LARGE", {"limit": 13, "day": "mon"})),
        (14, "TOOL_EXCEPTION", None),
        (15, "TOOL_EXCEPTION", None),
    ],
)
def test_failures(number: int, code: str, failure: Any) -> None:
    outcome = run_here(toy_tools.double, dumps({"number": number}))
    assert outcome.error is not None
    assert (outcome.state, outcome.error.code, outcome.failure, outcome.result) == ("failed", code, failure, None)
    assert "somebody" not in outcome.error.render() + repr(outcome)
    assert outcome.error.__cause__ is None


@pytest.mark.parametrize("code", [5, None, ["TOO_LARGE"]])
def test_a_failure_with_a_code_that_is_no_text_is_an_exception(code: Any) -> None:
    def fails(text: str) -> None:
        raise ToolFailure(code)

    outcome = run_here(made(fails), dumps({"text": "a"}))
    assert outcome.error is not None
    assert (outcome.state, outcome.error.code, outcome.failure) == ("failed", "TOOL_EXCEPTION", None)


class Bare(ToolFailure):
    """A failure that does not begin as one."""

    def __init__(self, **made: Any) -> None:
        self.__dict__.update(made)


@pytest.mark.parametrize("made_of", [{}, {"code": "TOO_LARGE"}, {"code": "TOO_LARGE", "params": 5}, {"params": {}}])
def test_a_failure_without_its_parts_is_an_exception(made_of: dict[str, Any]) -> None:
    def fails(text: str) -> None:
        raise Bare(**made_of)

    outcome = run_here(made(fails, errors={"TOO_LARGE": "Too large."}), dumps({"text": "a"}))
    assert outcome.error is not None
    assert (outcome.state, outcome.error.code, outcome.failure) == ("failed", "TOOL_EXCEPTION", None)


def test_only_a_tool_failure_is_one() -> None:
    class Other(Exception):
        code, params = "TOO_LARGE", {}  # type: ignore[var-annotated]

    def fails(text: str) -> None:
        raise Other

    outcome = run_here(made(fails, errors={"TOO_LARGE": "Too large."}), dumps({"text": "a"}))
    assert outcome.error is not None
    assert (outcome.error.code, outcome.failure) == ("TOOL_EXCEPTION", None)


def test_an_error_of_our_own_in_a_tool_is_its_exception() -> None:
    def reads(text: str) -> None:
        parse(text)

    outcome = run_here(made(reads), dumps({"text": "{"}))
    assert outcome.error is not None
    assert outcome.error.code == "TOOL_EXCEPTION"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("x" * 300_000, "TOOL_OUTPUT_TOO_LARGE"),
        (b"bytes", "TOOL_OUTPUT_INVALID"),
        (float("nan"), "TOOL_OUTPUT_INVALID"),
        ({"a": object()}, "TOOL_OUTPUT_INVALID"),
    ],
)
def test_results_that_are_none(value: Any, code: str) -> None:
    def give(arguments: dict[str, Any]) -> Any:
        return value

    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    outcome = run_here(made(give, input_schema=closed, output_schema={"type": "string"}), b"{}")
    assert outcome.error is not None
    assert (outcome.state, outcome.error.code, outcome.result) == ("failed", code, None)
