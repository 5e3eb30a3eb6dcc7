"""`carry`: every way through the gate, and that what runs is what was decided upon."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

import isolated_tools
import toy_tools
from checkrail.boundary.authority import Authority
from checkrail.boundary.calls import call as call_module
from checkrail.boundary.calls.budgets import SessionLimits
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.envelopes import ToolRequest, ToolResult
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.calls.states import CallState
from checkrail.boundary.canon import dumps
from checkrail.boundary.confirmation import view
from checkrail.boundary.confirmation.confirmers import CallbackConfirmer, DenyAll
from checkrail.boundary.tools.tool import ToolFailure, tool
from checkrail.boundary.worker.run_outcome import RunOutcome
from checkrail.errors import AuthorityError, ToolError

BUY = {"text": "buy milk"}


def program(name: str, **arguments: Any) -> Proposal:
    return Proposal.of_program(name, arguments)


def path(call: Call) -> list[str]:
    """The states that a call went through."""
    return [step.after.value for step in call.history]


def test_a_pure_tool_runs(tmp_path: Path) -> None:
    call = carry(toy_tools.session(tmp_path), program("double", number=4))
    assert path(call) == ["validated", "authorized", "running", "done"]
    assert call.result is not None
    assert (call.result.result, call.result.effects, call.result.isolation, call.error) == (8, "none", None, None)
    assert ToolResult.from_bytes(call.result.to_bytes()) == call.result
    assert not call.session.taint.is_set


def test_a_write_runs_after_yes(tmp_path: Path) -> None:
    runner, session = toy_tools.Runner(), toy_tools.session(tmp_path, "approve")
    call = carry(session, program("notes.append", **BUY), run=runner)
    assert path(call) == ["validated", "awaiting_confirmation", "authorized", "running", "done"]
    assert runner.ran == [("notes.append", b'{"text":"buy milk"}')]
    assert call.result is not None
    assert (call.result.result, call.result.effects, call.result.timing.run_ms) == ({"line": 1}, "completed", 7)
    assert call.request is not None
    assert ToolRequest.from_bytes(call.request.to_bytes()) == call.request
    assert session.taint.sources == ("tool:notes.append@1.0.0",)


@pytest.mark.parametrize(("answer", "code"), [("deny", "AUTH_DENIED_USER"), (None, "AUTH_DENIED_USER")])
def test_a_write_does_not_run_after_no(tmp_path: Path, answer: Any, code: str) -> None:
    runner = toy_tools.Runner()
    call = carry(toy_tools.session(tmp_path, answer), program("notes.append", **BUY), run=runner)
    assert path(call) == ["validated", "awaiting_confirmation", "denied"]
    assert runner.ran == []
    assert call.result is not None
    assert call.result.error is not None
    assert (call.result.error.code, call.result.effects) == (code, "none")


def test_a_dialog_that_fails_is_no(tmp_path: Path) -> None:
    class Broken:
        is_available = True

        def confirm(self, *_: Any) -> Any:
            raise RuntimeError

    runner = toy_tools.Runner()
    call = carry(toy_tools.session(tmp_path, confirm=Broken()), program("notes.append", **BUY), run=runner)
    assert (path(call)[-1], runner.ran) == ("denied", [])


def test_nobody_to_ask(tmp_path: Path) -> None:
    call = carry(toy_tools.session(tmp_path, confirm=DenyAll()), program("notes.append", **BUY))
    assert path(call) == ["validated", "denied"]
    assert call.error is not None
    assert call.error.code == "AUTH_NO_CHANNEL"


@pytest.mark.parametrize("level", [Authority.OFF, Authority.PROPOSE])
def test_levels_at_which_nothing_runs(tmp_path: Path, level: Authority) -> None:
    runner = toy_tools.Runner()
    session = toy_tools.session(tmp_path, "approve", authority=level)
    for name, arguments in (("notes.append", BUY), ("notes.read", {"line": 1}), ("double", {"number": 1})):
        call = carry(session, program(name, **arguments), run=runner)
        assert path(call) == ["validated", "denied"]
        assert call.error is not None
        assert call.error.code == "AUTH_DENIED_POLICY"
        assert call.view is not None, "it is shown all the same"
    assert runner.ran == []
    assert session.confirmer.seen == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "JSON_SYNTAX"),
        ('{"tool": "double", "arguments": {}, "x": 1}', "TOOL_ENVELOPE"),
        (toy_tools.call_text("nothing"), "TOOL_UNKNOWN"),
        (toy_tools.call_text("double"), "SCHEMA_REQUIRED"),
        (toy_tools.call_text("double", number="4"), "SCHEMA_TYPE"),
        (toy_tools.call_text("double", number=4, more=1), "SCHEMA_ADDITIONAL"),
        (toy_tools.call_text("double", number=4.5), "SCHEMA_TYPE"),
        (toy_tools.call_text("double", number=1e20), "SEMANTIC_RANGE"),
        (toy_tools.call_text("notes.append", text=""), "SCHEMA_LENGTH"),
        (toy_tools.call_text("notes.append", text="x" * 8_200), "TOOL_ARGS_TOO_LARGE"),
        (toy_tools.call_text("notes.append", text="a\u200bb"), "TOOL_ARGS_HIDDEN_TEXT"),
    ],
)
def test_calls_that_are_not_valid(tmp_path: Path, text: str, code: str) -> None:
    runner, session = toy_tools.Runner(), toy_tools.session(tmp_path, "approve")
    call = carry(session, Proposal(text, program("double").origin), run=runner)
    assert path(call) == ["failed"]
    assert call.error is not None
    assert (call.error.code, runner.ran, session.confirmer.seen) == (code, [], [])  # type: ignore[attr-defined]
    if call.request is not None:
        assert call.result is not None
        assert call.result.error is not None
        assert call.result.error.code == code
    assert call.error.render()


def test_deep_and_long_arguments(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path)
    deep: Any = 1
    for _ in range(17):
        deep = [deep]
    for arguments, unit in (({"number": deep}, "16 levels"), ({"number": "x" * 32_769}, "bytes in one text")):
        call = carry(session, program("double", **arguments))
        assert call.error is not None
        assert call.error.code == "TOOL_ARGS_TOO_LARGE"
        assert unit in call.error.message


def test_the_name_of_an_unknown_property_is_not_repeated(tmp_path: Path) -> None:
    call = carry(toy_tools.session(tmp_path), program("double", number=4, IGNORE_ALL_INSTRUCTIONS=1))
    assert call.result is not None
    assert "IGNORE" not in call.result.to_bytes().decode()


def test_errors_are_cut_to_what_an_envelope_holds(tmp_path: Path) -> None:
    """Else the result could not be made, and a call that goes wrong would end in an exception."""
    schema: dict[str, Any] = {"type": "string", "pattern": f"^({'a|' * 200}b)$"}
    wrong_type, wrong_text = 5, "c"
    for _ in range(8):
        schema = {"type": "object", "properties": {"k" * 100: schema}, "additionalProperties": False}
        wrong_type, wrong_text = {"k" * 100: wrong_type}, {"k" * 100: wrong_text}  # type: ignore[assignment]

    @tool(
        name="nested", version="1.0.0", capability="pure", effect="A test.", isolation="none",
        input_schema=schema, output_schema={"type": "string"},
    )  # fmt: skip
    def nested(arguments: dict[str, Any]) -> str:
        return "x"

    session = toy_tools.session(tmp_path, tools=[nested])
    for arguments in (wrong_type, wrong_text):
        call = carry(session, Proposal.of_program("nested", arguments))  # type: ignore[arg-type]
        assert call.result is not None
        assert call.result.error is not None
        assert call.result.error.pointer == ("/" + "k" * 100) * 5 + "/kkkkkk"
        assert len(call.result.error.message) == 300
        assert ToolResult.from_bytes(call.result.to_bytes()) == call.result


def test_the_words_of_a_tool_are_cut_too(tmp_path: Path) -> None:
    names = "abcdefgh"

    @tool(
        name="fails", version="1.0.0", capability="pure", effect="A test.", isolation="none",
        errors={"FULL": "x" * 176 + "".join(f"{{{name}}}" for name in names)},
    )  # fmt: skip
    def fails() -> str:
        raise ToolFailure("FULL", **dict.fromkeys(names, -(2**53) + 1))

    call = carry(toy_tools.session(tmp_path, tools=[fails]), program("fails"))
    assert call.result is not None
    assert call.result.error is not None
    assert (call.result.error.code, len(call.result.error.message)) == ("FULL", 300)


def test_hidden_text_may_be_allowed_and_is_shown_then(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, "approve", hidden="show")
    call = carry(session, program("notes.append", text="a\u200bb"), run=toy_tools.Runner())
    assert call.state is CallState.DONE
    assert call.view is not None
    assert b"\\\\u{200B}" in call.view.display()


def test_what_is_too_long_to_be_shown_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments that many sources have are shown once more for each of them."""
    monkeypatch.setattr(view, "MOST_DISPLAY_BYTES", 10_000)
    session, runner = toy_tools.session(tmp_path, "approve", "approve"), toy_tools.Runner()
    for number in range(20):
        session.taint.add(f"doc:{number}", "a" * 12)
    call = carry(session, program("notes.append", text="a" * 1_000), run=runner)
    assert call.error is not None
    assert (call.state, call.error.code) == (CallState.DENIED, "TOOL_ARGS_TOO_LARGE")
    assert session.confirmer.seen == []  # type: ignore[attr-defined]
    assert carry(session, program("notes.append", **BUY), run=runner).state is CallState.DONE


