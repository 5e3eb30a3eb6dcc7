"""Triggers of TOOL_*, AUTH_* and BUDGET_CALLS: declarations, calls, and people who say no."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import toy_tools
from checkrail.boundary.authority import Authority
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.envelopes import Origin, ToolRequest
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.canon import dumps
from checkrail.boundary.confirm import Decision
from checkrail.boundary.confirmation.confirmers import DenyAll
from checkrail.boundary.tools.lockfile import read_lock
from checkrail.boundary.tools.tool import tool
from checkrail.boundary.worker.run_outcome import RunOutcome
from error_triggers import Trigger

FOLDER = Path(tempfile.gettempdir())
WRITE = Proposal.of_program("notes.append", {"text": "buy milk"})


def call(name: str, *answers: Any, **arguments: Any) -> Trigger:
    """How a call ends."""
    proposal = Proposal.of_program(name, arguments)
    return lambda: carry(toy_tools.session(FOLDER, *answers), proposal, run=toy_tools.Runner()).error


def write(*answers: Any, trick: Any = None, **options: Any) -> Trigger:
    """How a write ends, with something that happens after it was approved."""

    def watch(call: Call) -> None:
        if trick is not None and call.state.value == "authorized":
            trick(call)

    return lambda: (
        carry(toy_tools.session(FOLDER, *answers, **options), WRITE, run=toy_tools.Runner(), watch=watch).error
    )


def declared(function: Any, **fields: Any) -> Trigger:
    """A declaration that is refused."""
    known = {"name": "t", "version": "1.0.0", "capability": "pure", "effect": "Tries.", "isolation": "none"}
    return lambda: tool(**(known | fields))(function)


def plain(number: int) -> int:
    """A function that can be a tool."""
    return number


def change_the_bytes(call: Call) -> None:
    call.arguments = b"{}"


def use_it_up(call: Call) -> None:
    assert call.request is not None
    call.session.consume(call.request.request_id)


def another_model() -> object:
    models = iter([toy_tools.composition(), toy_tools.composition(model_id="other")])
    return write("approve", composition=lambda: next(models))()


def another_manifest() -> object:
    double = dataclasses.replace(toy_tools.double)
    session = toy_tools.session(FOLDER, tools=[double])
    object.__setattr__(double, "manifest", dataclasses.replace(double.manifest, effect="Triples."))
    return carry(session, Proposal.of_program("double", {"number": 1})).error


def too_late() -> object:
    now = toy_tools.Now()

    def wait(call: Call) -> None:
        now.milliseconds += 200_000

    return write("approve", trick=wait, monotonic_ms=now)()


class Forger:
    """Signs by hand."""

    is_available = True

    def confirm(self, question: Any, sign: Any) -> Decision:
        return Decision(question.confirmation_id, "approve", question.binding, bytes(32))


def many_calls() -> object:
    session = toy_tools.session(FOLDER)
    return [carry(session, WRITE).error for _ in range(9)]


def many_questions() -> object:
    session = toy_tools.session(FOLDER, *["deny"] * 9)
    return [carry(session, WRITE).error for _ in range(4)][-1]


def wrong_result() -> object:
    runner = toy_tools.Runner(outcome=RunOutcome("done", "completed", dumps("text")))
    return carry(toy_tools.session(FOLDER, "approve"), WRITE, run=runner).error


TRIGGERS: dict[str, Trigger] = {
    "TOOL_SIGNATURE": declared(lambda a: a),
    "TOOL_NOT_IMPORTABLE": declared(lambda a: a, isolation="process"),
    "TOOL_MANIFEST": declared(plain, version="1"),
    "TOOL_MANIFEST_NUMBER": declared(plain, input_schema={"const": 2**60}, output_schema={}),
    "TOOL_CAPABILITY_UNSUPPORTED": declared(plain, capability="external"),
    "TOOL_LOCK": lambda: read_lock(FOLDER / "missing.lock"),
    "TOOL_UNKNOWN": call("nothing"),
    "TOOL_SCHEMA_MISMATCH": lambda: (
        carry(toy_tools.session(FOLDER), Proposal(toy_tools.call_text("double", number=1), Origin("model"), {})).error
    ),
    "TOOL_ENVELOPE": lambda: ToolRequest.from_bytes(b"{}"),
    "TOOL_ARGS_TOO_LARGE": call("notes.append", text="x" * 10_000),
    "TOOL_ARGS_HIDDEN_TEXT": call("notes.append", text="a\u200bb"),
    "TOOL_FAILED": call("double", number=13),
    "TOOL_OUTPUT_INVALID": wrong_result,
    "AUTH_DENIED_POLICY": write("approve", authority=Authority.OFF),
    "AUTH_DENIED_USER": write("deny"),
    "AUTH_EXPIRED": too_late,
    "AUTH_NO_CHANNEL": write(confirm=DenyAll()),
    "AUTH_MANIFEST_DRIFT": another_manifest,
    "AUTH_COMPOSITION_CHANGED": another_model,
    "AUTH_BINDING_MISMATCH": write("approve", trick=change_the_bytes),
    "AUTH_REPLAY": write("approve", trick=use_it_up),
    "AUTH_BAD_DECISION": write(confirm=Forger()),
    "AUTH_LEVEL": lambda: toy_tools.session(FOLDER).lower_authority(Authority.AUTO_READ),
    "BUDGET_CALLS": many_calls,
    "BUDGET_CONFIRMATIONS": many_questions,
}
