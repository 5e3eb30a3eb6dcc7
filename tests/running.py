"""Help for tests that run tools: register one, run it, and find out from /proc who is alive."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from checkrail.boundary import canon
from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from checkrail.boundary.tools.tool import Tool
from checkrail.boundary.worker import process as worker_process
from checkrail.boundary.worker.run_outcome import RunOutcome


def outcome_of(tool: Tool, *, notes: Path | None = None, **arguments: Any) -> RunOutcome:
    """Run a tool of `isolated_tools` with these arguments."""
    return run(register(tool, {} if notes is None else {"notes": notes}), canon.dumps(arguments))


def value(outcome: RunOutcome) -> Any:
    """The result of a run that must have one."""
    assert outcome.error is None, outcome.error
    assert outcome.state == "done"
    assert outcome.result is not None
    return json.loads(outcome.result)


def code(outcome: RunOutcome) -> str:
    """The code of a run that must have failed."""
    assert outcome.result is None
    assert outcome.error is not None, outcome
    return outcome.error.code


def alive(folder: Path) -> list[int]:
    """The processes whose working folder is, or was, below `folder`: a worker's, when its folder is made there."""
    return [number for number in map(int, filter(str.isdigit, os.listdir("/proc"))) if _works_in(number, str(folder))]


def _works_in(number: int, folder: str) -> bool:
    try:
        return os.readlink(f"/proc/{number}/cwd").startswith(folder)
    except OSError:
        return False


FEATURES = {
    "landlock": "landlock.restrict = lambda *_: None",
    "syscall_filter": "syscall_filter.install = lambda: False",
    "namespaces": "sandbox_linux.enter_namespaces = lambda: False",
    "sweeps": "sandbox_linux.adopt_orphans = lambda: False",
    "rlimits": "process_limits.set_limits = lambda *_, **__: False",
}


def take_away(monkeypatch: pytest.MonkeyPatch, folder: Path, *features: str) -> None:
    """Start workers from now on as on a system that lacks some features."""
    program = folder / "_worker.py"
    lines = [
        "import sys",
        "sys.path.insert(0, sys.argv[3])",
        "from checkrail.boundary.worker import _worker, landlock, process_limits, sandbox_linux, syscall_filter",
        *(FEATURES[feature] for feature in features),
        "_worker.main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])",
    ]
    program.write_text("\n".join(lines), "utf-8")
    monkeypatch.setattr(worker_process, "_PROGRAM", program)
