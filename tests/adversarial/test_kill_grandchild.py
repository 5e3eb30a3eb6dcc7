"""Attack 39: processes that fork twice, make sessions of their own, close everything, and ignore signals.

CHECKRAIL_THOROUGH=1 runs each of the six cases 170 times: 1,020 tools with three grandchildren each.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import isolated_tools as tools
from checkrail.boundary import canon
from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from checkrail.boundary.tools.tool import Tool
from checkrail.boundary.worker.run_outcome import RunOutcome
from running import alive, code, outcome_of, take_away, value

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="finds processes in /proc")

TIMES = 170 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 1


@pytest.mark.parametrize("missing", [(), ("namespaces",), ("namespaces", "landlock", "syscall_filter", "rlimits")])
@pytest.mark.parametrize("tool", [tools.breed_and_hang, tools.breed_and_return], ids=lambda tool: tool.name)
def test_grandchildren_are_dead_when_the_outcome_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tool: Tool, missing: tuple[str, ...]
) -> None:
    take_away(monkeypatch, tmp_path, *missing)
    folders, notes = tmp_path / "folders", tmp_path / "notes"
    folders.mkdir()
    notes.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    for number in range(TIMES):
        mark = notes / str(number)
        outcome = breed(tool, notes, mark)
        assert alive(folders) == []
        assert outcome.swept
        assert born(mark) == 3, "they did live"
        if tool is tools.breed_and_return:
            assert value(outcome) == {"total": 3}
        else:
            assert code(outcome) == "TOOL_CANCELLED"


def breed(tool: Tool, notes: Path, mark: Path) -> RunOutcome:
    """Run the tool; if it hangs, stop it as soon as its grandchildren live, however slow the machine is."""
    cancel = (lambda: born(mark) == 3) if tool is tools.breed_and_hang else None
    return run(register(tool, {"notes": notes}), canon.dumps({"mark": str(mark)}), cancel=cancel)


def born(mark: Path) -> int:
    """How many grandchildren have said that they live."""
    return mark.read_text("ascii").count("born") if mark.exists() else 0


def test_without_a_sweep_the_outcome_does_not_claim_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The twin: on a system without both, they do survive, so the tests above show what kills them."""
    take_away(monkeypatch, tmp_path, "namespaces", "sweeps")
    folders, notes = tmp_path / "folders", tmp_path / "notes"
    folders.mkdir()
    notes.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    outcome = outcome_of(tools.breed_and_return, notes=notes, mark=str(notes / "mark"))
    survivors = alive(folders)
    for survivor in survivors:
        os.kill(survivor, signal.SIGKILL)
    assert len(survivors) == 3
    assert not outcome.swept


@pytest.mark.parametrize("crash", [False, True])
def test_without_a_sweep_the_group_is_killed_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, crash: bool
) -> None:
    """A child that stayed in the group of the tool's process, which ended by itself."""
    take_away(monkeypatch, tmp_path, "namespaces", "sweeps")
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    outcome = outcome_of(tools.leave_child, crash=crash)
    end = time.monotonic() + 5
    while survivors := alive(folders):
        if time.monotonic() > end:
            for survivor in survivors:
                os.kill(survivor, signal.SIGKILL)
            pytest.fail("it lives on")
        time.sleep(0.01)
    assert (outcome.state, outcome.error and code(outcome)) == (("failed", "TOOL_CRASHED") if crash else ("done", None))
    assert not outcome.swept


HOST = """
import sys
import isolated_tools as tools
from running import outcome_of
print("started", flush=True)
outcome_of(tools.wait)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_death_of_the_host_ends_the_worker(tmp_path: Path, number: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", HOST], env=environment, stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        host.stdout.readline()
        _until(lambda: len(alive(tmp_path)) >= 2)  # keeper and tool
        host.send_signal(number)
    _until(lambda: not alive(tmp_path))


def _until(condition: object, seconds: float = 20) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
