"""Where and under what a run was made: the note that goes with every figure."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

__all__ = ["note"]


def note(command: str) -> dict[str, str]:
    """Machine, load, Python, the state of the checkout and the command line."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores, load {load} at the start",
        "system": f"{platform.system()} {platform.release()}, {platform.python_implementation()} "
        f"{platform.python_version()}",
        "checkout": _commit(),
        "command": command,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _commit() -> str:
    """The commit, and whether files differ from it."""
    root = Path(__file__).resolve().parents[2]
    try:
        commit, changed = (
            subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True, timeout=20).stdout
            for words in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "--", "src"])
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return commit.strip() + (", with changes" if changed.strip() else "")
