"""`Call`: one call on its way, with its state, what is known of it, and how it ended.

You need it to follow a call that `calls.carry` made: to show its state, to cancel it, to read its result. It is not how
calls are made. Who moves it holds its state machine; everybody else reads.
"""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING

from ...errors import Error, ToolError
from ..confirm import Approval
from ..confirmation.view import ConfirmationView
from ..strictjson import parse
from ..worker.isolation import Isolation
from ..worker.run_outcome import Effects, RunOutcome
from .envelopes import Failed, FinalState, Timing, ToolRequest, ToolResult
from .proposal import Proposal
from .states import CallMachine, CallState, Step

if TYPE_CHECKING:
    from ..session import Pinned, Session

__all__ = ["Call"]

_LONGEST_MESSAGE, _LONGEST_POINTER, _MOST_PARAMS = 300, 512, 8


class Call:
    """proposal: what was asked. number: in the session. request: once the tool is known and the arguments are read.

    arguments: their canonical bytes, which are checked, shown, bound and run. view: once it was shown. result: of a
    call that has a request, once it ended. error: why it did not end well.
    """

    def __init__(self, session: Session, proposal: Proposal, number: int) -> None:
        self.session = session
        self.proposal = proposal
        self.number = number
        self.created_unix_ms = session.unix_ms()
        self.deadline_ms = session.monotonic_ms() + session.limits.request_ms
        self.machine = CallMachine(session.monotonic_ms)
        self.pinned: Pinned | None = None
        self.request: ToolRequest | None = None
        self.arguments = b""
        self.view: ConfirmationView | None = None
        self.confirmation_id: str | None = None
        self.approval: Approval | None = None
        self.result: ToolResult | None = None
        self.error: Error | None = None
        self._cancelled = threading.Event()
        self._ended = threading.Event()

    @property
    def state(self) -> CallState:
        """Where it is."""
        return self.machine.state

    @property
    def history(self) -> tuple[Step, ...]:
        """Every transition."""
        return self.machine.history

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called in time."""
        return self._cancelled.is_set()

    @property
    def is_late(self) -> bool:
        """Whether its time to start is over."""
        return self.session.monotonic_ms() >= self.deadline_ms

    def cancel(self) -> bool:
        """Stop the call; from any thread. False if it was over already.

        Before it runs it never will, and a question that is open is void. While it runs its process is killed, and the
        state changes once that is done; a result that was there before stays.
        """
        while not (state := self.state).is_final:
            self._cancelled.set()
            if state is CallState.RUNNING:
                return True
            if self.end(state, CallState.CANCELLED, self.cancellation("none")):
                if self.confirmation_id is not None:
                    self.session.confirmations.void(self.confirmation_id)
                return True
        return False

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, when error and result are there, too. False if it did not come in time."""
        return self._ended.wait(seconds)

    def cancellation(self, effects: Effects) -> Error:
        """Why a cancelled call has no result."""
        name = "that was asked for" if self.request is None else self.request.tool.name
        return ToolError("TOOL_CANCELLED", name=name, effects=effects)

    def end(self, before: CallState, after: CallState, error: Error | None, outcome: RunOutcome | None = None) -> bool:
        """Go to a final state. False if the call is no longer in the state before: somebody else ended it."""
        if not self.machine.move(before, after):
            return False
        self.error = error
        try:
            if self.request is not None:
                self.result = _result(self, self.request, after, error, outcome)
        finally:
            self._ended.set()
        return True

    def __repr__(self) -> str:
        tool = "" if self.request is None else f" {self.request.tool.name}, {len(self.arguments)} bytes,"
        code = "" if self.error is None else f" {self.error.code}"
        return f"<Call {self.number}:{tool} {self.state.value}{code}>"


def _result(
    call: Call, request: ToolRequest, state: CallState, error: Error | None, outcome: RunOutcome | None
) -> ToolResult:
    effects: Effects = "none" if outcome is None else outcome.effects
    isolation: Isolation | None = None if outcome is None else outcome.isolation
    final: FinalState = state.value  # type: ignore[assignment]  # `CallMachine` let it end there
    data = None if outcome is None or error is not None else outcome.result
    return ToolResult(
        request_id=request.request_id,
        session_id=request.session_id,
        tool=request.tool,
        arguments_sha256=request.arguments_sha256,
        composition_sha256=request.composition_sha256,
        state=final,
        effects=effects,
        result=None if data is None else parse(data, max_bytes=len(data)).value,
        result_sha256=None if data is None else hashlib.sha256(data).hexdigest(),
        error=None if error is None else _failed(call, error, outcome),
        isolation=isolation,
        timing=Timing(
            queued_ms=sum(map(call.machine.milliseconds, (CallState.PROPOSED, CallState.VALIDATED))),
            confirm_ms=call.machine.milliseconds(CallState.AWAITING_CONFIRMATION),
            run_ms=0 if outcome is None else outcome.run_ms,
        ),
    )


def _failed(call: Call, error: Error, outcome: RunOutcome | None) -> Failed:
    """The error for the envelope: the tool's own sentence if it has declared one for this."""
    if outcome is not None and outcome.failure is not None and call.pinned is not None:
        code, params = outcome.failure
        return Failed(code, call.pinned.tool.manifest.declared[code].message(params)[:_LONGEST_MESSAGE], dict(params))
    params = {name: value for name, value in error.params.items() if type(value) in (int, str)}
    short = {name: value[:_LONGEST_MESSAGE] if isinstance(value, str) else value for name, value in params.items()}
    pointer = None if error.pointer is None else error.pointer[:_LONGEST_POINTER]
    return Failed(error.code, error.message[:_LONGEST_MESSAGE], dict(list(short.items())[:_MOST_PARAMS]), pointer)
