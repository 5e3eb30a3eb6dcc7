"""Run a registered tool in a process of its own, within bounds, and take nothing from it that was not agreed.

    outcome = run(tool, canonical_arguments)

A fresh interpreter for each call; nothing is kept from one call to the next, and nothing is ever run a second time. The
bytes that were validated, shown and approved are the bytes that are sent; the worker answers with their hash. The level
of isolation is established and compared with what the tool demands before the arguments leave the host; there is no
silent step down. When the outcome is returned, the processes of the tool are dead.

You need it for every tool that is not total and pure like the calculator. It decides nothing: whether a call may run is
`authority`'s to say, and whether a result is what the tool declares is for `validate`.

Blocks its thread until the end; `cancel` is asked about fifty times a second. Cost: the start of an interpreter and a
few system calls, see `docs/explanation/isolation.md`.
"""

from __future__ import annotations

import hashlib
import secrets
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from time import monotonic
from typing import Any

from ..errors import DocumentError, Error, ToolError
from . import canon
from .tools.limits import EffectiveLimits, ToolLimits
from .tools.tool import RegisteredTool
from .worker.answer import MOST_AROUND, read_answer, read_ready
from .worker.code_folders import import_path, readable_code
from .worker.frames import FrameError
from .worker.isolation import Isolation, is_enough
from .worker.load import source_file
from .worker.process import Cancelled, Ended, Late, Report, Worker
from .worker.process_limits import whole_seconds
from .worker.run_outcome import Effects, RunOutcome, RunState

__all__ = ["available", "run"]

_START_SECONDS = 10.0  # until the worker is ready; the time of the tool begins after that
_READY_BYTES = 1024
_HAS_PROCESSES = sys.platform != "win32"  # Windows has no fork and no descriptors to hand over: not built yet


def run(
    tool: RegisteredTool,
    canonical_arguments: bytes,
    *,
    limits: EffectiveLimits | None = None,
    timeout: float | None = None,
    cancel: Callable[[], bool] | None = None,
    debug: Callable[[bytes], None] | None = None,
) -> RunOutcome:
    """Run the tool once, and say how that ended. Raises nothing: all that can fail is in the outcome.

    canonical_arguments: what was validated, to the byte. limits: the tool's own by default. timeout: seconds from the
    call to the end, `limits.wall_ms` by default. cancel: asked now and then, in this thread, whether to stop. debug:
    gets the first 64 KiB of what the tool wrote to its standard output and error, traces of its exceptions included;
    without it they are dropped. They are untrusted, and neither evidence nor a model may see them.
    """
    call = _Call(tool, canonical_arguments, limits or tool.limits, timeout, cancel)
    refusal = call.refusal()
    if refusal is not None:
        return call.outcome("failed", error=refusal)
    if cancel is not None and cancel():
        return call.outcome("cancelled", error=call.error("TOOL_CANCELLED", effects="none"))
    try:
        worker = Worker(keep_noise=debug is not None)
    except OSError:
        return call.outcome("failed", error=call.error("TOOL_START", what="the system starts no process"))
    with worker:
        outcome = call.serve(worker)
    if debug is not None and worker.noise:
        debug(bytes(worker.noise))
    return outcome


@cache
def available() -> Isolation | None:
    """What this system puts around a tool, found out once by starting a worker; None where it can start none."""
    if not _HAS_PROCESSES:
        return None
    try:
        with Worker(keep_noise=False) as worker:
            worker.send(_prepare("probe", ToolLimits().effective("pure"), readable_code(__file__, []), []))
            return read_ready(worker.receive(_READY_BYTES, monotonic() + _START_SECONDS, None), "probe")
    except (OSError, Ended, Late, FrameError, ValueError):
        return None