# -- results


def refused(code: str, **params: Any) -> ToolError:
    """An error of the runner's."""
    return ToolError(code, name="t", **params)


LATE = refused("TOOL_TIMEOUT", milliseconds=5, effects="unknown")
STOPPED = refused("TOOL_CANCELLED", effects="unknown")


@pytest.mark.parametrize(
    ("outcome", "state", "code", "effects"),
    [
        (RunOutcome("done", "completed", dumps({"line": "1"})), "failed", "TOOL_OUTPUT_INVALID", "completed"),
        (RunOutcome("done", "completed", dumps({"line": 1, "more": 1})), "failed", "TOOL_OUTPUT_INVALID", "completed"),
        (RunOutcome("done", "completed", None), "failed", "TOOL_OUTPUT_INVALID", "completed"),
        (RunOutcome("timed_out", "unknown", error=LATE), "timed_out", "TOOL_TIMEOUT", "unknown"),
        (RunOutcome("failed", "unknown", error=refused("TOOL_EXCEPTION")), "failed", "TOOL_EXCEPTION", "unknown"),
        (RunOutcome("cancelled", "unknown", error=STOPPED), "cancelled", "TOOL_CANCELLED", "unknown"),
    ],
)
def test_how_a_run_can_end(tmp_path: Path, outcome: RunOutcome, state: str, code: str, effects: str) -> None:
    session = toy_tools.session(tmp_path, "approve")
    call = carry(session, program("notes.append", **BUY), run=toy_tools.Runner(outcome=outcome))
    assert call.result is not None
    assert call.result.error is not None
    assert (call.state.value, call.result.error.code, call.result.effects) == (state, code, effects)
    assert call.result.result is None


