"""Nothing private is in what a run leaves behind, however it ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from canaries import canaries, search
from canary_runs import NAMES, OUTCOMES, SCENARIOS, leave

REFUSED = ("CONTEXT_OVERFLOW", "CONTEXT_TEXT_LOST", "BUDGET_TOO_SMALL", "GRAMMAR_SYNTAX", "SCHEMA_CONFLICT")
BY_DESIGN = {("representations", "run id")}  # a handle that was given a name shows it


@pytest.mark.parametrize(("kind", "outcome"), SCENARIOS)
def test_no_canary_is_found(
    kind: str, outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    planted = canaries(NAMES, seed=SCENARIOS.index((kind, outcome)))
    left = leave(kind, outcome, planted, tmp_path, monkeypatch, capfd)
    hits = search(left.places, planted)
    assert [hit for hit in hits if (hit.place, hit.name) not in BY_DESIGN] == []
    _check_outcome(left, outcome)


def _check_outcome(left: Any, outcome: str) -> None:
    """The run ended as the scenario says, so that the search looked at the right thing."""
    code = OUTCOMES[outcome][2]
    assert left.codes == ([] if code is None else [code])
    assert len(left.records) == (0 if code in REFUSED else 1)
    if left.records:
        (record,) = left.records
        assert (None if record.code is None else str(record.code)) == code
        assert record.complete is (code is None)
        assert bool(record.faults) is (outcome in ("fault", "invented"))
