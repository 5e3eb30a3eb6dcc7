"""The host's side of a worker process when things go wrong on the other side."""

from __future__ import annotations

import ast
import os
import signal
import time
from pathlib import Path

import pytest

import isolated_tools as tools
from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from checkrail.boundary.worker import process as worker_process
from checkrail.boundary.worker.process import Ended, Late, Worker
from running import alive, code

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="finds processes in /proc")
BOUNDARY = Path(worker_process.__file__).parents[1]


def test_worker_that_is_sent_nothing_waits_and_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Worker(keep_noise=False) as worker:
        assert repr(worker).startswith("<Worker ")
        with pytest.raises(Late):
            worker.receive(10, time.monotonic() + 0.01, None)
        report = worker.end()
    assert (report.swept, report.late) == (True, False)
    assert alive(tmp_path) == []


def test_worker_that_cannot_read_its_orders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Worker(keep_noise=True) as worker:
        worker.send(b"no JSON")
        with pytest.raises(Ended):
            worker.receive(10, time.monotonic() + 20, None)
        report = worker.end()
    assert not report.swept
    assert b"JSON_SYNTAX" in worker.noise
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_keeper_that_does_not_keep(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: signal.Signals) -> None:
    """Stopped or killed, it counts nothing: the tool's process dies all the same, and no sweep is claimed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(worker_process, "_PATIENCE", 0.3)
    looks = iter([False] * 5)

    def cancel() -> bool:
        processes = alive(tmp_path)
        if len(processes) < 2 or not next(looks, True):
            return False
        os.kill(min(processes, key=started), number)
        return True

    outcome = run(register(tools.wait, {}), b"{}", cancel=cancel)
    assert code(outcome) in ("TOOL_CANCELLED", "TOOL_CRASHED")
    assert not outcome.swept
    end = time.monotonic() + 5
    while alive(tmp_path):
        assert time.monotonic() < end
        time.sleep(0.01)


def started(number: int) -> int:
    """When a process began, in ticks; the keeper is the older of the two."""
    return int(Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()[19])


def test_descriptors_do_not_leak() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        run(register(tools.die, {}), b'{"how":"exit"}')
    assert len(os.listdir("/proc/self/fd")) == before


def test_no_module_of_the_runner_can_unpickle() -> None:
    for file in BOUNDARY.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        assert not names & {"pickle", "marshal", "shelve", "multiprocessing"}, file.name


def test_one_module_starts_processes() -> None:
    starts = {"subprocess", "pty", "_posixsubprocess"}
    found = {
        file.relative_to(BOUNDARY).as_posix()
        for file in BOUNDARY.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if (isinstance(node, ast.Import) and any(alias.name in starts for alias in node.names))
        or (isinstance(node, ast.Attribute) and node.attr in ("fork", "posix_spawn", "execve", "system", "popen"))
    }
    assert found == {"worker/process.py", "worker/keeper.py"}
