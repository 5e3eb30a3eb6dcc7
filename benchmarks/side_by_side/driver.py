"""The driver: gives jobs to workers and sees to time limits; a worker that hangs or dies is replaced.

Engines take turns, a block of jobs each, so that a slow spell of the machine falls on all of them alike. They run
one after the other and on one core: never two at a time. Needs a POSIX system.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from .job import Job

__all__ = ["Conditions", "Worker", "WorkerError", "measure"]

Record = dict[str, Any]
_ROOT = Path(__file__).resolve().parents[1]
_PREPARATION_SECONDS = 300
_THREAD_VARIABLES = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "GLRMASK_COMPILE_THREADS")


class WorkerError(Exception):
    """A worker that did not start."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all engines run under. timeout: seconds for one job; memory: gigabytes of address space, one worker;
    tokens: use that many of the vocabulary; options: for Checkrail's adapter."""

    vocabulary: Path | None
    timeout: float = 60.0
    memory: float | None = 14.0
    core: int | None = 0
    tokens: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    errors: Path | None = None

    def command(self, engine: str) -> list[str]:
        """The command line of a worker."""
        command = [sys.executable, "-m", "side_by_side.worker", "--engine", engine]
        command += ["--options", json.dumps(self.options)]
        for name in ("vocabulary", "tokens", "core", "memory"):
            value = getattr(self, name)
            command += [] if value is None else [f"--{name}", str(value)]
        return command


class Worker:
    """A running worker. about: what it said of itself."""

    def __init__(self, engine: str, conditions: Conditions) -> None:
        self.engine = engine
        self._timeout = conditions.timeout
        path = os.pathsep.join([str(_ROOT), *filter(None, sys.path)])
        environment = {**os.environ, **dict.fromkeys(_THREAD_VARIABLES, "1")}
        environment |= {"TOKENIZERS_PARALLELISM": "false", "PYTHONPATH": path}
        with open(conditions.errors or os.devnull, "ab") as errors:
            self._process = subprocess.Popen(
                conditions.command(engine),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
            )
        self._pending = b""
        about = self._message(_PREPARATION_SECONDS)
        if not about or not about.get("ready"):
            self.stop()
            raise WorkerError((about or {}).get("failed", "no answer while it prepared the vocabulary"))
        self.about = {k: v for k, v in about.items() if k != "ready"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def alive(self) -> bool:
        """Whether it can take another job."""
        return self._process.poll() is None

    def stop(self) -> int:
        """End it; the exit status."""
        if self._process.poll() is None:
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):  # a job it did not live to read
                    stream.close()
        return self._process.wait()

    def run(self, job: Job) -> Record:
        """The record of a job; `timeout` or `crash` as its status where the worker did not live to write one."""
        assert self._process.stdin is not None
        reached: Record = {}
        end = time.monotonic() + self._timeout
        try:
            self._process.stdin.write(json.dumps(job.to_json()).encode() + b"\n")
            self._process.stdin.flush()
            while message := self._message(end - time.monotonic()):
                if "compiled" not in message:
                    return {"error": message["failed"], **_lost(job, "crash")} if "failed" in message else message
                reached = message["compiled"]
        except BrokenPipeError:
            message = {}
        status = self.stop()
        if message is None:
            return {**reached, **_lost(job, "timeout")}
        return {**reached, **_lost(job, "crash"), "error": _exit_name(status)}

    def _message(self, seconds: float) -> Record | None:
        """The next line; None when time is up, empty when the worker is gone."""
        assert self._process.stdout is not None
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                left = end - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None
                chunk = os.read(self._process.stdout.fileno(), 1 << 20)
                if not chunk:
                    return {}
                self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\n")
        message: Record = json.loads(line)
        return message


def _lost(job: Job, status: str) -> Record:
    return {"id": job.id, "status": status, "texts": []}


def _exit_name(status: int) -> str:
    try:
        return f"exit {signal.Signals(-status).name}" if status < 0 else f"exit {status}"
    except ValueError:
        return f"exit {status}"


def measure(
    part: str,
    engines: Sequence[str],
    jobs: Sequence[Job],
    conditions: Conditions,
    *,
    block: int = 20,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Record]:
    """All jobs on all engines. First a record with `about` for each engine that starts, or with `absent` and why."""
    workers: dict[str, Worker] = {}
    try:
        for engine in engines:
            try:
                workers[engine] = Worker(engine, conditions)
                yield {"part": part, "engine": engine, "about": workers[engine].about}
            except WorkerError as error:
                tell(f"{engine}: {error}")
                yield {"part": part, "engine": engine, "absent": str(error)}
        for start in range(0, len(jobs), block):
            for engine in list(workers):
                for job in jobs[start : start + block]:
                    if not workers[engine].alive:
                        workers[engine] = Worker(engine, conditions)  # it started before: if not now, the run is void
                    yield {"part": part, "engine": engine, **workers[engine].run(job)}
            tell(f"{part}: {min(start + block, len(jobs))} of {len(jobs)}")
    finally:
        for worker in workers.values():
            worker.stop()
