"""Triggers of what the process of a tool can end in."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import isolated_tools as tools
from checkrail.boundary import canon, runner
from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from checkrail.boundary.tools.tool import Tool
from checkrail.boundary.worker import process as worker_process
from checkrail.boundary.worker.answer import read_answer
from checkrail.boundary.worker.root_folder import Folder
from error_triggers import Trigger


def ended(tool: Tool, *, cancelled: bool = False, **arguments: Any) -> Trigger:
    """The error that a run of the tool ends in."""
    return lambda: run(register(tool, {}), canon.dumps(arguments), cancel=lambda: cancelled).error


def answered(**members: Any) -> Trigger:
    """The host reads this as the answer to a call."""
    tool = register(tools.add, {})
    ids = {"request_id": "id", "arguments_sha256": "hash"}
    return lambda: read_answer(canon.dumps({**ids, **members}), tool, tool.limits, "id", "hash")


def without_processes() -> object:
    with mock.patch.object(runner, "_HAS_PROCESSES", False):
        return ended(tools.add, left=1)()


def without_an_interpreter() -> object:
    with mock.patch.object(worker_process.subprocess, "Popen", side_effect=BlockingIOError):
        return ended(tools.add, left=1)()


def too_late() -> object:
    return run(register(tools.wait, {}), b"{}", timeout=0.01).error


TRIGGERS: dict[str, Trigger] = {
    "TOOL_ISOLATION_UNAVAILABLE": without_processes,
    "TOOL_START": without_an_interpreter,
    "TOOL_PROTOCOL": answered(t="what"),
    "TOOL_WORKER_MISMATCH": answered(t="ok", request_id="other", result=1),
    "TOOL_CRASHED": ended(tools.die, how="exit"),
    "TOOL_TIMEOUT": too_late,
    "TOOL_CANCELLED": ended(tools.wait, cancelled=True),
    "TOOL_MEMORY": answered(t="error", code="TOOL_MEMORY"),
    "TOOL_SANDBOX": answered(t="error", code="TOOL_SANDBOX"),
    "TOOL_PATH": lambda: Folder(str(Path(__file__).parent)).open("../conftest.py"),
    "TOOL_EXCEPTION": ended(tools.die, how="by an exception"),
    "TOOL_OUTPUT_TOO_LARGE": ended(tools.large, count=20_000),
}
