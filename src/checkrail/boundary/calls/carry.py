"""From a proposal to its end: the one gate through which every call of a tool goes.

    proposed -> validated: the text is strict JSON, the tool is known and unchanged, the arguments fit its schema
    validated -> authorized: the table of `authority` says so, or a person does (`confirm`)
    authorized -> running: everything is compared once more with what was decided upon
    running -> done: the result is what the tool declares

`carry` goes all the way, in this thread. It raises for no call that goes wrong: how it ended is in the call. Nothing is
repaired, and nothing is tried again. The design not taken: to let an application call the steps in an order of its own.

You need it in a loop that gives tools to a model, or to call a tool under the same rules without a model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Protocol

from ...errors import AuthorityError, DocumentError, Error, ToolError
from ..authority import Verdict
from ..confirmation.view import MOST_DISPLAY_BYTES, ConfirmationView, view_of
from ..provenance import marks
from ..runner import run as run_in_process_of_its_own
from ..session import Pinned, Session
from ..strictjson import parse
from ..taint import texts_of
from ..tools.limits import EffectiveLimits
from ..tools.tool import RegisteredTool
from ..validate import validate
from ..worker.in_process import run_here
from ..worker.run_outcome import Effects, RunOutcome
from .call import Call
from .proposal import Proposal
from .reading import read
from .states import CallState

__all__ = ["Runner", "carry"]


class Runner(Protocol):
    """What runs a tool in a process of its own; `runner.run` is one."""

    def __call__(
        self, tool: RegisteredTool, canonical_arguments: bytes, *, limits: EffectiveLimits, cancel: Any
    ) -> RunOutcome:
        """Run it once."""
        ...


def carry(
    session: Session, proposal: Proposal, *, run: Runner | None = None, watch: Callable[[Call], None] | None = None
) -> Call:
    """Carry one proposal to its end, and say how that was. Blocks; one call goes at a time.

    run: what runs tools that get a process of their own. watch: is shown the call when it begins and after each of its
    steps, in this thread; it may keep it, to cancel it from another.

    Raises `AuthorityError` BUDGET_CALLS, and nothing comes into being then.
    """
    with session.turnstile:
        call = Call(session, proposal, session.budgets.take_call())
        try:
            for step in (_validate, _authorize):
                if watch is not None:
                    watch(call)
                if not call.state.is_final:
                    step(call)
            if watch is not None:
                watch(call)
            if call.state is CallState.AUTHORIZED:
                _start(call, run or run_in_process_of_its_own, watch)
        except BaseException:
            _interrupted(call)
            raise
        call.wait()  # whoever cancelled it may still be writing down how it ended
        if watch is not None:
            watch(call)
        return call


# -- proposed -> validated --------------------------------------------------------------------------------


def _validate(call: Call) -> None:
    try:
        if call.is_late:
            call.end(CallState.PROPOSED, CallState.EXPIRED, AuthorityError("AUTH_EXPIRED"))
            return
        read(call)
    except Error as error:
        call.end(CallState.PROPOSED, CallState.FAILED, error)
    else:
        call.machine.move(CallState.PROPOSED, CallState.VALIDATED)


# -- validated -> authorized ------------------------------------------------------------------------------


def _authorize(call: Call) -> None:
    assert call.pinned is not None
    verdict = call.session.verdict(call.pinned)
    if verdict is Verdict.RUN:
        call.machine.move(CallState.VALIDATED, CallState.AUTHORIZED)
    elif verdict is Verdict.ASK:
        _ask(call, call.pinned)
    else:
        call.view = _view(call, call.pinned)
        call.end(CallState.VALIDATED, CallState.DENIED, _by_policy(call, call.pinned))


def _ask(call: Call, pinned: Pinned) -> None:
    """Put the question to the person, and wait for the answer."""
    session = call.session
    assert call.request is not None
    try:
        if not session.confirmer.is_available:
            raise AuthorityError("AUTH_NO_CHANNEL")
        session.budgets.take_confirmation()
    except AuthorityError as error:
        call.end(CallState.VALIDATED, CallState.DENIED, error)
        return
    call.view = _view(call, pinned)
    milliseconds = max(0, call.deadline_ms - session.monotonic_ms())
    try:
        question, sign = session.confirmations.ask(call.request, call.arguments, call.view, milliseconds)
    except DocumentError:  # nobody reads so much
        limit, unit = MOST_DISPLAY_BYTES, "bytes as they are shown"
        large = ToolError("TOOL_ARGS_TOO_LARGE", name=pinned.ref.name, limit=limit, unit=unit)
        call.end(CallState.VALIDATED, CallState.DENIED, large)
        return
    call.confirmation_id = question.confirmation_id
    if not call.machine.move(CallState.VALIDATED, CallState.AWAITING_CONFIRMATION):
        session.confirmations.void(question.confirmation_id)
        return
    try:
        decision = session.confirmer.confirm(question, sign)
    except Exception:  # a dialog that fails is no
        decision = None
    try:
        if decision is None:
            session.confirmations.void(question.confirmation_id)
            raise AuthorityError("AUTH_EXPIRED" if call.is_late else "AUTH_DENIED_USER")
        call.approval = session.confirmations.settle(decision, call.request, call.arguments)
    except AuthorityError as error:
        late = error.code == "AUTH_EXPIRED"
        call.end(CallState.AWAITING_CONFIRMATION, CallState.EXPIRED if late else CallState.DENIED, error)
    else:
        call.machine.move(CallState.AWAITING_CONFIRMATION, CallState.AUTHORIZED)


def _view(call: Call, pinned: Pinned) -> ConfirmationView:
    session = call.session
    assert call.request is not None
    return view_of(
        call.request,
        pinned.tool.manifest,
        call.arguments,
        folders=pinned.registered.roots or {},
        marks=marks(_values(call.arguments), session.taint.texts()),
        sources=session.taint.sources,
        complete=session.taint.complete,
    )


def _by_policy(call: Call, pinned: Pinned) -> AuthorityError:
    return AuthorityError("AUTH_DENIED_POLICY", level=call.session.authority.value, name=pinned.ref.name)


# -- authorized -> running -> the end ---------------------------------------------------------------------


def _start(call: Call, run: Runner, watch: Callable[[Call], None] | None) -> None:
    """Compare what will run with what was decided upon, and run just that, once.

    From here on nothing is read from the call again: what was compared is what is run.
    """
    arguments = call.arguments
    try:
        pinned = _check_once_more(call, arguments)
    except AuthorityError as error:
        late = error.code == "AUTH_EXPIRED"
        call.end(CallState.AUTHORIZED, CallState.EXPIRED if late else CallState.DENIED, error)
        return
    if not call.machine.move(CallState.AUTHORIZED, CallState.RUNNING):
        return
    if watch is not None:
        watch(call)
    _finish(call, pinned, _outcome(call, pinned, arguments, run))


def _check_once_more(call: Call, arguments: bytes) -> Pinned:
    """The tool that may run with these bytes now. The request and the approval are used up by it.

    Raises `AuthorityError`: AUTH_EXPIRED, AUTH_MANIFEST_DRIFT, AUTH_COMPOSITION_CHANGED, AUTH_BINDING_MISMATCH,
    AUTH_REPLAY, AUTH_DENIED_POLICY.
    """
    session, request = call.session, call.request
    assert request is not None
    if call.is_late:
        raise AuthorityError("AUTH_EXPIRED")
    pinned = session.tools[request.tool.name]
    pinned.check()
    if session.composition.sha256 != request.composition_sha256:
        raise AuthorityError("AUTH_COMPOSITION_CHANGED")
    if hashlib.sha256(arguments).hexdigest() != request.arguments_sha256 or request.tool != pinned.ref:
        raise AuthorityError("AUTH_BINDING_MISMATCH")
    session.consume(request.request_id)
    verdict = session.verdict(pinned)
    if verdict in (Verdict.DENY, Verdict.SHOW) or (verdict is Verdict.ASK and call.approval is None):
        raise _by_policy(call, pinned)  # the level was lowered, or the session tainted, since it was decided
    if call.approval is not None:
        session.confirmations.redeem(call.approval, request, arguments)
    return pinned


def _outcome(call: Call, pinned: Pinned, arguments: bytes, run: Runner) -> RunOutcome:
    if pinned.registered.isolation == "none":
        return run_here(pinned.tool, arguments)
    return run(pinned.registered, arguments, limits=pinned.registered.limits, cancel=lambda: call.is_cancelled)


def _finish(call: Call, pinned: Pinned, outcome: RunOutcome) -> None:
    """Judge what the tool gave back."""
    error, after = outcome.error, CallState(outcome.state)
    if after is CallState.DONE:
        try:
            result = _checked_result(pinned, outcome)
        except ToolError as refused:
            error, after = refused, CallState.FAILED
        else:
            if pinned.registered.capability != "pure":  # before anybody can see the result
                source = f"tool:{pinned.ref.name}@{pinned.ref.version}"
                call.session.taint.add(source, "\n".join(texts_of(result)))
    call.end(CallState.RUNNING, after, error, outcome)


def _checked_result(pinned: Pinned, outcome: RunOutcome) -> Any:
    """The value of a result that is what the tool declares. Raises `ToolError`, and the model does not get it."""
    manifest = pinned.tool.manifest
    if outcome.result is None:
        raise ToolError("TOOL_OUTPUT_INVALID", name=manifest.name, rule="a result")
    document = parse(outcome.result, max_bytes=len(outcome.result))
    report = validate(document, dict(manifest.output_schema), limit=1)
    if not report.ok:
        raise ToolError("TOOL_OUTPUT_INVALID", name=manifest.name, rule=report.faults[0].code)
    return document.value


def _interrupted(call: Call) -> None:
    """Whatever was under way is stopped, and stays so; a tool that writes may have come to its effect."""
    if call.state is not CallState.RUNNING:
        call.cancel()
        return
    effects: Effects = "unknown" if call.request is not None and call.request.capability == "write" else "none"
    outcome = RunOutcome("cancelled", effects)
    call.end(CallState.RUNNING, CallState.CANCELLED, call.cancellation(effects), outcome)


def _values(data: bytes) -> Any:
    """The value of canonical bytes of our own."""
    return parse(data, max_bytes=len(data)).value
