"""What a model may write in one step: an answer, or a call of a tool that it was given. One grammar for both.

    {"answer": "It is 42."}
    {"tool": "calculate", "arguments": {"expression": "6 * 7"}}

The names are a choice over the session's tools, and behind each name stand the arguments of that tool's own schema. So
there is no call of a tool that does not exist, or with arguments of another one. The model writes no version, no hash
and no id: the host knows them and stamps them on.

You need it through `Session`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..boundary.strictjson import parse
from ..boundary.tools.types import object_schema
from ..generation.output import Output

__all__ = ["ANSWER_ONLY", "answer_of", "answer_text", "call_text", "step_schema"]

_MOST_ANSWER_BYTES = 16 * 1024 * 1024


def step_schema(input_schemas: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of one step. input_schemas: by the names of the tools.

    A tool's schema keeps its own references: each is a schema resource of its own, by an `$id`.
    """
    calls = [
        _closed(tool={"const": name}, arguments={"$id": f"tool:{name}", **schema})
        for name, schema in input_schemas.items()
    ]
    return {"anyOf": [ANSWER_ONLY, *calls]}


def answer_of(text: str) -> str | None:
    """The answer that a step gives; None for a call, which is read by the boundary. Raises `DocumentError`."""
    value = parse(text, max_bytes=_MOST_ANSWER_BYTES).value
    if isinstance(value, dict) and list(value) == ["answer"] and isinstance(value["answer"], str):
        return value["answer"]
    return None


def answer_text(answer: str) -> str:
    """How a model writes this answer."""
    return _WRITER.write({"answer": answer})


def call_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """How a model writes this call."""
    return _WRITER.write({"tool": tool, "arguments": dict(arguments)})


def _closed(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return object_schema(properties, properties)


ANSWER_ONLY = _closed(answer={"type": "string", "minLength": 1})
_WRITER: Output[Any] = Output(None)  # it spells JSON as the grammar does: a blank after each comma and colon
