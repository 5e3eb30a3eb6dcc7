"""What a call of a tool costs beside doing the same without its guards.

python benchmarks/tool_overhead.py [--runs 30]

Measured are, in one run and alternating, so that a busy machine is as busy for all: a plain function call; the same
through a session, in this process (`isolation="none"`); a plain subprocess that runs one line of Python; the tool in a
worker of its own, from the proposal to the result, and of that the time from the proposal until the worker is ready.
"First" is the first call of each way, whose files are yet to be read; the others are of the calls after it. No worker
is kept from one call to the next, so there is none that is warmer than that.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import click

from checkrail.boundary.calls.budgets import SessionLimits
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.composition import Composition
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.runner import run
from checkrail.boundary.session import Session
from checkrail.boundary.worker.run_outcome import RunOutcome
from tool_overhead_tools import double_apart, double_here

_ZEROS = "0" * 64
_READY = "of the worker: from the proposal until it is ready"


@click.command()
@click.option("--runs", type=click.IntRange(3), default=30, show_default=True)
def main(runs: int) -> None:
    """Print the medians as one line of JSON for each way."""
    ways = _ways()
    times: dict[str, list[float]] = {name: [] for name in (*ways, _READY)}
    for _ in range(runs + 1):
        for name, way in ways.items():
            times[name].append(_timed(way))
        times[_READY].append(_Watched.ready_ms)
    for name, (first, *others) in times.items():
        print(json.dumps({"way": name, "first_ms": round(first, 3), **_numbers(others)}))


def _ways() -> dict[str, Callable[[], object]]:
    composition = Composition(
        model_id="none",
        model_sha256=None,
        tokenizer_sha256=_ZEROS,
        template_sha256=_ZEROS,
        grammar_sha256=_ZEROS,
        sampling_sha256=_ZEROS,
    )
    session = Session(
        [double_here, double_apart], composition=composition, limits=SessionLimits(calls_per_session=4_096)
    )

    def through(name: str) -> Call:
        session.begin_turn()
        _Watched.began = time.perf_counter()
        call = carry(session, Proposal.of_program(name, {"number": 21}), run=_Watched())
        assert call.result is not None
        assert call.result.result == 42, call
        return call

    code = "import json, sys; print(json.dumps(json.load(sys.stdin) * 2))"
    return {
        "a function": lambda: double_here(21),
        "the calculator's way: checked, in this process": lambda: through("double.here"),
        "a plain subprocess": lambda: subprocess.run(
            [sys.executable, "-c", code], input=b"21", capture_output=True, check=True
        ),
        "a worker: checked, isolated, swept": lambda: through("double.apart"),
    }


class _Watched:
    """The runner, and how long it was from the proposal until it was called and the worker was ready."""

    began = ready_ms = 0.0

    def __call__(self, *args: Any, **options: Any) -> RunOutcome:
        before = (time.perf_counter() - _Watched.began) * 1000
        outcome = run(*args, **options)
        _Watched.ready_ms = before + outcome.start_ms
        return outcome


def _timed(way: Callable[[], object]) -> float:
    begin = time.perf_counter()
    way()
    return (time.perf_counter() - begin) * 1000


def _numbers(found: list[float]) -> dict[str, float]:
    ordered = sorted(found)
    return {
        "median_ms": round(statistics.median(ordered), 3),
        "best_ms": round(ordered[0], 3),
        "p95_ms": round(ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))], 3),
    }


if __name__ == "__main__":
    main()
