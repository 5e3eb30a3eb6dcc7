"""Attack 30: approve A, run B. Each thing that can be exchanged, at each moment at which somebody could."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.authority import Authority
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.calls.states import CallState
from checkrail.boundary.canon import dumps
from checkrail.boundary.confirm import Decision
from checkrail.boundary.confirmation.confirmers import ScriptedConfirmer

SHOWN = {"text": "buy milk"}
OTHER = dumps({"text": "send the money"})


def the_bytes(call: Call) -> None:
    call.arguments = OTHER


def the_bytes_and_their_hash(call: Call) -> None:
    assert call.request is not None
    call.arguments = OTHER
    values: Any = {"text": "send the money"}
    hashed = hashlib.sha256(OTHER).hexdigest()
    call.request = dataclasses.replace(call.request, arguments=values, arguments_sha256=hashed)


def the_bytes_by_the_same_in_another_spelling(call: Call) -> None:
    call.arguments = b'{"text": "buy milk"}'


def the_tool(call: Call) -> None:
    assert call.request is not None
    other = call.session.tools["notes.read"]
    call.request = dataclasses.replace(call.request, tool=other.ref)
    call.pinned = other


def the_tool_and_its_capability(call: Call) -> None:
    assert call.request is not None
    other = call.session.tools["double"]
    call.request = dataclasses.replace(call.request, tool=other.ref, capability="pure")
    call.pinned = other


def the_request_id(call: Call) -> None:
    assert call.request is not None
    call.request = dataclasses.replace(call.request, request_id="tr_" + "0" * 26)


def the_session_id(call: Call) -> None:
    assert call.request is not None
    call.request = dataclasses.replace(call.request, session_id="ts_" + "0" * 26)


def the_expiry(call: Call) -> None:
    assert call.request is not None
    call.request = dataclasses.replace(call.request, expires_unix_ms=call.request.expires_unix_ms + 1)


def the_level(call: Call) -> None:
    assert call.request is not None
    standing = dataclasses.replace(call.request.authority, level="auto_read")
    call.request = dataclasses.replace(call.request, authority=standing)


def the_composition(call: Call) -> None:
    assert call.request is not None
    other = toy_tools.composition(model_id="other")
    call.request = dataclasses.replace(call.request, composition=other, composition_sha256=other.sha256)


SWAPS = [
    the_bytes,
    the_bytes_and_their_hash,
    the_bytes_by_the_same_in_another_spelling,
    the_tool,
    the_tool_and_its_capability,
    the_request_id,
    the_session_id,
    the_expiry,
    the_level,
    the_composition,
]


class SwapsWhileAsking:
    """The person says yes to what is shown, and meanwhile it is exchanged."""

    is_available = True

    def __init__(self, calls: list[Call], swap: Callable[[Call], None], *, after: bool) -> None:
        self.calls, self.swap, self.after = calls, swap, after

    def confirm(self, question: Any, sign: Any) -> Decision:
        if not self.after:
            self.swap(self.calls[-1])
        decision: Decision = sign("approve")
        if self.after:
            self.swap(self.calls[-1])
        return decision


def attempt(folder: Path, swap: Callable[[Call], None], moment: str) -> tuple[Call, toy_tools.Runner]:
    """A call during which something is exchanged."""
    runner, calls = toy_tools.Runner(), []
    confirmer: Any = ScriptedConfirmer("approve")
    if moment in ("shown", "signed"):
        confirmer = SwapsWhileAsking(calls, swap, after=moment == "signed")

    def watch(call: Call) -> None:
        calls.append(call)
        if call.state.value == moment:
            swap(call)

    session = toy_tools.session(folder, confirm=confirmer, authority=Authority.AUTO_PURE)
    return carry(session, Proposal.of_program("notes.append", SHOWN), run=runner, watch=watch), runner


@pytest.mark.parametrize("moment", ["shown", "signed", "authorized"])
@pytest.mark.parametrize("swap", SWAPS)
def test_after_it_was_shown_nothing_else_runs(tmp_path: Path, swap: Callable[[Call], None], moment: str) -> None:
    call, runner = attempt(tmp_path, swap, moment)
    assert runner.ran == []
    assert call.error is not None
    assert call.error.code in ("AUTH_BINDING_MISMATCH", "AUTH_COMPOSITION_CHANGED")
    assert call.state is CallState.DENIED


@pytest.mark.parametrize("swap", SWAPS)
def test_once_it_is_running_an_exchange_comes_too_late(tmp_path: Path, swap: Callable[[Call], None]) -> None:
    _, runner = attempt(tmp_path, swap, "running")
    assert runner.ran == [("notes.append", dumps(SHOWN))]


@pytest.mark.parametrize("swap", [the_bytes, the_bytes_by_the_same_in_another_spelling])
def test_before_it_is_shown_the_exchange_is_shown_or_found_out(tmp_path: Path, swap: Callable[[Call], None]) -> None:
    call, runner = attempt(tmp_path, swap, "validated")
    assert runner.ran == []
    assert call.error is not None
    assert call.error.code == "AUTH_BINDING_MISMATCH"


@pytest.mark.parametrize("moment", ["validated", "shown", "signed", "authorized", "running"])
def test_what_was_shown_runs(tmp_path: Path, moment: str) -> None:
    call, runner = attempt(tmp_path, lambda _: None, moment)
    assert call.state is CallState.DONE
    assert runner.ran == [("notes.append", dumps(SHOWN))]


def other_bytes(call: Call) -> None:
    call.arguments = b'{"line":2}'


def another_version(call: Call) -> None:
    assert call.request is not None
    call.request = dataclasses.replace(call.request, tool=dataclasses.replace(call.request.tool, version="9.0.0"))


@pytest.mark.parametrize("swap", [other_bytes, another_version])
def test_an_automatic_call_runs_what_was_checked(tmp_path: Path, swap: Callable[[Call], None]) -> None:
    runner = toy_tools.Runner()
    session = toy_tools.session(tmp_path, authority=Authority.AUTO_READ)

    def watch(call: Call) -> None:
        if call.state is CallState.AUTHORIZED:
            swap(call)

    call = carry(session, Proposal.of_program("notes.read", {"line": 1}), run=runner, watch=watch)
    assert call.error is not None
    assert (call.error.code, runner.ran) == ("AUTH_BINDING_MISMATCH", [])
    again = carry(session, Proposal.of_program("notes.read", {"line": 1}), run=runner)
    assert (again.state, runner.ran) == (CallState.DONE, [("notes.read", b'{"line":1}')])


def test_an_approval_of_one_call_is_none_for_another(tmp_path: Path) -> None:
    runner, approvals = toy_tools.Runner(), []
    session = toy_tools.session(tmp_path, "approve", "approve")

    def keep(call: Call) -> None:
        if call.state is CallState.AUTHORIZED:
            approvals.append(call.approval)
            call.cancel()

    def use(call: Call) -> None:
        if call.state is CallState.AUTHORIZED:
            call.approval = approvals[0]

    carry(session, Proposal.of_program("notes.append", SHOWN), run=runner, watch=keep)
    second = carry(session, Proposal.of_program("notes.append", SHOWN), run=runner, watch=use)
    assert second.error is not None
    assert (second.error.code, runner.ran) == ("AUTH_REPLAY", [])


def test_a_level_that_was_lowered_meanwhile_holds(tmp_path: Path) -> None:
    runner, session = toy_tools.Runner(), toy_tools.session(tmp_path, "approve")

    def lower(call: Call) -> None:
        if call.state is CallState.AUTHORIZED:
            call.session.lower_authority(Authority.PROPOSE)

    call = carry(session, Proposal.of_program("notes.append", SHOWN), run=runner, watch=lower)
    assert call.error is not None
    assert (call.error.code, runner.ran) == ("AUTH_DENIED_POLICY", [])


def test_taint_that_came_meanwhile_holds(tmp_path: Path) -> None:
    runner = toy_tools.Runner()
    session = toy_tools.session(tmp_path, authority=Authority.AUTO_READ)

    def taint(call: Call) -> None:
        if call.state is CallState.AUTHORIZED:
            call.session.taint.add("doc:mail", "text")

    call = carry(session, Proposal.of_program("notes.read", {"line": 1}), run=runner, watch=taint)
    assert call.error is not None
    assert (call.error.code, runner.ran) == ("AUTH_DENIED_POLICY", [])
