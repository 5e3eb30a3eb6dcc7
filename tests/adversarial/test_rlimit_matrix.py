"""Attack 40: memory, processor time, descriptors, file size; each just below its bound, and above."""

from __future__ import annotations

from pathlib import Path

import pytest

import isolated_tools as tools
from running import code, outcome_of, value

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="macOS does not keep the bound on memory")


def test_memory() -> None:
    assert value(outcome_of(tools.take_memory, megabytes=64)) == {"total": 64}
    outcome = outcome_of(tools.take_memory, megabytes=300)
    assert code(outcome) == "TOOL_MEMORY"
    assert str(256 * 1024 * 1024) in str(outcome.error)


def test_processor_time() -> None:
    outcome = outcome_of(tools.burn)
    assert (outcome.state, code(outcome)) == ("timed_out", "TOOL_TIMEOUT")
    assert outcome.run_ms < 15_000, "not by the wall clock"
    assert value(outcome_of(tools.add, left=1)) == {"total": 2}


def test_descriptors() -> None:
    assert value(outcome_of(tools.open_files, count=20)) == {"total": 20}
    assert code(outcome_of(tools.open_files, count=40)) == "TOOL_EXCEPTION"


def test_file_size(tmp_path: Path) -> None:
    assert value(outcome_of(tools.write_much, notes=tmp_path, path=str(tmp_path / "a"), count=65_536))
    outcome = outcome_of(tools.write_much, notes=tmp_path, path=str(tmp_path / "b"), count=65_537)
    assert code(outcome) == "TOOL_EXCEPTION"
    assert (tmp_path / "b").stat().st_size <= 65_536


def test_the_bounds_are_hard() -> None:
    """What `resource` says in the process: the soft bound is the hard one, so it cannot be raised."""
    said = value(outcome_of(tools.bounds))["said"]
    megabytes = 512 * 1024 * 1024
    assert eval(said) == {"AS": (megabytes,) * 2, "CORE": (0, 0), "CPU": (20, 20), "FSIZE": (0, 0), "NOFILE": (32, 32)}
