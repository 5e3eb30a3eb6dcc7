"""Carry one call in a thread of its own, and tell its states as they come.

`carry` blocks while a person is asked and while a tool runs. Here it does so in a thread, so that whoever reads the
turn hears of each state, and can stop in between: leaving the generator cancels the call and waits for its end.

You need it through `turn`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from queue import SimpleQueue

from ..boundary.calls.call import Call
from ..boundary.calls.carry import Runner, carry
from ..boundary.calls.proposal import Proposal
from ..boundary.calls.states import CallState
from ..boundary.session import Session
from .events import CallChanged

__all__ = ["carried"]


def carried(
    gate: Session, proposal: Proposal, *, runner: Runner | None, begun: Callable[[Call], None]
) -> Generator[CallChanged, None, Call]:
    """The changes of state of one call; returns the call. begun: gets it first of all, in the thread that carries it.

    Raises what `carry` raises.
    """
    work = _Work(gate, proposal, runner, begun)
    thread = threading.Thread(target=work.run, daemon=True)
    thread.start()
    try:
        while (change := work.told.get()) is not None:
            if isinstance(change, BaseException):
                raise change
            yield change
        assert work.call is not None
        return work.call
    finally:
        work.stop()  # does nothing to a call that has ended
        thread.join()


class _Work:
    """What the thread does. told: the changes, then None, or what was raised."""

    def __init__(self, gate: Session, proposal: Proposal, runner: Runner | None, begun: Callable[[Call], None]) -> None:
        self.told: SimpleQueue[CallChanged | BaseException | None] = SimpleQueue()
        self.call: Call | None = None
        self._gate, self._proposal, self._runner, self._begun = gate, proposal, runner, begun
        self._steps = 0
        self._stopped = False

    def run(self) -> None:
        try:
            carry(self._gate, self._proposal, run=self._runner, watch=self._watch)
        except BaseException as failure:  # it belongs to whoever reads
            self.told.put(failure)
        else:
            self.told.put(None)

    def stop(self) -> None:
        """Cancel the call, also if it is yet to begin."""
        self._stopped = True  # first: whichever of the two threads comes second sees what the other one has set
        if self.call is not None:
            self.call.cancel()

    def _watch(self, call: Call) -> None:
        if self.call is None:
            self.call = call
            if self._stopped:
                call.cancel()
            self._begun(call)
            self.told.put(CallChanged(call, None, CallState.PROPOSED))
        for step in call.history[self._steps :]:
            self.told.put(CallChanged(call, step.before, step.after))
            self._steps += 1
