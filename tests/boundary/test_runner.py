"""The runner: what a call is given, what it gives back, how it may end."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import threading
import time
from pathlib import Path

import pytest

import isolated_tools as tools
from checkrail.boundary import runner
from checkrail.boundary.runner import available, run
from checkrail.boundary.tools.limits import ToolLimits
from checkrail.boundary.tools.registration import register
from checkrail.boundary.worker import process as worker_process
from checkrail.boundary.worker.isolation import Isolation
from running import alive, code, outcome_of, take_away, value

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="workers need fork")


# --- what a call gives


def test_result_is_canonical_and_defaults_are_applied() -> None:
    outcome = outcome_of(tools.add, left=2)
    assert outcome.result == b'{"total":3}'
    assert outcome.effects == "none"
    assert outcome.swept
    assert outcome.isolation is not None
    assert outcome.isolation == available()


def test_argument_bytes_arrive_as_they_are() -> None:
    text = '\u0000 \U0001f600 \\ " é é'
    assert value(outcome_of(tools.echo, text=text)) == {"said": text}


def test_large_arguments_and_results_pass() -> None:
    text = "x" * 60_000
    assert value(outcome_of(tools.echo, text=text)) == {"said": text}


def test_declared_failure_brings_code_and_parameters() -> None:
    outcome = outcome_of(tools.fail, code="FULL", limit=5, day="mon")
    assert code(outcome) == "TOOL_FAILED"
    assert outcome.failure == ("FULL", {"limit": 5, "day": "mon"})


def test_what_is_not_declared_is_an_exception_without_text() -> None:
    outcome = outcome_of(tools.fail, code="FULL", limit=5, day="canary-in-a-parameter")
    assert code(outcome) == "TOOL_EXCEPTION"
    assert outcome.failure is None
    assert "canary" not in repr(outcome) + str(outcome.error)


@pytest.mark.parametrize("what", ["set", "nan", "deep", "big", "half"])
def test_what_json_cannot_hold_is_refused(what: str) -> None:
    assert code(outcome_of(tools.not_json, what=what)) == "TOOL_OUTPUT_INVALID"


# --- refusals before anything runs


def test_too_large_arguments_start_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process.subprocess, "Popen", None)
    tool = register(tools.echo, {})
    assert code(run(tool, bytes(tool.limits.args_bytes + 1))) == "TOOL_ARGS_TOO_LARGE"


def test_module_without_a_file_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process.subprocess, "Popen", None)
    tool = dataclasses.replace(register(tools.echo, {}), module="__main__")
    assert code(run(tool, b"{}")) == "TOOL_NOT_IMPORTABLE"


def test_system_without_processes_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr(worker_process.subprocess, "Popen", none)
    assert code(outcome_of(tools.add, left=1)) == "TOOL_START"


def test_interpreter_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit(3)", "utf-8")
    monkeypatch.setattr(worker_process, "_PROGRAM", broken)
    outcome = outcome_of(tools.add, left=1)
    assert code(outcome) == "TOOL_START"
    assert outcome.isolation is None
    assert not outcome.swept  # nobody has counted


def test_folder_that_is_not_utf8(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    folder.mkdir()
    outcome = outcome_of(tools.read_note, notes=folder, name="a")
    assert code(outcome) == "TOOL_START"
    assert (outcome.swept, outcome.isolation) == (True, None)


# --- levels


@pytest.mark.parametrize(
    ("missing", "level"),
    [
        ((), "sandbox"),
        (("namespaces",), "sandbox"),
        (("landlock",), "process+limits"),
        (("syscall_filter",), "process+limits"),
        (("sweeps",), "process+limits"),
        (("rlimits",), "process"),
        (("landlock", "syscall_filter", "namespaces", "sweeps", "rlimits"), "process"),
    ],
    ids=lambda given: given if isinstance(given, str) else "+".join(given) or "nothing",
)
def test_level_is_what_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: tuple[str, ...], level: str
) -> None:
    _needs_sandbox()
    take_away(monkeypatch, tmp_path, *missing)
    tool = dataclasses.replace(register(tools.add, {}), isolation=level)
    outcome = run(tool, b'{"left":1}')
    assert value(outcome) == {"total": 2}
    assert outcome.isolation is not None
    assert outcome.isolation.level == level
    assert outcome.swept is ("sweeps" not in missing)


@pytest.mark.parametrize(("missing", "demanded"), [("landlock", "sandbox"), ("rlimits", "process+limits")])
def test_less_than_demanded_runs_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: str, demanded: str
) -> None:
    take_away(monkeypatch, tmp_path, missing)
    notes = tmp_path / "notes"
    notes.mkdir()
    tool = dataclasses.replace(register(tools.write_path, {"notes": notes}), isolation=demanded)
    outcome = run(tool, f'{{"path":"{notes}/a"}}'.encode())
    assert code(outcome) == "TOOL_ISOLATION_UNAVAILABLE"
    assert outcome.effects == "none"
    assert not list(notes.iterdir())


def _needs_sandbox() -> None:
    found = available()
    if found is None or found.level != "sandbox":
        pytest.skip(f"this system gives {found}")


# --- effects


def test_effects_of_a_write(tmp_path: Path) -> None:
    done = outcome_of(tools.write_path, notes=tmp_path, path=str(tmp_path / "a"))
    assert (done.state, done.effects) == ("done", "completed")
    late = outcome_of(tools.write_then_hang, notes=tmp_path, path=str(tmp_path / "b"))
    assert (late.state, late.effects) == ("timed_out", "unknown")
    assert "unknown" in str(late.error)
    assert (tmp_path / "b").read_text("utf-8") == "written"


# --- time and cancelling


def test_timeout_is_the_callers_to_shorten() -> None:
    began = time.monotonic()
    outcome = run(register(tools.wait, {}), b"{}", timeout=0.1)
    assert (outcome.state, code(outcome)) == ("timed_out", "TOOL_TIMEOUT")
    assert time.monotonic() - began < 10


def test_cancel_before_and_during(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tool = register(tools.wait, {})
    before = run(tool, b"{}", cancel=lambda: True)
    assert (before.state, code(before), before.run_ms) == ("cancelled", "TOOL_CANCELLED", 0)
    asked = iter([False] * 50)
    during = run(tool, b"{}", cancel=lambda: next(asked, True))
    assert (during.state, code(during), during.swept) == ("cancelled", "TOOL_CANCELLED", True)
    assert during.isolation is not None
    assert alive(tmp_path) == []


def test_interrupt_of_the_host_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def interrupt() -> bool:
        raise KeyboardInterrupt

    asked = iter((False, False))
    with pytest.raises(KeyboardInterrupt):
        run(register(tools.wait, {}), b"{}", cancel=lambda: next(asked, None) is None and interrupt())
    assert alive(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_event_loop_goes_on_meanwhile() -> None:
    async def main() -> float:
        running = asyncio.create_task(asyncio.to_thread(run, register(tools.spin, {}), b"{}", timeout=1.5))
        longest, last = 0.0, time.monotonic()
        while not running.done():
            await asyncio.sleep(0.001)
            now = time.monotonic()
            longest, last = max(longest, now - last), now
        assert (await running).state == "timed_out"
        return longest

    assert asyncio.run(main()) < 1  # generous: the machine may be busy; a blocking call would take 1.5 and the start


def test_calls_beside_one_another_do_not_mix() -> None:
    found: dict[int, object] = {}

    def one(number: int) -> None:
        found[number] = value(outcome_of(tools.add, left=number, right=100))["total"]

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: number + 100 for number in range(4)}


@pytest.mark.parametrize(
    ("status", "cpu_ms", "spent"),
    [(-9, 838, True), (-24, 1_000, True), (-9, 499, False), (-11, 1_000, False), (1, 1_000, False), (None, 0, False)],
)
def test_a_kill_for_processor_time_is_told_from_others(status: int | None, cpu_ms: int, spent: bool) -> None:
    """838 ms of 1,000 were seen: the kernel bounds by samples, and reports the time itself."""
    limits = ToolLimits(cpu_ms=1_000).effective("pure")
    assert runner._spent_its_time(worker_process.Report(status, cpu_ms, swept=True, late=False), limits) is spent


# --- what the process is given


def test_surroundings_are_bare() -> None:
    listed, descriptors, _, umask, hashed, site = eval(value(outcome_of(tools.surroundings))["said"])
    assert listed == []
    assert len(descriptors) == 4, "standard streams and one socket"
    assert umask == 0o077
    assert not site
    assert hashed == eval(value(outcome_of(tools.surroundings))["said"])[4], "PYTHONHASHSEED holds"


def test_debug_gets_output_and_trace_and_nobody_else() -> None:
    heard: list[bytes] = []
    tool = register(tools.die, {})
    outcome = run(tool, b'{"how":"canary-4711"}', debug=heard.append)
    assert code(outcome) == "TOOL_EXCEPTION"
    assert b"RuntimeError: canary-4711" in b"".join(heard)
    assert "4711" not in repr(outcome) + str(outcome.error) + repr(outcome.error)


def test_debug_is_bounded() -> None:
    heard: list[bytes] = []
    run(register(tools.noise, {}), b'{"count":1000000}', debug=heard.append)
    assert len(b"".join(heard)) == worker_process.KEPT_NOISE


# --- what it shows


def test_repr_shows_sizes_only() -> None:
    outcome = outcome_of(tools.echo, text="canary")
    assert repr(outcome).startswith("<RunOutcome done: 17 bytes, ")
    assert "canary" not in repr(outcome)


def test_limits_given_for_a_call_hold() -> None:
    limits = dataclasses.replace(ToolLimits().effective("pure"), wall_ms=20_000, result_bytes=5)
    outcome = run(register(tools.add, {}), b'{"left":1}', limits=limits)
    assert code(outcome) == "TOOL_OUTPUT_TOO_LARGE"


def test_available_is_asked_once() -> None:
    assert available() is available()
    assert isinstance(available(), Isolation)
