"""Cancelling a call at every moment at which the host looks: before the start, while it starts, while it runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import isolated_tools as tools
from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from running import alive, outcome_of, value

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="finds processes in /proc")

POINTS = range(60) if os.environ.get("CHECKRAIL_THOROUGH") == "1" else (0, 1, 2, 4, 8, 16, 32)


@pytest.mark.parametrize("point", POINTS)
def test_cancelled_at_this_look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, point: int) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    looks = iter([False] * point)
    outcome = run(register(tools.wait, {}), b"{}", cancel=lambda: next(looks, True))
    assert alive(tmp_path) == []
    assert (outcome.state, outcome.swept) == ("cancelled", True)
    assert (outcome.run_ms > 0) <= (outcome.isolation is not None), "no call without an established isolation"
    assert list(tmp_path.iterdir()) == []


def test_twin_never_cancelled() -> None:
    assert value(outcome_of(tools.add, left=1)) == {"total": 2}


def test_twin_asked_and_not_cancelled() -> None:
    asked: list[bool] = []
    outcome = run(register(tools.add, {}), b'{"left":1}', cancel=lambda: bool(asked.append(True)))
    assert outcome.state == "done"
    assert len(asked) > 1
