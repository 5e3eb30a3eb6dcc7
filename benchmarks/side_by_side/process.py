"""What the system knows of this process: its memory, and how often it had to wait for the core.

Memory is read from /proc, because the peak that `getrusage` gives starts at that of the parent; without /proc it is 0.
"""

from __future__ import annotations

import resource
from contextlib import suppress
from pathlib import Path

__all__ = ["forget_peak", "peak_megabytes", "resident_megabytes", "switches"]

_STATUS = Path("/proc/self/status")


def peak_megabytes() -> int:
    """The most memory this process has held at a time."""
    return _megabytes("VmHWM")


def forget_peak() -> None:
    """Have the peak begin anew at what is held now, where the system can do that (proc(5), clear_refs)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def resident_megabytes() -> int:
    """The memory it holds now."""
    return _megabytes("VmRSS")


def _megabytes(name: str) -> int:
    try:
        lines = _STATUS.read_text("utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith(name + ":")), 0)


def switches() -> int:
    """How often another process took the core."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
