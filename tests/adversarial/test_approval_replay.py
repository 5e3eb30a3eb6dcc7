"""Attacks 31 and 32: an approval is used again, kept for later, or made by somebody else."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.confirm import Decision
from checkrail.boundary.session import Session

PROPOSAL = Proposal.of_program("notes.append", {"text": "buy milk"})


class Answers:
    """A dialog that gives answers of an attacker. kept: the true answers that it saw."""

    is_available = True

    def __init__(self, attack: Any = None) -> None:
        self.attack = attack
        self.kept: list[Decision] = []

    def confirm(self, question: Any, sign: Any) -> Decision:
        if self.attack is not None:
            forged: Decision = self.attack(question, sign)
            return forged
        self.kept.append(sign("approve"))
        return self.kept[-1]


def run_once(session: Session) -> tuple[str | None, int]:
    runner = toy_tools.Runner()
    call = carry(session, PROPOSAL, run=runner)
    return (None if call.error is None else call.error.code), len(runner.ran)


def test_a_true_answer_runs_once(tmp_path: Path) -> None:
    assert run_once(toy_tools.session(tmp_path, confirm=Answers())) == (None, 1)


def test_an_answer_is_not_good_for_the_next_question(tmp_path: Path) -> None:
    answers = Answers()
    session = toy_tools.session(tmp_path, confirm=answers)
    run_once(session)
    answers.attack = lambda question, sign: answers.kept[0]
    assert run_once(session) == ("AUTH_REPLAY", 0)


def test_an_answer_of_another_session_is_none(tmp_path: Path) -> None:
    first, second = Answers(), Answers(lambda question, sign: first.kept[0])
    run_once(toy_tools.session(tmp_path, confirm=first))
    assert run_once(toy_tools.session(tmp_path, confirm=second)) == ("AUTH_BAD_DECISION", 0)


@pytest.mark.parametrize(
    "forge",
    [
        lambda question, sign: Decision(question.confirmation_id, "approve", question.binding, b""),
        lambda question, sign: Decision(question.confirmation_id, "approve", question.binding, bytes(32)),
        lambda question, sign: Decision(question.confirmation_id, "approve", question.binding, question.binding),
        lambda question, sign: dataclasses.replace(sign("deny"), choice="approve"),
        lambda question, sign: dataclasses.replace(sign("approve"), confirmation_id="tc_" + "0" * 26),
    ],
)
def test_an_answer_that_was_made_up_is_none(tmp_path: Path, forge: Any) -> None:
    assert run_once(toy_tools.session(tmp_path, confirm=Answers(forge))) == ("AUTH_BAD_DECISION", 0)


@pytest.mark.parametrize("answer", ["approve", True, ("approve",), {"choice": "approve"}])
def test_what_is_no_answer_at_all_is_none(tmp_path: Path, answer: Any) -> None:
    code, ran = run_once(toy_tools.session(tmp_path, confirm=Answers(lambda question, sign: answer)))
    assert (code, ran) == ("AUTH_BAD_DECISION", 0)


def test_the_end_of_the_session_is_the_end_of_what_was_approved(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, confirm=Answers())
    runner = toy_tools.Runner()

    def close(call: Any) -> None:
        if call.state.value == "authorized":
            session.close()

    call = carry(session, PROPOSAL, run=runner, watch=close)
    assert call.state.is_final
    assert runner.ran == []
    assert run_once(session)[1] == 0


def test_a_request_that_ran_is_not_run_again(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, confirm=Answers())
    first = carry(session, PROPOSAL, run=toy_tools.Runner())

    def swap(call: Any) -> None:
        if call.state.value == "authorized":
            call.request, call.approval = first.request, first.approval

    runner = toy_tools.Runner()
    call = carry(session, PROPOSAL, run=runner, watch=swap)
    assert call.error is not None
    assert (call.error.code, runner.ran) == ("AUTH_REPLAY", [])
