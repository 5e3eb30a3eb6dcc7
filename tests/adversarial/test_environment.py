"""Attack 45: secrets in the environment, and the text of exceptions."""

from __future__ import annotations

import pytest

import isolated_tools as tools
from running import code, outcome_of, value

SECRET = "canary-8472"


def test_environment_is_six_fixed_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("PYTHONPATH", SECRET)
    said = value(outcome_of(tools.environment))["said"]
    names = {line.partition("=")[0] for line in said.splitlines()}
    assert names - {"LC_CTYPE"} == {"HOME", "LC_ALL", "PATH", "PYTHONHASHSEED", "PYTHONUTF8", "TZ"}
    assert SECRET not in said


def test_text_of_an_exception_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    outcome = outcome_of(tools.die, how=SECRET)
    assert code(outcome) == "TOOL_EXCEPTION"
    assert outcome.error is not None
    error = outcome.error
    shown = (repr(outcome), str(error), error.render(), str(error.to_json()), *capfd.readouterr())
    assert SECRET not in "".join(shown)
    assert outcome.error.__cause__ is outcome.error.__context__ is None


def test_twin_a_tool_may_say_what_it_returns() -> None:
    assert SECRET in value(outcome_of(tools.echo, text=SECRET))["said"]
