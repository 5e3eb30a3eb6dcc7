"""The keeper: the first process of a worker, which runs no tool, and ends only when nothing of it is left alive.

It forks the process of the call and then waits for two things: the end of that process, and the end of the host's
interest (the control descriptor says or reads end of file, also because the host died). Either way it kills whatever
the tool has started. Processes whose parent has ended become children of the keeper (`adopt_orphans`), however often
they forked and whatever session they made; so when the system says that it has no child left, none is alive. That
answer, and how the call's process ended, is the last thing it writes. Where process numbers are the worker's own
(`pidns`), the kernel kills all of them with the first.

You need it in the worker only, on POSIX. Without a subreaper (macOS) only the process group is killed, and the report
says that the sweep is no proof.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import sys
from typing import Any

from checkrail.boundary import canon, strictjson
from checkrail.boundary.worker import sandbox_linux
from checkrail.boundary.worker.call import MOST_HEADER_BYTES, run_call
from checkrail.boundary.worker.frames import frame, read_frame, write_all

__all__ = ["keep"]

_PATIENCE = 0.01  # seconds between two rounds of killing


def keep(call: int, control: int) -> None:
    """Serve one call. call: descriptor of its frames. control: of the keeper's own; end of file there means to stop."""
    try:
        prepare: Any = strictjson.parse(read_frame(call, MOST_HEADER_BYTES)).value
    except EOFError:  # the host has changed its mind, and nothing was started
        _say(control, {"status": 1, "cpu_ms": 0}, swept=True)
        return
    sweeps = sandbox_linux.adopt_orphans()
    namespaces = sandbox_linux.enter_namespaces()
    woken, waker = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _become_call(control, woken, waker)
            run_call(call, prepare, namespaces=namespaces, sweeps=sweeps)
        finally:
            os._exit(1)  # only if the first of the two failed: this process must not go on as a second keeper
    os.close(call)  # the host reads end of file as soon as the tool's processes are gone
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    _say(control, _watch(child, control, woken), swept=sweeps)


def _say(control: int, report: dict[str, int], *, swept: bool) -> None:
    write_all(control, frame(canon.dumps({**report, "swept": swept})))


def _become_call(control: int, *others: int) -> None:
    """Of the keeper's, the call's process keeps nothing: no control, and a session of its own."""
    sandbox_linux.die_with_parent()
    os.setsid()
    for descriptor in (control, *others):
        os.close(descriptor)


def _watch(child: int, control: int, woken: int) -> dict[str, int]:
    """Wait for the end of the child or for the host, and kill all. How the child ended, and its processor time."""
    while True:
        report = _reaped(child)
        if report is not None:
            break
        ready, _, _ = select.select([control, woken], [], [])
        if control in ready:
            report = _killed(child)
            break
        os.read(woken, 4096)
    _sweep(woken)
    return report


def _reaped(child: int) -> dict[str, int] | None:
    """The report if the child has ended. Orphans that ended are forgotten on the way."""
    while True:
        ended, status, used = os.wait4(-1, os.WNOHANG)
        if ended == 0:
            return None
        if ended == child:
            _kill_group(child)
            return _report(status, used)


def _killed(child: int) -> dict[str, int]:
    """Kill the child and its group, and wait for it."""
    _kill_group(child)
    os.kill(child, signal.SIGKILL)  # not reaped yet, so the number is its own
    _, status, used = os.wait4(child, 0)
    return _report(status, used)


def _kill_group(child: int) -> None:
    """Kill those that stayed in the child's process group, even after its own end: the only sweep without orphans."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


def _report(status: int, used: resource.struct_rusage) -> dict[str, int]:
    return {
        "status": os.waitstatus_to_exitcode(status),
        "cpu_ms": int((used.ru_utime + used.ru_stime) * 1000),
    }


def _sweep(woken: int) -> None:
    """Kill and reap children until there is none. Each round the orphans of the last one have become children."""
    while True:
        for orphan in _children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(orphan, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        if select.select([woken], [], [], _PATIENCE)[0]:
            os.read(woken, 4096)


def _children() -> list[int]:
    """The numbers of this process's children."""
    if sys.platform != "linux":
        return []
    own = os.getpid()
    with contextlib.suppress(OSError), open(f"/proc/self/task/{own}/children", "rb") as file:
        return [int(number) for number in file.read().split()]
    return [number for number in _numbers() if _parent(number) == own]


def _numbers() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


def _parent(number: int) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{number}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[1])  # the name in parentheses may hold anything
    return None
