"""A worker: one engine in a process of its own, pinned to a core and bounded in memory. `driver.py` starts it.

    python -m side_by_side.worker --engine NAME [--options JSON] [--vocabulary FOLDER] [--tokens N] [--core N]
                                  [--memory GB]

Reads jobs from standard input and writes records to standard output, one JSON object a line; first a line about
itself. What an engine prints goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import registry
from .job import Job
from .process import forget_peak, peak_megabytes, resident_megabytes
from .replay import run_job
from .token_table import TokenTable

_WARM_UP = Job("warm-up", "schema", '{"type":"object","properties":{"a":{"type":"integer"}}}', (('{"a": 1}', True),))


def confine(core: int | None, gigabytes: float | None) -> None:
    """Pin this process and bound its address space, as far as the system knows how."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    if gigabytes is not None and sys.platform == "linux":  # elsewhere the call fails or has no effect
        limit = int(gigabytes * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def serve(options: argparse.Namespace, emit: Callable[[dict[str, Any]], None]) -> None:
    """Prepare the engine, then answer each job with its record."""
    table = TokenTable.load(options.vocabulary) if options.vocabulary else TokenTable.of_bytes()
    if options.tokens:
        table = table.first(options.tokens)
    table.encode("warm up")
    before, begin = resident_megabytes(), time.perf_counter()
    engine = registry.create(options.engine, table, json.loads(options.options))
    prepared = time.perf_counter() - begin
    run_job(engine, _WARM_UP, lambda record: None)
    facts = {"version": registry.version(options.engine), "vocabulary": len(table)}
    held = resident_megabytes() - before
    forget_peak()  # what preparing took for a while hides what a grammar takes
    emit({"ready": True, **facts, "prepare_s": prepared, "prepare_mb": held, "peak_mb": peak_megabytes()})
    for line in sys.stdin:
        job = Job.from_json(json.loads(line))
        emit(run_job(engine, job, lambda record: emit({"compiled": record})))


def main() -> None:
    """Serve until standard input ends. A failure to prepare is told to the driver."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True, choices=registry.ENGINES)
    parser.add_argument("--options", default="{}")
    parser.add_argument("--vocabulary", type=Path)
    parser.add_argument("--tokens", type=int)
    parser.add_argument("--core", type=int)
    parser.add_argument("--memory", type=float)
    options = parser.parse_args()
    with os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8") as out:
        os.dup2(2, 1)

        def emit(message: dict[str, Any]) -> None:
            print(json.dumps(message, separators=(",", ":")), file=out)

        confine(options.core, options.memory)
        try:
            serve(options, emit)
        except Exception as error:
            emit({"failed": f"{type(error).__name__}: {error}"[:400]})
            raise


if __name__ == "__main__":
    main()
