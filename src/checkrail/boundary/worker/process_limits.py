"""Bounds that the system keeps on one process: memory, processor time, descriptors, file size, no core files.

The worker sets them on itself before it loads a tool; the hard bound is set with the soft one, so nothing that runs
afterwards can raise it. They are per process: children of the tool have the same bounds each, which is why
`keeper` kills what is left of them. `setrlimit(2)` has the details. Processor time counts whole seconds.

You need it on systems with `resource` (not Windows). macOS takes the bound on memory and does not keep it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

__all__ = ["MOST_PROCESSES", "set_limits", "whole_seconds"]

MOST_PROCESSES = 64  # threads count; a library for linear algebra starts one for each core


def whole_seconds(milliseconds: int) -> int:
    """Seconds, rounded up: what `RLIMIT_CPU` can count.

    >>> whole_seconds(1_001)
    2
    """
    return -(-milliseconds // 1000)


def set_limits(bounds: Mapping[str, int], *, own_numbers: bool) -> bool:
    """Set the bounds on this process, for good. Whether all of them hold (memory does not on macOS).

    bounds: cpu_ms, memory_bytes, open_files, file_bytes. own_numbers: the process is in a user namespace of its own, so
    a bound on processes counts no others of the same user.
    """
    import resource

    wanted = {
        resource.RLIMIT_CPU: whole_seconds(bounds["cpu_ms"]),
        resource.RLIMIT_AS: bounds["memory_bytes"],
        resource.RLIMIT_NOFILE: bounds["open_files"],
        resource.RLIMIT_FSIZE: bounds["file_bytes"],
        resource.RLIMIT_CORE: 0,
    }
    if own_numbers:
        wanted[resource.RLIMIT_NPROC] = MOST_PROCESSES
    held = [_set(which, count) for which, count in wanted.items()]
    return all(held) and sys.platform != "darwin"


def _set(which: int, count: int) -> bool:
    import resource

    _, hard = resource.getrlimit(which)
    count = count if hard == resource.RLIM_INFINITY else min(count, hard)
    try:
        resource.setrlimit(which, (count, count))
    except (OSError, ValueError):
        return False
    return True