def test_a_declared_failure_has_the_sentence_of_the_manifest(tmp_path: Path) -> None:
    call = carry(toy_tools.session(tmp_path), program("double", number=13))
    assert call.result is not None
    assert call.result.error is not None
    assert call.result.error.code == "TOO_LARGE"
    assert call.result.error.message == "Only numbers below 13 are doubled, on mon."
    assert call.result.error.params == {"limit": 13, "day": "mon"}
    assert call.error is not None
    assert call.error.code == "TOOL_FAILED"


def test_what_a_tool_reads_taints(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, "approve", authority=Authority.AUTO_READ)
    first = carry(session, program("notes.read", line=1), run=toy_tools.Runner())
    assert "awaiting_confirmation" not in path(first)
    assert session.taint.texts() == [("tool:notes.read@1.0.0", "buy milk and eggs")]
    second = carry(session, program("notes.read", line=1), run=toy_tools.Runner())
    assert "awaiting_confirmation" in path(second)


def test_it_taints_before_anybody_can_see_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = toy_tools.session(tmp_path, authority=Authority.AUTO_READ)
    tainted: list[bool] = []
    end = Call.end

    def note(self: Call, *arguments: Any) -> bool:
        tainted.append(session.taint.is_set)
        return end(self, *arguments)

    monkeypatch.setattr(Call, "end", note)
    assert carry(session, program("notes.read", line=1), run=toy_tools.Runner()).state is CallState.DONE
    assert tainted == [True]


