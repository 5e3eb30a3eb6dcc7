"""Any sequence of calls, answers, delays and tricks: what ran is what a person approved, once, to the byte."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import toy_tools
from checkrail.boundary.authority import Authority
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.calls.states import CallState
from checkrail.boundary.canon import dumps
from checkrail.boundary.confirm import Approval, Decision
from checkrail.errors import AuthorityError

TEXTS = st.sampled_from(["buy milk", "send the money", "a", "\u202e", ""])
STATES = st.sampled_from(["proposed", "validated", "authorized", "running", "never"])


class Person:
    """Answers as the machine says, and keeps every true answer that it gave."""

    is_available = True

    def __init__(self, now: toy_tools.Now) -> None:
        self.now = now
        self.next: Any = "deny"
        self.kept: list[Decision] = []
        self.approved: list[bytes] = []

    def confirm(self, question: Any, sign: Any) -> Decision | None:
        shown = {argument.name: argument.value for argument in question.view.arguments if not argument.is_default}
        if self.next == "replay":
            return self.kept[0] if self.kept else None
        if self.next == "silence":
            return None
        if self.next == "forge":
            return Decision(question.confirmation_id, "approve", question.binding, bytes(32))
        decision: Decision = sign("approve" if self.next in ("approve", "late") else "deny")
        if self.next == "late":
            self.now.milliseconds += 200_000
        elif self.next == "approve":
            self.kept.append(decision)
            self.approved.append(dumps(shown))
        return decision


class Sessions(RuleBasedStateMachine):
    """The model is one list: what was approved. Nothing else may have been written."""

    @initialize()
    def begin(self) -> None:
        self.now = toy_tools.Now()
        self.person = Person(self.now)
        self.runner = toy_tools.Runner()
        self.session = toy_tools.session(
            Path(tempfile.gettempdir()), confirm=self.person, monotonic_ms=self.now, authority=Authority.AUTO_READ
        )
        self.calls: list[Call] = []
        self.approvals: list[Approval] = []

    @rule()
    def the_user_speaks(self) -> None:
        self.session.begin_turn()

    @rule(level=st.sampled_from(Authority), yes=st.booleans())
    def change_the_level(self, level: Authority, yes: bool) -> None:
        before = self.session.authority
        with contextlib.suppress(AuthorityError):
            self.session.raise_authority(level, lambda *_: yes)
        allowed = yes or level.rank <= before.rank
        assert self.session.authority is (level if allowed else before)

    @rule(text=TEXTS)
    def read_a_document(self, text: str) -> None:
        self.session.taint.add("doc:mail", text)

    @rule()
    def end(self) -> None:
        self.session.close()

    @rule(
        text=TEXTS,
        answer=st.sampled_from(["approve", "deny", "silence", "late", "replay", "forge"]),
        trick=st.sampled_from(["none", "bytes", "approval", "request", "cancel", "wait"]),
        moment=STATES,
    )
    def write(self, text: str, answer: str, trick: str, moment: str) -> None:
        self.person.next = answer
        arguments = {"text": text}
        before, approved = self.runner.writes, len(self.person.approved)

        def watch(call: Call) -> None:
            if call.approval is not None:
                self.approvals.append(call.approval)
            if call.state.value == moment:
                self.play(trick, call)

        call = self.carried(Proposal.of_program("notes.append", arguments), watch)
        if call is None:
            return
        ran = self.runner.writes - before
        assert ran <= len(self.person.approved) - approved
        assert ran == (call.state is CallState.DONE)
        if ran:
            assert answer == "approve"
            assert self.runner.ran[-1] == ("notes.append", dumps(arguments))

    def carried(self, proposal: Proposal, watch: Any) -> Call | None:
        """The call, or None where the budget is used up."""
        try:
            call = carry(self.session, proposal, run=self.runner, watch=watch)
        except AuthorityError:
            return None
        self.calls.append(call)
        return call

    def play(self, trick: str, call: Call) -> None:
        """What somebody who can reach the call does to it."""
        if trick == "bytes":
            call.arguments = dumps({"text": "another"})
        elif trick == "approval" and self.approvals:
            call.approval = self.approvals[0]
        elif trick == "request" and self.calls and self.calls[0].request is not None:
            call.request, call.arguments = self.calls[0].request, self.calls[0].arguments
        elif trick == "cancel":
            call.cancel()
        elif trick == "wait":
            self.now.milliseconds += 200_000

    @rule(name=st.sampled_from(["notes.read", "clock", "double"]), number=st.integers(0, 20))
    def read(self, name: str, number: int) -> None:
        self.person.next = "deny"
        arguments: dict[str, Any] = {"notes.read": {"line": number}, "clock": {}, "double": {"number": number}}[name]
        self.carried(Proposal.of_program(name, arguments), None)

    @invariant()
    def only_what_was_approved_was_written(self) -> None:
        rest = list(self.person.approved)
        for name, arguments in self.runner.ran:
            if name == "notes.append":
                rest.remove(arguments)

    @invariant()
    def every_call_has_ended(self) -> None:
        for call in self.calls:
            assert call.state.is_final
            assert [step.after for step in call.history].count(CallState.RUNNING) <= 1


TestSessions = Sessions.TestCase
TestSessions.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