@dataclass(slots=True)
class _Call:
    """One call under way: what is known of it so far, and the steps that it takes."""

    tool: RegisteredTool
    arguments: bytes
    limits: EffectiveLimits
    timeout: float | None
    cancel: Callable[[], bool] | None
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    began: float = field(default_factory=monotonic)
    sent: float | None = None  # when the call was put on its way to the tool
    isolation: Isolation | None = None

    def refusal(self) -> Error | None:
        """Why nothing is to be started, if so."""
        if not _HAS_PROCESSES:
            return self.error("TOOL_ISOLATION_UNAVAILABLE", needed=self.tool.isolation, given="none")
        if len(self.arguments) > self.limits.args_bytes:
            return self.error("TOOL_ARGS_TOO_LARGE", limit=self.limits.args_bytes, unit="bytes")
        if self.file() is None:
            return self.error("TOOL_NOT_IMPORTABLE", what="its module has no source file")
        return None

    def file(self) -> str | None:
        return source_file(self.tool.module)

    def serve(self, worker: Worker) -> RunOutcome:
        """The exchange with a worker, to the death of the worker."""
        try:
            answer = self._exchange(worker)
        except _Refused as refused:
            return self.outcome("failed", error=refused.error, swept=worker.end().swept)
        except DocumentError:
            error = self.error("TOOL_START", what="a path that it needs is not UTF-8")
            return self.outcome("failed", error=error, swept=worker.end().swept)
        except (Late, Cancelled, Ended, FrameError) as over:
            return self._over(over, worker.end())
        except BaseException:
            worker.end()
            raise
        report = worker.end()
        if report.late:
            error = self.error("TOOL_PROTOCOL", what="more than one answer")
            return self.outcome("failed", error=error, swept=report.swept)
        return replace(self._judged(answer), swept=report.swept)

    def _exchange(self, worker: Worker) -> bytes:
        """Prepare, compare the isolation, send the call, receive the answer."""
        tool, file, path = self.tool, self.file(), import_path()
        assert file is not None
        roots = tool.roots or {}
        readable = [roots[name] for name in (*tool.reads, *tool.writes)]
        writable = [roots[name] for name in tool.writes]
        worker.send(_prepare(self.id, self.limits, [*readable_code(file, path), *readable], writable))
        message = worker.receive(_READY_BYTES, self.began + _START_SECONDS, self.cancel)
        try:
            self.isolation = read_ready(message, self.id)
        except ValueError as wrong:
            raise _Refused(self.error("TOOL_PROTOCOL", what=str(wrong))) from None
        if not is_enough(self.isolation.level, tool.isolation):
            given = self.isolation.level
            raise _Refused(self.error("TOOL_ISOLATION_UNAVAILABLE", needed=tool.isolation, given=given))
        self.sent = monotonic()
        worker.send(self._header(file, path), self.arguments)
        seconds = self.limits.wall_ms / 1000 if self.timeout is None else self.timeout
        return worker.receive(self.limits.result_bytes + MOST_AROUND, self.sent + seconds, self.cancel)

    def _header(self, file: str, path: list[str]) -> bytes:
        tool = self.tool
        return canon.dumps(
            {
                "t": "call",
                "request_id": self.id,
                "module": tool.module,
                "qualname": tool.qualname,
                "file": file,
                "source_sha256": tool.source_hash,
                "manifest_sha256": tool.manifest_sha256,
                "path": path,
                "roots": dict(tool.roots or {}),
                "writes": list(tool.writes),
                "arguments_sha256": self.hash(),
                "args_bytes": len(self.arguments),
                "depth": self.limits.depth,
                "result_bytes": self.limits.result_bytes,
            }
        )

    def hash(self) -> str:
        """SHA-256 of the very bytes that are sent."""
        return hashlib.sha256(self.arguments).hexdigest()

    def _judged(self, answer: bytes) -> RunOutcome:
        try:
            result, failure = read_answer(answer, self.tool, self.limits, self.id, self.hash())
        except Error as refused:
            return self.outcome("failed", error=refused)
        if failure is not None:
            code, params = failure
            error = self.error("TOOL_FAILED", declared=code)
            return self.outcome("failed", error=error, failure=(code, params))
        return self.outcome("done", result=result)

    def _over(self, over: Exception, report: Report) -> RunOutcome:
        """The outcome of a call that brought no answer."""
        effects, limits = self.effects("failed"), self.limits
        if isinstance(over, Cancelled):
            error = self.error("TOOL_CANCELLED", effects=effects)
            return self.outcome("cancelled", error=error, swept=report.swept)
        if isinstance(over, FrameError):
            code = "TOOL_OUTPUT_TOO_LARGE" if self.sent is not None else "TOOL_PROTOCOL"
            error = self.error(code, limit=limits.result_bytes, what="a frame without bounds")
            return self.outcome("failed", error=error, swept=report.swept)
        if self.sent is None:
            what = "it took too long" if isinstance(over, Late) else "it ended before it was ready"
            return self.outcome("failed", error=self.error("TOOL_START", what=what), swept=report.swept)
        if isinstance(over, Late) or _spent_its_time(report, limits):
            error = self.error("TOOL_TIMEOUT", milliseconds=_milliseconds(self.sent), effects=effects)
            return self.outcome("timed_out", error=error, swept=report.swept)
        error = self.error("TOOL_CRASHED", what=_ending(report.status))
        return self.outcome("failed", error=error, swept=report.swept)

    def outcome(self, state: RunState, **known: Any) -> RunOutcome:
        ready = self.sent if self.sent is not None else monotonic()
        return RunOutcome(
            state,
            self.effects(state),
            isolation=self.isolation,
            start_ms=int((ready - self.began) * 1000),
            run_ms=0 if self.sent is None else _milliseconds(self.sent),
            **known,
        )

    def effects(self, state: RunState) -> Effects:
        if self.tool.capability != "write" or self.sent is None:
            return "none"
        return "completed" if state == "done" else "unknown"

    def error(self, code: str, **params: Any) -> ToolError:
        return ToolError(code, name=self.tool.name, **params)


class _Refused(Exception):
    """The worker is not given the call."""

    def __init__(self, error: Error) -> None:
        self.error = error


def _prepare(request_id: str, limits: EffectiveLimits, read: list[str], write: list[str]) -> bytes:
    """The first frame: what the worker needs in order to give up rights."""
    names = ("cpu_ms", "memory_bytes", "open_files", "file_bytes")
    bounds = {name: getattr(limits, name) for name in names}
    return canon.dumps({"t": "prepare", "request_id": request_id, "bounds": bounds, "read": read, "write": write})


def _spent_its_time(report: Report, limits: EffectiveLimits) -> bool:
    """Whether the kernel killed the process for its processor time.

    For the bound it counts samples, for the report it adds up the time itself: on a busy machine the report of a
    process that was killed at 1,000 ms has said 838. So half of what was allowed is enough to tell it from other kills.
    """
    allowed = whole_seconds(limits.cpu_ms) * 1000
    return report.status in (-signal.SIGKILL, -signal.SIGXCPU) and report.cpu_ms >= allowed / 2


def _milliseconds(since: float) -> int:
    return int((monotonic() - since) * 1000)


def _ending(status: int | None) -> str:
    if status is None:
        return "nobody knows how"
    return f"signal {-status}" if status < 0 else f"exit status {status}"
