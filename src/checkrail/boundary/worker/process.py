"""A worker process as the host sees it: start it, exchange frames with it within a time, end it and prove it ended.

You need it under `runner`, on Linux and macOS. The host never waits without a deadline, never reads more than the frame
that it expects, and never trusts what is read. It holds two sockets: one for the frames of the call, whose other end
the tool's process has, and one to the keeper (`keeper`), which no tool can reach. To end a worker is to shut the
second; a host that dies shuts it, too.

Not taken: threads (they cannot be killed), `fork` of the host (its threads, its secrets, its graphics context),
`multiprocessing` (pickles into the host, imports the main program again), `preexec_fn` (unsafe beside threads).
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Self

from ...errors import DocumentError
from .. import strictjson
from .frames import FrameError, Inbox, frame

__all__ = ["Cancelled", "Ended", "Late", "Report", "Worker"]

ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
    "PATH": "",
    "HOME": "/nonexistent",
}
# -I would ignore the two variables that make runs repeatable. These four, with an environment that holds nothing else,
# are as isolated: no folder of the script, no user folder, no site module, no compiled files written.
FLAGS = ("-P", "-s", "-S", "-B")
KEPT_NOISE = 64 * 1024  # bytes of output that a developer's sink gets

_PATIENCE = 5.0  # seconds that the keeper gets to come to life, kill and count
_GLANCE = 0.02  # seconds between two looks at `cancel`
_REPORT_BYTES = 1024
_PROGRAM = Path(__file__).with_name("_worker.py")
_PACKAGES = Path(__file__).resolve().parents[3]


class Ended(Exception):
    """The worker's end of the socket is closed."""


class Late(Exception):
    """The deadline has passed."""


class Cancelled(Exception):
    """The caller does not want the answer any more."""


@dataclass(frozen=True, slots=True)
class Report:
    """How a worker ended. status: exit code of the call's process, or minus the signal; None where nobody knows.

    swept: nothing of it is alive. late: bytes arrived after the answer.
    """

    status: int | None
    cpu_ms: int
    swept: bool
    late: bool


class Worker:
    """One worker process. `end` it, whatever happens. Raises OSError where it cannot be started."""

    def __init__(self, *, keep_noise: bool) -> None:
        self.noise = bytearray()
        self._folder = tempfile.mkdtemp(prefix="checkrail-")
        self._waiting = memoryview(b"")
        with contextlib.ExitStack() as undo:
            undo.callback(self._remove_folder)
            self._call, call = socket.socketpair()
            undo.callback(self._call.close)
            self._control, control = socket.socketpair()
            undo.callback(self._control.close)
            with call, control:
                numbers = (call.fileno(), control.fileno())
                self._process = subprocess.Popen(
                    [sys.executable, *FLAGS, str(_PROGRAM), *map(str, numbers), str(_PACKAGES)],
                    pass_fds=numbers,
                    env=ENVIRONMENT,
                    cwd=self._folder,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE if keep_noise else subprocess.DEVNULL,
                    stderr=subprocess.STDOUT if keep_noise else subprocess.DEVNULL,
                    start_new_session=True,
                )
            undo.pop_all()
        self._call.setblocking(False)
        if self._process.stdout is not None:
            os.set_blocking(self._process.stdout.fileno(), False)

    def send(self, *messages: bytes) -> None:
        """Put messages into the queue; `receive` sends them while it waits."""
        self._waiting = memoryview(bytes(self._waiting) + b"".join(map(frame, messages)))

    def receive(self, limit: int, deadline: float, cancel: Callable[[], bool] | None) -> bytes:
        """The next message, at most `limit` bytes. deadline: of `time.monotonic`.

        Raises Ended, Late, Cancelled, FrameError.
        """
        inbox = Inbox(limit)
        with selectors.DefaultSelector() as selector:
            selector.register(self._call, selectors.EVENT_READ)
            if self._process.stdout is not None:
                selector.register(self._process.stdout, selectors.EVENT_READ)
            while (message := inbox.take()) is None:
                if cancel is not None and cancel():
                    raise Cancelled
                rest = deadline - monotonic()
                if rest <= 0:
                    raise Late
                writing = selectors.EVENT_WRITE if self._waiting else 0
                selector.modify(self._call, selectors.EVENT_READ | writing)
                for key, events in selector.select(rest if cancel is None else min(rest, _GLANCE)):
                    if key.fileobj is not self._call:
                        self._hear(selector)
                        continue
                    if events & selectors.EVENT_WRITE:
                        self._write()
                    if events & selectors.EVENT_READ:
                        inbox.feed(self._read(inbox.wants))
        return message

    def end(self) -> Report:
        """Kill what is alive of the worker, and wait until it is dead: at most some seconds."""
        for end in (self._call, self._control):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_WR)
        said = self._last_words()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE if said else 0)
        if self._process.returncode is None:
            self._process.kill()  # the kernel kills the call's process with it (`die_with_parent`)
            self._process.wait()
        if self._process.stdout is not None:
            self._hear(None)
            self._process.stdout.close()
        late = self._something_left()
        self._call.close()
        self._control.close()
        self._remove_folder()
        return Report(said.get("status"), said.get("cpu_ms", 0), said.get("swept", False), late)

    def _read(self, count: int) -> bytes:
        try:
            piece = self._call.recv(count)
        except ConnectionError:
            piece = b""
        if not piece:
            raise Ended
        return piece

    def _write(self) -> None:
        try:
            self._waiting = self._waiting[self._call.send(self._waiting) :]
        except ConnectionError:
            raise Ended from None

    def _hear(self, selector: selectors.BaseSelector | None) -> None:
        """Take output of the tool off the pipe: keep the first of it, drop the rest."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        with contextlib.suppress(BlockingIOError):
            piece = os.read(pipe, KEPT_NOISE)
            self.noise += piece[: KEPT_NOISE - len(self.noise)]
            if not piece and selector is not None:
                selector.unregister(self._process.stdout)

    def _last_words(self) -> dict[str, Any]:
        """What the keeper says of the end; nothing if it does not say it in time."""
        inbox = Inbox(_REPORT_BYTES)
        deadline = monotonic() + _PATIENCE
        try:
            while (message := inbox.take()) is None:
                self._control.settimeout(max(deadline - monotonic(), 0.001))
                piece = self._control.recv(inbox.wants)
                if not piece:
                    return {}
                inbox.feed(piece)
            self._control.recv(1)  # end of file: the keeper is gone, too, and `wait` need not look again and again
            said = strictjson.parse(message).value
        except (OSError, FrameError, DocumentError):  # a timeout is an OSError
            return {}
        return said if isinstance(said, dict) else {}

    def _something_left(self) -> bool:
        """Whether more arrived than the frames that were read."""
        try:
            return bool(self._call.recv(1))
        except OSError:
            return False

    def _remove_folder(self) -> None:
        try:
            os.rmdir(self._folder)
        except OSError:
            with contextlib.suppress(RecursionError):  # a tool without a sandbox can leave any depth of folders
                shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.returncode is None:
            self.end()

    def __repr__(self) -> str:
        return f"<Worker {self._process.pid}>"
