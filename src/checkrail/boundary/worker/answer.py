"""Read what a worker says, trusting none of it: which frames there are, and what makes one an answer to this call.

You need it in the host, under `runner`. A frame must be canonical JSON, have the members that belong to it and no
others, and carry this call's id and the hash of its arguments. Words in it never reach a person or a model: of a
failure it brings a code from a fixed list, or one that the tool has declared, with integers and listed words.
"""

from __future__ import annotations

from typing import Any

from ...errors import AuthorityError, DocumentError, Error, ToolError
from .. import canon, strictjson
from ..tools.limits import EffectiveLimits
from ..tools.tool import RegisteredTool
from .isolation import Isolation

__all__ = ["MOST_AROUND", "read_answer", "read_ready"]

MOST_AROUND = 1024  # bytes of an answer beside its result

_MEMBERS = {
    "ok": {"t", "request_id", "arguments_sha256", "result"},
    "fail": {"t", "request_id", "arguments_sha256", "code", "params"},
    "error": {"t", "request_id", "arguments_sha256", "code"},
}
_CODES = (
    *("TOOL_EXCEPTION", "TOOL_MEMORY", "TOOL_SANDBOX", "TOOL_OUTPUT_INVALID", "TOOL_OUTPUT_TOO_LARGE"),
    *("TOOL_WORKER_MISMATCH", "TOOL_PATH", "AUTH_MANIFEST_DRIFT"),
)

Failure = tuple[str, dict[str, int | str]]


def read_ready(message: bytes, request_id: str) -> Isolation:
    """What the worker runs under, by its first frame. Raises ValueError that says what is wrong."""
    try:
        ready = strictjson.parse(message, max_depth=2).value
    except DocumentError as error:
        raise ValueError(error.code) from None
    if not isinstance(ready, dict) or ready.keys() != {"t", "request_id", "isolation"} or ready["t"] != "ready":
        raise ValueError("not the first frame of a worker")
    parts = ready["isolation"]
    if ready["request_id"] != request_id or not isinstance(parts, dict):
        raise ValueError("not the first frame of this worker")
    isolation = Isolation.from_json(parts)
    if parts.get("level") != isolation.level:
        raise ValueError("a level that its parts do not amount to")
    return isolation


def read_answer(
    message: bytes, tool: RegisteredTool, limits: EffectiveLimits, request_id: str, arguments_sha256: str
) -> tuple[bytes | None, Failure | None]:
    """The canonical result, or how the tool said that it failed. Raises `Error` for everything else."""
    answer = _answer(message, tool, limits)
    if answer["request_id"] != request_id or answer["arguments_sha256"] != arguments_sha256:
        raise ToolError("TOOL_WORKER_MISMATCH", name=tool.name)
    if answer["t"] == "ok":
        return _result(answer["result"], tool, limits), None
    code = answer["code"]
    if answer["t"] == "fail":
        declared, params = tool.errors.get(code) if isinstance(code, str) else None, answer["params"]
        if declared is None or not declared.accepts(params):
            raise ToolError("TOOL_EXCEPTION", name=tool.name)
        return None, (declared.code, params)
    if code not in _CODES:
        raise ToolError("TOOL_PROTOCOL", name=tool.name, what="a code that no worker uses")
    raise _error(code, tool, limits)


def _answer(message: bytes, tool: RegisteredTool, limits: EffectiveLimits) -> dict[str, Any]:
    """The frame as an object of one of the known forms."""
    try:
        answer = strictjson.parse(message, max_depth=limits.depth + 1, max_bytes=len(message)).value
        canonical = canon.dumps(answer, max_depth=limits.depth + 1, max_bytes=len(message)) == message
    except DocumentError as error:
        what = error.code
    else:
        form = answer.get("t") if isinstance(answer, dict) else None
        if isinstance(answer, dict) and canonical and isinstance(form, str) and answer.keys() == _MEMBERS.get(form):
            return answer
        what = "not one of the known frames" if canonical else "not in canonical form"
    raise ToolError("TOOL_PROTOCOL", name=tool.name, what=what)


def _result(value: Any, tool: RegisteredTool, limits: EffectiveLimits) -> bytes:
    result = canon.dumps(value, max_depth=limits.depth)
    if len(result) > limits.result_bytes:
        raise ToolError("TOOL_OUTPUT_TOO_LARGE", name=tool.name, limit=limits.result_bytes)
    return result


def _error(code: str, tool: RegisteredTool, limits: EffectiveLimits) -> Error:
    if code == "AUTH_MANIFEST_DRIFT":
        return AuthorityError(code, name=tool.name)
    bounds = {"TOOL_MEMORY": limits.memory_bytes, "TOOL_OUTPUT_TOO_LARGE": limits.result_bytes}
    return ToolError(code, name=tool.name, limit=bounds.get(code, 0), rule="plain JSON data within its depth")
