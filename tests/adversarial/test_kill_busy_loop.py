"""Attack 38: a tool that never ends and ignores every signal that can be ignored."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path

import pytest

import isolated_tools as tools
from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from running import alive, code, outcome_of, take_away, value

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="finds processes in /proc")

TIMES = 1_000 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 3


@pytest.mark.parametrize("missing", [(), ("namespaces",), ("namespaces", "sweeps")], ids=["all", "no-pidns", "group"])
def test_busy_loop_is_dead_when_the_outcome_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: tuple[str, ...]
) -> None:
    take_away(monkeypatch, tmp_path, *missing)
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    outcome = outcome_of(tools.spin)
    assert alive(folders) == []
    assert (outcome.state, code(outcome)) == ("timed_out", "TOOL_TIMEOUT")
    assert list(folders.iterdir()) == []


def test_every_one_of_them_is_dead(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The wall time after the deadline, too: 1,000 of 1,000 with CHECKRAIL_THOROUGH=1."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tool = register(tools.spin, {})
    overshoots = []
    for _ in range(TIMES):
        began = time.monotonic()
        outcome = run(tool, b"{}", timeout=0.05)
        total = (time.monotonic() - began) * 1000
        assert alive(tmp_path) == []
        assert outcome.state == "timed_out"
        assert outcome.swept
        overshoots.append(total - outcome.start_ms - 50)
    overshoots.sort()
    print(
        f"{TIMES} dead; ms from the deadline to the outcome: median {statistics.median(overshoots):.1f}, "
        f"p99 {overshoots[int(len(overshoots) * 0.99) - 1]:.1f}, most {overshoots[-1]:.1f}"
    )
    assert list(tmp_path.iterdir()) == []


def test_twin_a_tool_that_ends_in_time_is_not_killed() -> None:
    assert value(outcome_of(tools.add, left=1)) == {"total": 2}
