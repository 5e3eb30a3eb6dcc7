"""Tools that end their process in ways that are no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import isolated_tools as tools
from running import alive, code, outcome_of, value

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="finds processes in /proc")


@pytest.mark.parametrize(
    ("how", "expected"),
    [("exit", "exit status 7"), ("fault", "signal 11"), ("close", "")],
)
def test_crash_says_how(how: str, expected: str) -> None:
    outcome = outcome_of(tools.die, how=how)
    assert code(outcome) == "TOOL_CRASHED"
    assert expected in str(outcome.error)


@pytest.mark.parametrize("how", ["sys.exit", "an exception"])
def test_exception_is_no_crash(how: str) -> None:
    assert code(outcome_of(tools.die, how=how)) == "TOOL_EXCEPTION"


def test_thread_does_not_outlive_the_result(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folders, notes = tmp_path / "folders", tmp_path / "notes"
    folders.mkdir()
    notes.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    assert value(outcome_of(tools.leave_thread, notes=notes, mark=str(notes / "mark"))) == {"total": 1}
    assert alive(folders) == []
    assert not (notes / "mark").exists()
