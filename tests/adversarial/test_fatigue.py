"""Attack 37: so many calls, so many questions, that a tired person says yes."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.errors import AuthorityError

WRITE = Proposal.of_program("notes.append", {"text": "buy milk"})


def test_after_three_questions_the_person_is_left_alone(tmp_path: Path) -> None:
    session, runner = toy_tools.session(tmp_path, *["deny"] * 3, *["approve"] * 5), toy_tools.Runner()
    codes = [call.error.code for call in (carry(session, WRITE, run=runner) for _ in range(8)) if call.error]
    assert codes == ["AUTH_DENIED_USER"] * 3 + ["BUDGET_CONFIRMATIONS"] * 5
    assert len(session.confirmer.seen) == 3  # type: ignore[attr-defined]
    assert runner.ran == []


def test_after_eight_calls_the_turn_is_over(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path)
    for _ in range(8):
        carry(session, Proposal.of_program("nothing", {}))
    with pytest.raises(AuthorityError, match="BUDGET_CALLS"):
        carry(session, WRITE)


def test_a_new_turn_begins_when_the_user_says_something(tmp_path: Path) -> None:
    session, runner = toy_tools.session(tmp_path, *["deny"] * 3, "approve"), toy_tools.Runner()
    for _ in range(3):
        carry(session, WRITE, run=runner)
    session.begin_turn()
    assert carry(session, WRITE, run=runner).error is None
    assert runner.writes == 1
