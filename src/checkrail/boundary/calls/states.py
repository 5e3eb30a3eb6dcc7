"""The states of a call, and the only ways between them.

    proposed -> validated -> awaiting_confirmation -> authorized -> running -> done
                    `----------- automatic -------------^

You need it to follow a call or to show where it is. The table below drives the machine: what is not in it cannot happen
and is an internal error. Final states have no exits, so nothing runs twice, and each call keeps its history.

Threads may race to move a call (a person cancels while it begins to run): `move` compares and sets under a lock, and
one of them wins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

from ...errors import Error

__all__ = ["TRANSITIONS", "CallMachine", "CallState", "Step"]


class CallState(Enum):
    """Where a call is. The last six are final."""

    PROPOSED = "proposed"
    VALIDATED = "validated"
    AWAITING_CONFIRMATION = "awaiting_confirmation"
    AUTHORIZED = "authorized"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    EXPIRED = "expired"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing follows."""
        return not TRANSITIONS[self]


_S = CallState
TRANSITIONS: Mapping[CallState, frozenset[CallState]] = {
    _S.PROPOSED: frozenset({_S.VALIDATED, _S.FAILED, _S.EXPIRED, _S.CANCELLED}),
    _S.VALIDATED: frozenset({_S.AUTHORIZED, _S.AWAITING_CONFIRMATION, _S.DENIED, _S.EXPIRED, _S.CANCELLED}),
    _S.AWAITING_CONFIRMATION: frozenset({_S.AUTHORIZED, _S.DENIED, _S.EXPIRED, _S.CANCELLED}),
    _S.AUTHORIZED: frozenset({_S.RUNNING, _S.DENIED, _S.FAILED, _S.EXPIRED, _S.CANCELLED}),
    _S.RUNNING: frozenset({_S.DONE, _S.FAILED, _S.TIMED_OUT, _S.CANCELLED}),
    _S.DONE: frozenset(),
    _S.FAILED: frozenset(),
    _S.DENIED: frozenset(),
    _S.EXPIRED: frozenset(),
    _S.TIMED_OUT: frozenset(),
    _S.CANCELLED: frozenset(),
}


class Step(NamedTuple):
    """One transition, and when, in milliseconds of a clock that only runs forward."""

    before: CallState
    after: CallState
    at_ms: int


class CallMachine:
    """The state of one call. clock: milliseconds that never go back."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._state = CallState.PROPOSED
        self._history: list[Step] = []
        self.began_ms = clock()

    @property
    def state(self) -> CallState:
        """Where the call is now."""
        return self._state

    @property
    def history(self) -> tuple[Step, ...]:
        """Every transition so far."""
        return tuple(self._history)

    def move(self, before: CallState, after: CallState) -> bool:
        """Go from one state to another; False, and nothing happens, if the call is no longer in the first.

        Raises `Error` INTERNAL for a transition that is not in the table.
        """
        if after not in TRANSITIONS[before]:
            raise Error("INTERNAL", what=f"a call cannot go from {before.value} to {after.value}")
        with self._lock:
            if self._state is not before:
                return False
            self._state = after
            self._history.append(Step(before, after, self._clock()))
            return True

    def milliseconds(self, state: CallState) -> int:
        """How long the call has been, or was, in a state."""
        entered = self.began_ms if state is CallState.PROPOSED else None
        for step in self._history:
            if step.after is state:
                entered = step.at_ms
            if step.before is state and entered is not None:
                return step.at_ms - entered
        return 0 if entered is None else self._clock() - entered

    def __repr__(self) -> str:
        return f"<CallMachine {' -> '.join(['proposed', *(step.after.value for step in self._history)])}>"