# -- time, cancelling, interrupts


def test_a_person_who_takes_too_long(tmp_path: Path) -> None:
    now = toy_tools.Now()

    class Slow:
        is_available = True

        def confirm(self, question: Any, sign: Any) -> Any:
            decision = sign("approve")
            now.milliseconds += 120_000
            return decision

    runner = toy_tools.Runner()
    call = carry(
        toy_tools.session(tmp_path, confirm=Slow(), monotonic_ms=now), program("notes.append", **BUY), run=runner
    )
    assert (path(call)[-1], runner.ran) == ("expired", [])
    assert call.error is not None
    assert call.error.code == "AUTH_EXPIRED"
    assert call.result is not None
    assert call.result.timing.confirm_ms == 120_000


@pytest.mark.parametrize(
    "proposal", [program("notes.append", **BUY), program("double", number=4)], ids=["asked", "not"]
)
@pytest.mark.parametrize("state", [CallState.PROPOSED, CallState.AUTHORIZED])
def test_a_call_that_waits_too_long(tmp_path: Path, state: CallState, proposal: Proposal) -> None:
    now, runner = toy_tools.Now(), toy_tools.Runner()
    session = toy_tools.session(tmp_path, "approve", monotonic_ms=now, limits=SessionLimits(request_ms=100))

    def wait(call: Call) -> None:
        if call.state is state:
            now.milliseconds += 100

    call = carry(session, proposal, run=runner, watch=wait)
    assert (call.state, runner.ran) == (CallState.EXPIRED, [])
    assert CallState.RUNNING.value not in path(call)


def test_a_question_that_comes_too_late_is_none(tmp_path: Path) -> None:
    now, runner = toy_tools.Now(), toy_tools.Runner()
    session = toy_tools.session(tmp_path, "approve", monotonic_ms=now, limits=SessionLimits(request_ms=100))

    def wait(call: Call) -> None:
        now.milliseconds += 100 * (call.state is CallState.VALIDATED)

    call = carry(session, program("notes.append", **BUY), run=runner, watch=wait)
    assert (call.state, runner.ran) == (CallState.EXPIRED, [])


@pytest.mark.parametrize("state", ["proposed", "validated", "authorized", "running"])
def test_cancel_before_it_runs(tmp_path: Path, state: str) -> None:
    runner, won = toy_tools.Runner(), []
    session = toy_tools.session(tmp_path, "approve")

    def cancel(call: Call) -> None:
        if call.state.value == state:
            won.append(call.cancel())

    call = carry(session, program("notes.append", **BUY), run=runner, watch=cancel)
    assert won == [True]
    if state == "running":
        assert (call.state, call.is_cancelled, len(runner.ran)) == (CallState.DONE, True, 1), "the runner decides then"
    else:
        assert (call.state, runner.ran) == (CallState.CANCELLED, [])
        assert call.result is None or call.result.effects == "none"
    assert not call.cancel()


