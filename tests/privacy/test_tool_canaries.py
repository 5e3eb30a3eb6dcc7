"""Turns with a canary in every private place of tools, and what they leave: evidence, errors, representations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import toy_tools
from acting import Actor, answer, call
from canaries import canaries, search
from checkrail import Error, Evidence, read_evidence
from checkrail.boundary.authority import Authority
from checkrail.boundary.calls.budgets import SessionLimits
from checkrail.boundary.canon import dumps
from checkrail.boundary.confirmation.confirmers import CallbackConfirmer, DenyAll
from checkrail.boundary.evidence.turn import TurnRecord
from checkrail.boundary.worker.run_outcome import RunOutcome
from checkrail.decoding.stream import Delta
from checkrail.tools import CallChanged, Example, Finished, Session

NAMES = (
    *("prompt", "system text", "document", "document id", "arguments", "result", "exception", "path", "file name"),
    *("answer", "example", "model name"),
)


@dataclass
class Setting:
    """One turn that is being prepared. outcome: what tools give; person: who is asked."""

    planted: dict[str, str]
    folder: Path
    script: list[str] = field(default_factory=list)
    outcome: RunOutcome | None = None
    person: Any = field(default_factory=DenyAll)
    cancel_at: type[Any] | None = None
    options: dict[str, Any] = field(default_factory=dict)


def _write(setting: Setting) -> None:
    setting.script = [call("notes.append", {"text": setting.planted["arguments"]})]
    setting.person = CallbackConfirmer(lambda _: True)


def success(setting: Setting) -> None:
    _write(setting)


def read(setting: Setting) -> None:
    setting.script = [call("notes.read", {"line": 7})]
    setting.outcome = RunOutcome("done", "none", dumps(setting.planted["result"]))
    setting.options["authority"] = Authority.AUTO_READ
    setting.person = CallbackConfirmer(lambda _: True)


def denied(setting: Setting) -> None:
    _write(setting)
    setting.person = CallbackConfirmer(lambda _: False)


def nobody(setting: Setting) -> None:
    _write(setting)
    setting.person = DenyAll()


def crash_of_the_dialog(setting: Setting) -> None:
    def ask(question: Any) -> bool:
        raise RuntimeError(setting.planted["exception"])

    _write(setting)
    setting.person = CallbackConfirmer(ask)


def hidden(setting: Setting) -> None:
    setting.script = [call("notes.append", {"text": "\u202e" + setting.planted["arguments"]})]


def invalid_output(setting: Setting) -> None:
    _write(setting)
    setting.outcome = RunOutcome("done", "completed", dumps({"line": setting.planted["result"]}))


def more_output(setting: Setting) -> None:
    _write(setting)
    setting.outcome = RunOutcome("done", "completed", dumps({"line": 1, setting.planted["result"]: 1}))


def exception_in_process(setting: Setting) -> None:
    setting.script = [call("double", {"number": 15})]  # it raises an error with a path


def cancelled(setting: Setting) -> None:
    _write(setting)
    setting.cancel_at = CallChanged


def too_late(setting: Setting) -> None:
    _write(setting)
    setting.options["limits"] = SessionLimits(request_ms=1)


def defect_of_the_model(setting: Setting) -> None:
    setting.script = []
    setting.options["fails"] = RuntimeError(setting.planted["exception"])


ENDS: dict[Callable[[Setting], None], tuple[str, ...]] = {  # of the turn and its call, with their codes
    success: ("answered", "done"),
    read: ("answered", "done"),
    denied: ("answered", "denied", "AUTH_DENIED_USER"),
    nobody: ("answered", "denied", "AUTH_NO_CHANNEL"),
    crash_of_the_dialog: ("answered", "denied", "AUTH_DENIED_USER"),
    hidden: ("answered", "failed", "TOOL_ARGS_HIDDEN_TEXT"),
    invalid_output: ("answered", "failed", "TOOL_OUTPUT_INVALID"),
    more_output: ("answered", "failed", "TOOL_OUTPUT_INVALID"),
    exception_in_process: ("answered", "failed", "TOOL_EXCEPTION"),
    cancelled: ("cancelled",),  # where the call is by then, its thread decides
    too_late: ("answered", "expired", "AUTH_EXPIRED"),
    defect_of_the_model: ("failed", "BACKEND_FAILED"),
}
SCENARIOS = list(ENDS)


def play(setting: Setting, evidence: Evidence) -> Iterator[object]:
    """The turn: everything that it gives on the way."""
    planted = setting.planted
    model = Actor([*setting.script, answer(planted["answer"])], name=planted["model name"])
    failure = setting.options.pop("fails", None)

    def fail(step: int) -> None:
        if failure is not None:
            raise failure

    model.before_step = fail
    root = setting.folder / planted["path"]
    root.mkdir()
    (root / planted["file name"]).write_text(planted["result"], "utf-8")
    session = Session(
        model,
        toy_tools.ALL,
        confirm=setting.person,
        roots={"notes": root},
        system=planted["system text"],
        examples=[Example(planted["example"], "yes")],
        runner=toy_tools.Runner(outcome=setting.outcome),
        evidence=evidence,
        **setting.options,
    )
    yield session
    turn = session.stream(planted["prompt"], documents={planted["document id"]: planted["document"]})
    yield turn
    for event in turn:
        yield event
        if setting.cancel_at is not None and isinstance(event, setting.cancel_at):
            turn.cancel()
    session.close()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_nothing_private_is_left(
    scenario: Callable[[Setting], None], tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: Any
) -> None:
    planted = canaries(NAMES, seed=SCENARIOS.index(scenario))
    setting = Setting(planted, tmp_path)
    scenario(setting)
    path = tmp_path / "turns.jsonl"
    caplog.set_level(logging.NOTSET)
    shown: list[str] = []
    with Evidence(path) as evidence:
        for found in play(setting, evidence):
            shown += [] if isinstance(found, Delta) else [repr(found)]  # a delta is the text, for the caller
            if isinstance(found, CallChanged):
                shown += [found.to_json(), repr(found.call), repr(found.call.request), repr(found.call.result)]
                shown += _told(found.call.error)
            if isinstance(found, Finished):
                shown += _told(found.answer.error)
    (record,) = read_evidence(path)
    assert isinstance(record, TurnRecord)
    told = [record.stop.value, *([str(record.code)] if record.code else [])]
    for one in record.calls:
        told += [one.state.value, *([str(one.code)] if one.code else [])]
    assert tuple(told[: len(ENDS[scenario])]) == ENDS[scenario]  # it went as it was meant to
    out, err = capfd.readouterr()
    places = {
        "evidence": path.read_bytes(),
        "representations": "\n".join([*shown, repr(record)]).encode(),
        "streams": (out + err + caplog.text).encode(),
    }
    assert search(places, planted) == []


def _told(error: Error | None) -> list[str]:
    return [] if error is None else [str(error), repr(error), str(error.to_json()), repr(error.__cause__)]


def test_the_search_finds_what_a_turn_does_show_its_caller(tmp_path: Path) -> None:
    """The twin: the model was shown it, so the canaries did go all the way."""
    planted = canaries(NAMES, seed=99)
    setting = Setting(planted, tmp_path)
    read(setting)
    with Evidence(tmp_path / "turns.jsonl") as evidence:
        found = list(play(setting, evidence))
    session = found[0]
    assert isinstance(session, Session)
    assert isinstance(session.model, Actor)
    shown = {"prompt": session.model.shown(1).encode()}
    names = {hit.name for hit in search(shown, planted)}
    assert names >= {"prompt", "system text", "document", "result", "example"}


def test_equal_arguments_have_equal_tags_in_a_session_and_nowhere_else(tmp_path: Path) -> None:
    tags = []
    for number in range(2):
        path = tmp_path / f"{number}.jsonl"
        script = [call("double", {"number": 1}), call("double", {"number": 1}), call("double", {"number": 2})]
        with Evidence(path) as evidence:
            made = Session(Actor(script), toy_tools.ALL, roots={"notes": tmp_path}, evidence=evidence)
            made.run("Go on")
        (record,) = read_evidence(path)
        assert isinstance(record, TurnRecord)
        tags.append([str(one.args_tag) for one in record.calls])
    (first, again, other), others = tags
    assert first == again != other
    assert not set(others) & set(tags[0])
