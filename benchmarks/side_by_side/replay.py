"""The timed code: compile one grammar, replay its texts token by token.

TTFM is compile + start + first mask; TBM is mask + commit of one token (reading the token's bit in between is not
timed). A text is accepted when the mask allowed each of its tokens, and then the end. A timed region in which
another process took the core counts its CPU time, not the time on the wall. Python's garbage collector stays on,
as it is for users; what a case left behind is collected before the next.

Method: MaskBench (guidance-ai/jsonschemabench), which stops before the end token and counts compile time alone.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from .engine import Engine
from .job import Job
from .process import peak_megabytes, switches

__all__ = ["run_job"]

_now = time.perf_counter_ns
_cpu = time.process_time_ns


def _without_waiting(first: int, second: int, cpu: int, preempted: bool) -> tuple[int, int]:
    """Two timed parts (ns); where the process had to wait, the longer gives up what was not CPU time."""
    waited = max(0, first + second - cpu) if preempted else 0
    return (max(0, first - waited), second) if first > second else (first, max(0, second - waited))


def _failure(error: BaseException) -> str:
    """One line on what an engine raised. Panics of Rust extensions derive from BaseException, hence its type."""
    if isinstance(error, (KeyboardInterrupt, SystemExit)):
        raise error
    return f"{type(error).__name__}: {error}"[:400]


def run_job(engine: Engine, job: Job, compiled: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """One grammar and its texts. compiled: told as soon as there is a first mask, in case a text runs into a limit."""
    record: dict[str, Any] = {"id": job.id, "status": "ok"}
    compile_source = {
        "schema": engine.compile_schema, "regex": engine.compile_regex, "lark": engine.compile_lark,
    }[job.kind]  # fmt: skip
    engine.nesting = job.nesting
    if job.cold:
        engine.forget()
    gc.collect()
    switched, cpu, begin = switches(), _cpu(), _now()
    try:
        compile_source(job.source)
        between = _now()
        engine.start()
        engine.mask()
    except BaseException as error:
        status = "crash" if isinstance(error, MemoryError) else "refused"
        facts = {"compile_us": (_now() - begin) / 1000, "peak_mb": peak_megabytes()}
        return {**record, "status": status, "error": _failure(error), **facts}
    end = _now()
    parts = _without_waiting(between - begin, end - between, _cpu() - cpu, switches() != switched)
    record["compile_us"], record["ttfm_us"] = parts[0] / 1000, sum(parts) / 1000
    record["left_to_check"] = engine.left_to_check()
    compiled(record)
    record["texts"] = [_replay(engine, engine.table.encode(text), valid) for text, valid in job.texts]
    record["peak_mb"] = peak_megabytes()
    return record


def _replay(engine: Engine, ids: list[int], valid: bool) -> dict[str, Any]:
    """One text. tbm_ns: of each token that was allowed; at: the first that was not."""
    tbm: list[int] = []
    masks = preempted = 0
    record: dict[str, Any] = {"valid": valid, "tokens": len(ids), "accepted": False, "tbm_ns": tbm}
    try:
        engine.start()
        switched = switches()
        for position, identifier in enumerate(ids):
            cpu, t0 = _cpu(), _now()
            engine.mask()
            t1 = _now()
            if not engine.allowed(identifier):
                record["at"] = position
                break
            t2 = _now()
            committed = engine.commit(identifier)
            t3 = _now()
            used, now_switched = _cpu() - cpu, switches()
            mask, commit = _without_waiting(t1 - t0, t3 - t2, used, now_switched != switched)
            preempted += now_switched != switched
            switched = now_switched
            tbm.append(mask + commit)
            masks += mask
            if not committed:
                record["at"], record["disagrees"] = position, True  # the mask allowed what commit refuses
                break
        else:
            begin = _now()
            record["accepted"] = engine.may_end()
            record["end_ns"] = _now() - begin
    except BaseException as error:
        record["error"] = _failure(error)
    record["mask_ns"], record["preempted"] = masks, preempted
    return record