def test_cancel_while_the_question_is_open(tmp_path: Path) -> None:
    asked, runner = threading.Event(), toy_tools.Runner()
    calls: list[Call] = []

    def silent(_: Any) -> bool:
        asked.set()
        return threading.Event().wait(20)

    session = toy_tools.session(tmp_path, confirm=CallbackConfirmer(silent))
    thread = threading.Thread(
        target=lambda: carry(session, program("notes.append", **BUY), run=runner, watch=lambda c: calls.append(c))
    )
    thread.start()
    assert asked.wait(10)
    assert calls[0].cancel()
    thread.join(10)
    assert not thread.is_alive()
    assert (path(calls[0])[-2:], runner.ran) == (["awaiting_confirmation", "cancelled"], [])
    assert calls[0].result is not None
    assert calls[0].result.error is not None
    assert calls[0].result.error.code == "TOOL_CANCELLED"


def test_cancel_just_before_the_question_leaves_none_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, calls = toy_tools.session(tmp_path, "approve"), list[Call]()
    ask = session.confirmations.ask

    def cancelled(*arguments: Any) -> Any:
        question = ask(*arguments)
        assert calls[-1].cancel()
        return question

    monkeypatch.setattr(session.confirmations, "ask", cancelled)
    call = carry(session, program("notes.append", **BUY), run=toy_tools.Runner(), watch=calls.append)
    assert call.state is CallState.CANCELLED
    assert session.confirmer.seen == []  # type: ignore[attr-defined]
    assert repr(session.confirmations) == "<Confirmations 0 open, 0 approved, 1 burnt>"


