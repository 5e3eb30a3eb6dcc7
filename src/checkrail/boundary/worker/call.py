"""One call, in the process that exists for it: give up rights, say so, take the call, run it, answer, end.

`run_call` never returns. The order is the point: bounds and sandbox come first, then the host is told what holds and
decides whether that is enough, and only then are the arguments sent and the tool's code is read. The answer carries the
hash of the arguments that were received and nothing that the tool did not return: of an exception, the code that the
tool has declared or the kind of the failure, and never its text.

You need it in the worker only; `runner` is the other side, `_worker` the start.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
from typing import Any, NoReturn

from checkrail.boundary import canon, strictjson
from checkrail.boundary.tools.tool import Tool, ToolFailure
from checkrail.boundary.worker import landlock, process_limits, root_folder, sandbox_linux, syscall_filter
from checkrail.boundary.worker.frames import frame, read_frame, write_all
from checkrail.boundary.worker.isolation import Isolation
from checkrail.boundary.worker.load import SourceChangedError, load
from checkrail.errors import DocumentError, ToolError

__all__ = ["DEEPEST", "MOST_BYTES", "MOST_HEADER_BYTES", "run_call"]

MOST_HEADER_BYTES = 1024 * 1024  # of the frames from the host that are no arguments
MOST_BYTES = 4 * 1024 * 1024 + 1024  # the largest result that a manifest may allow, and what is around it
DEEPEST = 32 + 1
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)


def run_call(descriptor: int, prepare: dict[str, Any], *, namespaces: bool, sweeps: bool) -> NoReturn:
    """Serve one call on `descriptor`. prepare: the host's first frame. namespaces, sweeps: what the keeper has done."""
    status = 1
    try:
        _serve(descriptor, prepare, namespaces=namespaces, sweeps=sweeps)
        status = 0
    except BaseException as error:
        _print_trace(error)
    finally:
        # Whatever happens, this process must not run the keeper's code, which it still holds. No exit handlers, no
        # waiting for threads that the tool has left.
        os._exit(status)


def _serve(descriptor: int, prepare: dict[str, Any], *, namespaces: bool, sweeps: bool) -> None:
    isolation = _isolate(prepare, namespaces=namespaces, sweeps=sweeps)
    _send(descriptor, {"t": "ready", "request_id": prepare["request_id"], "isolation": isolation.to_json()})
    call: Any = strictjson.parse(read_frame(descriptor, MOST_HEADER_BYTES)).value
    arguments = read_frame(descriptor, call["args_bytes"])
    received = hashlib.sha256(arguments).hexdigest()
    answer = _answer(call, arguments, received, sandboxed=isolation.level == "sandbox")
    _send(descriptor, {"request_id": call["request_id"], "arguments_sha256": received, **answer})


def _isolate(prepare: dict[str, Any], *, namespaces: bool, sweeps: bool) -> Isolation:
    """Give up what this system lets a process give up."""
    sandbox_linux.offer_to_out_of_memory()
    limited = process_limits.set_limits(prepare["bounds"], own_numbers=namespaces)
    dropped = sandbox_linux.drop_privileges()
    version = landlock.restrict([*prepare["read"], os.getcwd()], prepare["write"]) if dropped else None
    return Isolation(
        landlock_abi=version,
        syscall_filter=dropped and syscall_filter.install(),
        netns=namespaces,
        pidns=namespaces,
        rlimits=limited,
        sweeps=sweeps,
    )


def _answer(call: dict[str, Any], arguments: bytes, received: str, *, sandboxed: bool) -> dict[str, Any]:
    """Run the tool. What to tell the host of how it went."""
    if received != call["arguments_sha256"]:
        return _error("TOOL_WORKER_MISMATCH")
    try:
        sys.path[:] = call["path"]
        root_folder.grant(call["roots"], call["writes"])
        tool = load(call["module"], call["qualname"], file=call["file"], source_hash=call["source_sha256"])
        result = _invoke(tool, call["manifest_sha256"], arguments)
        canon.dumps(result, max_depth=call["depth"], max_bytes=call["result_bytes"])
        return {"t": "ok", "result": result}
    except BaseException as error:  # also SystemExit: a tool does not end its worker
        return _failure(error, sandboxed=sandboxed)


def _invoke(tool: Any, manifest: str, arguments: bytes) -> Any:
    """The tool's result, if what the name led to is the tool that was registered."""
    if not isinstance(tool, Tool) or tool.manifest_sha256 != manifest:
        raise SourceChangedError
    values: Any = strictjson.parse(arguments).value
    return tool.invoke(values)


def _failure(error: BaseException, *, sandboxed: bool) -> dict[str, Any]:
    """The code of an exception; its text goes to the standard error, which only a developer's sink receives."""
    if isinstance(error, ToolFailure):
        # A tool can have made these anything, or none. Of what no frame can hold, nothing can be what was declared.
        failed = {"t": "fail", **{name: getattr(error, name, None) for name in ("code", "params")}}
        with contextlib.suppress(DocumentError):
            canon.dumps(failed)
            return failed
    if isinstance(error, MemoryError):
        return _error("TOOL_MEMORY")
    if isinstance(error, SourceChangedError):
        return _error("AUTH_MANIFEST_DRIFT")
    if isinstance(error, ToolError) and error.code == "TOOL_PATH":
        return _error("TOOL_PATH")
    _print_trace(error)
    if isinstance(error, DocumentError) and error.code.startswith("CANON_"):
        return _error("TOOL_OUTPUT_TOO_LARGE" if error.code == "CANON_TOO_LARGE" else "TOOL_OUTPUT_INVALID")
    if sandboxed and isinstance(error, OSError) and error.errno in _REFUSED:
        return _error("TOOL_SANDBOX")
    return _error("TOOL_EXCEPTION")


def _print_trace(error: BaseException) -> None:
    with contextlib.suppress(Exception):
        import traceback

        traceback.print_exception(error)
        sys.stderr.flush()


def _error(code: str) -> dict[str, Any]:
    return {"t": "error", "code": code}


def _send(descriptor: int, message: dict[str, Any]) -> None:
    write_all(descriptor, frame(canon.dumps(message, max_depth=DEEPEST, max_bytes=MOST_BYTES)))
