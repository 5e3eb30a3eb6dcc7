"""Fuzzing: random and mutated inputs for a module, and laws that must hold for each, for as long as one likes.

python tools/fuzz.py strictjson 600             ten minutes
python tools/fuzz.py strictjson 600 --seed 7    another sequence of inputs
python tools/fuzz.py strictjson --run 3/1234    input 1234 of seed 3 once more, to reproduce what failed

The targets are in `fuzz_targets.py`. A run fails if a law does not hold, if anything but a catalogued error is raised,
or if it takes more than a second of processor time. One that does not end is stopped after twenty (so Unix only). The
report is one JSON object; the exit status is 1 after a failure, which is told with its number and its input.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # the oracles of the targets

from fuzz_targets import TARGETS, Target

SLOW = 1.0  # seconds of processor time that one input may take
HANG = 20
MEMORY = 4 * 2**30
SHOWN = 2_000  # characters of an input that failed


def run_one(target: Target, seed: str) -> tuple[float, str]:
    """Seconds, and what is wrong with the input of this seed; "" if nothing is."""
    given = target.make(Random(seed))
    started = time.process_time()
    try:
        target.check(given)
        seconds = time.process_time() - started
        wrong = f"{seconds:.1f} seconds" if seconds > SLOW else ""
    except Exception:  # whatever is raised is what is looked for
        seconds, wrong = time.process_time() - started, traceback.format_exc()
    return seconds, f"{wrong}\ninput: {ascii(given)[:SHOWN]}" if wrong else ""


def fuzz(target: Target, seconds: float, seed: int, runs: int | None = None) -> dict[str, Any]:
    """Run inputs until the time is over, `runs` is reached, or one fails."""
    started = time.monotonic()
    slowest, number, wrong = 0.0, 0, ""
    while not wrong and time.monotonic() - started < seconds and number != runs:
        taken, wrong = guarded(lambda: run_one(target, f"{seed}/{number}"))  # noqa: B023  (called at once)
        slowest = max(slowest, taken)
        number += 1
    account = {"seed": seed, "runs": number, "seconds": round(time.monotonic() - started, 1)}
    account |= {"slowest_ms": round(slowest * 1000, 1)}
    return {**account, "failed": f"{seed}/{number - 1}", "why": wrong} if wrong else account


def guarded(run: Callable[[], tuple[float, str]]) -> tuple[float, str]:
    """The run, ended by a signal where it would not end."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"still running after {HANG} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANG)
    try:
        return run()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@click.command()
@click.argument("module", type=click.Choice(sorted(TARGETS)))
@click.argument("seconds", type=float, default=60.0)
@click.option("--seed", default=1, show_default=True)
@click.option("--run", "only", help="Check one input again: SEED/NUMBER.")
def main(module: str, seconds: float, seed: int, only: str | None) -> None:
    """Fuzz MODULE for SECONDS."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    if only is not None:
        taken, wrong = guarded(lambda: run_one(TARGETS[module], only))
        print(wrong or f"Nothing is wrong with it ({taken:.3f} seconds).")
        sys.exit(bool(wrong))
    account = {"module": module, **fuzz(TARGETS[module], seconds, seed)}
    print(account.pop("why", ""), file=sys.stderr)
    print(json.dumps(account))
    sys.exit("failed" in account)


if __name__ == "__main__":
    main()