def test_who_carries_waits_for_who_cancels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state changes first; how the call ended is written down a moment later, in the thread that cancels."""
    result = call_module._result

    def slow(*arguments: Any) -> ToolResult:
        threading.Event().wait(0.1)
        return result(*arguments)

    def cancel(call: Call) -> None:
        if call.state is CallState.VALIDATED:
            threading.Thread(target=call.cancel).start()
            while not call.state.is_final:
                threading.Event().wait(0.001)

    monkeypatch.setattr(call_module, "_result", slow)
    call = carry(toy_tools.session(tmp_path, "approve"), program("notes.append", **BUY), watch=cancel)
    assert call.result is not None
    assert call.result.state == "cancelled"


def test_cancel_races_with_every_step(tmp_path: Path) -> None:
    for _ in range(40):
        started, calls = threading.Event(), []
        runner, session = toy_tools.Runner(), toy_tools.session(tmp_path, "approve")

        def watch(call: Call) -> None:
            calls.append(call)  # noqa: B023
            started.set()  # noqa: B023

        answers: list[bool] = []

        def cancel() -> None:
            started.wait(10)  # noqa: B023
            answers.append(calls[0].cancel())  # noqa: B023

        canceller = threading.Thread(target=cancel)
        canceller.start()
        call = carry(session, program("notes.append", **BUY), run=runner, watch=watch)
        canceller.join(10)
        assert len(answers) == 1
        assert call.state in (CallState.CANCELLED, CallState.DONE)
        assert (call.state is CallState.DONE) == (runner.writes == 1)
        assert call.wait(0)
        assert (call.error is None) == (call.state is CallState.DONE)


def test_cancel_reaches_the_runner(tmp_path: Path) -> None:
    calls: list[Call] = []

    def run(tool: Any, arguments: bytes, *, limits: Any, cancel: Any) -> RunOutcome:
        assert not cancel()
        assert calls[-1].cancel()
        assert cancel()
        return RunOutcome("cancelled", "unknown", error=ToolError("TOOL_CANCELLED", name="t", effects="unknown"))

    session = toy_tools.session(tmp_path, "approve")
    call = carry(session, program("notes.append", **BUY), run=run, watch=lambda c: calls.append(c))
    assert call.state is CallState.CANCELLED
    assert call.result is not None
    assert call.result.effects == "unknown"


@pytest.mark.parametrize("where", ["confirm", "run", "watch"])
def test_an_interrupt_ends_the_call_and_goes_on(tmp_path: Path, where: str) -> None:
    calls: list[Call] = []

    def interrupt(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    class Interrupted:
        is_available = True
        confirm = interrupt

    def watch(call: Call) -> None:
        calls.append(call)
        if where == "watch" and call.state is CallState.AUTHORIZED:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"confirm": Interrupted()} if where == "confirm" else {}
    session = toy_tools.session(tmp_path, "approve", **options)
    runner: Any = interrupt if where == "run" else toy_tools.Runner()
    with pytest.raises(KeyboardInterrupt):
        carry(session, program("notes.append", **BUY), run=runner, watch=watch)
    assert calls[-1].state is CallState.CANCELLED
    assert calls[-1].result is not None
    assert calls[-1].result.effects == ("unknown" if where == "run" else "none")


# -- budgets, order


def test_budgets_end_a_turn(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, limits=SessionLimits(calls_per_turn=1))
    carry(session, program("double", number=1))
    with pytest.raises(AuthorityError, match="BUDGET_CALLS"):
        carry(session, program("double", number=1))
    session.begin_turn()
    call = carry(session, program("double", number=1))
    assert call.request is not None
    assert (call.request.sequence, call.request.turn) == (2, 1)


def test_calls_of_many_threads_go_one_by_one(tmp_path: Path) -> None:
    running: list[int] = []

    def before() -> None:
        running.append(1)
        threading.Event().wait(0.01)  # the others come meanwhile, if they can
        assert len(running) == 1
        running.pop()

    runner = toy_tools.Runner(before=before)
    session = toy_tools.session(tmp_path, authority=Authority.AUTO_READ)
    done: list[Call] = []
    threads = [
        threading.Thread(target=lambda: done.append(carry(session, program("clock"), run=runner))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(call.request.sequence for call in done if call.request) == list(range(1, 9))
    assert {call.state for call in done} == {CallState.DONE}


def test_an_edit_is_a_new_call_that_is_shown_and_asked_for(tmp_path: Path) -> None:
    runner, session = toy_tools.Runner(), toy_tools.session(tmp_path, "deny", "approve")
    first = carry(session, program("notes.append", **BUY), run=runner)
    second = carry(session, Proposal.of_edit("notes.append", {"text": "buy bread"}), run=runner)
    assert first.request is not None
    assert second.request is not None
    assert (first.state, second.state) == (CallState.DENIED, CallState.DONE)
    assert first.request.request_id != second.request.request_id
    assert second.request.origin.kind == "user_edit"
    shown = session.confirmer.seen[1].display.decode()  # type: ignore[attr-defined]
    assert "buy bread" in shown
    assert "buy milk" not in shown
    assert runner.ran == [("notes.append", b'{"text":"buy bread"}')]


def test_a_call_is_shown_shortly(tmp_path: Path) -> None:
    call = carry(toy_tools.session(tmp_path), program("double", number=13))
    assert repr(call) == "<Call 1: double, 13 bytes, failed TOOL_FAILED>"
    assert json.loads(call.result.to_bytes())["attempt"] == 1  # type: ignore[union-attr]


# -- in a process of its own


def test_the_real_runner(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, tools=[isolated_tools.add, isolated_tools.fail])
    done = carry(session, program("add", left=2))
    assert done.result is not None
    assert (done.state, done.result.result) == (CallState.DONE, {"total": 3})
    assert done.result.isolation is not None
    assert ToolResult.from_bytes(done.result.to_bytes()) == done.result
    failed = carry(session, program("fail", code="FULL", limit=5, day="mon"))
    assert failed.result is not None
    assert failed.result.error is not None
    assert (failed.result.error.code, failed.result.error.message) == ("FULL", "Only 5 on mon.")
