"""Run a tool in this process: only one that computes, and whose author says that it cannot hang or fail to end.

You need it through `calls`, for tools with `isolation="none"`; the calculator is one. There is no bound on time or
memory here, because nothing in a process can stop a function of the same process. The rest is as with `runner`: the
function gets what the canonical bytes say, fails with declared codes only, and no exception's text gets out.
"""

from __future__ import annotations

import time
from typing import Any

from ...errors import DocumentError, Error, ToolError
from ..canon import dumps
from ..strictjson import parse
from ..tools.failure import ToolFailure
from ..tools.tool import Tool
from .run_outcome import RunOutcome

__all__ = ["run_here"]


def run_here(tool: Tool, arguments: bytes) -> RunOutcome:
    """Call the function with the arguments of these bytes. Raises nothing that is an `Exception`."""
    limits = tool.manifest.limits
    values: Any = parse(arguments, max_depth=limits.depth, max_bytes=limits.args_bytes).value
    began = time.monotonic_ns()
    value: Any = None
    failure: tuple[str, dict[str, int | str]] | None = None
    error: Error | None = None
    try:
        value = tool.invoke(values)
    except Exception as raised:
        failure = _declared(tool, raised)
        error = ToolError("TOOL_EXCEPTION", name=tool.name)
        if failure is not None:
            error = ToolError("TOOL_FAILED", name=tool.name, declared=failure[0])
    milliseconds = (time.monotonic_ns() - began) // 1_000_000
    if error is not None:
        return RunOutcome("failed", "none", error=error, failure=failure, run_ms=milliseconds)
    try:
        result = dumps(value, max_depth=limits.depth, max_bytes=limits.result_bytes)
    except DocumentError as refused:
        return RunOutcome("failed", "none", error=_no_result(tool, refused), run_ms=milliseconds)
    return RunOutcome("done", "none", result, run_ms=milliseconds)


def _declared(tool: Tool, raised: Exception) -> tuple[str, dict[str, int | str]] | None:
    """The code and the parameters of a failure that the tool has declared. It can have made them anything, or none."""
    code: Any = getattr(raised, "code", None)
    params: Any = getattr(raised, "params", None)
    declared = tool.manifest.declared.get(code) if isinstance(raised, ToolFailure) and isinstance(code, str) else None
    return (declared.code, params) if declared is not None and declared.accepts(params) else None


def _no_result(tool: Tool, refused: DocumentError) -> ToolError:
    """The error of a result that has no canonical form, or too long a one."""
    if refused.code == "CANON_TOO_LARGE":
        return ToolError("TOOL_OUTPUT_TOO_LARGE", name=tool.name, limit=tool.manifest.limits.result_bytes)
    return ToolError("TOOL_OUTPUT_INVALID", name=tool.name, rule="plain JSON data within its depth")
