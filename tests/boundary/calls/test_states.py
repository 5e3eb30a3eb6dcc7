"""The state machine: the table, all pairs, and any walk."""

from __future__ import annotations

import itertools
import threading

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from checkrail.boundary.calls.states import TRANSITIONS, CallMachine, CallState
from checkrail.errors import Error

# Written down once more, by hand, from the table in the design.
LEGAL = {
    "proposed": {"validated", "failed", "expired", "cancelled"},
    "validated": {"authorized", "awaiting_confirmation", "denied", "expired", "cancelled"},
    "awaiting_confirmation": {"authorized", "denied", "expired", "cancelled"},
    "authorized": {"running", "denied", "failed", "expired", "cancelled"},
    "running": {"done", "failed", "timed_out", "cancelled"},
}
PATHS = {
    CallState.PROPOSED: [],
    CallState.VALIDATED: [CallState.VALIDATED],
    CallState.AWAITING_CONFIRMATION: [CallState.VALIDATED, CallState.AWAITING_CONFIRMATION],
    CallState.AUTHORIZED: [CallState.VALIDATED, CallState.AUTHORIZED],
    CallState.RUNNING: [CallState.VALIDATED, CallState.AUTHORIZED, CallState.RUNNING],
    **{
        state: [CallState.VALIDATED, CallState.AUTHORIZED, CallState.RUNNING, state]
        for state in (CallState.DONE, CallState.FAILED, CallState.TIMED_OUT, CallState.CANCELLED)
    },
    **{state: [CallState.VALIDATED, state] for state in (CallState.DENIED, CallState.EXPIRED)},
}


def at(state: CallState) -> CallMachine:
    """A machine in a state."""
    machine = CallMachine(lambda: 0)
    for step in PATHS[state]:
        assert machine.move(machine.state, step)
    assert machine.state is state
    return machine


@pytest.mark.parametrize(("before", "after"), list(itertools.product(CallState, CallState)))
def test_all_pairs(before: CallState, after: CallState) -> None:
    machine = at(before)
    history = machine.history
    if after.value in LEGAL.get(before.value, set()):
        assert machine.move(before, after)
        assert machine.state is after
        assert [step[:2] for step in machine.history[len(history) :]] == [(before, after)]
    else:
        with pytest.raises(Error, match="INTERNAL"):
            machine.move(before, after)
        assert machine.state is before
        assert machine.history == history


def test_there_are_eleven_states_and_six_are_final() -> None:
    assert len(CallState) == 11
    assert set(TRANSITIONS) == set(CallState)
    assert {state.value for state in CallState if state.is_final} == {
        *("done", "failed", "denied", "expired", "timed_out", "cancelled")
    }


def test_nothing_leads_to_running_but_authorized() -> None:
    assert [s for s in CallState if CallState.RUNNING in TRANSITIONS[s]] == [CallState.AUTHORIZED]


@pytest.mark.parametrize("moved_to", sorted(TRANSITIONS[CallState.AUTHORIZED], key=lambda s: s.value))
def test_one_of_many_threads_wins(moved_to: CallState) -> None:
    machine = at(CallState.AUTHORIZED)
    barrier = threading.Barrier(8)
    won: list[CallState] = []

    def race(after: CallState) -> None:
        barrier.wait()
        if machine.move(CallState.AUTHORIZED, after):
            won.append(after)

    threads = [threading.Thread(target=race, args=(after,)) for after in [moved_to, CallState.RUNNING] * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert machine.state is won[0]
    assert len(machine.history) == 3


def test_time_in_each_state() -> None:
    now = iter([100, 105, 125, 126, 200])
    machine = CallMachine(lambda: next(now))
    machine.move(CallState.PROPOSED, CallState.VALIDATED)
    machine.move(CallState.VALIDATED, CallState.AWAITING_CONFIRMATION)
    machine.move(CallState.AWAITING_CONFIRMATION, CallState.AUTHORIZED)
    assert machine.milliseconds(CallState.PROPOSED) == 5
    assert machine.milliseconds(CallState.VALIDATED) == 20
    assert machine.milliseconds(CallState.AWAITING_CONFIRMATION) == 1
    assert machine.milliseconds(CallState.DONE) == 0
    assert machine.milliseconds(CallState.AUTHORIZED) == 74
    assert repr(machine) == "<CallMachine proposed -> validated -> awaiting_confirmation -> authorized>"


class Walk(RuleBasedStateMachine):
    """Any tries at all: the machine does what the table written here says, and never leaves a final state."""

    @initialize()
    def begin(self) -> None:
        self.machine = CallMachine(lambda: 0)
        self.model = "proposed"
        self.visited = ["proposed"]

    @rule(before=st.sampled_from(CallState), after=st.sampled_from(CallState))
    def attempt(self, before: CallState, after: CallState) -> None:
        legal = after.value in LEGAL.get(before.value, set())
        try:
            moved = self.machine.move(before, after)
        except Error:
            assert not legal
            return
        assert legal
        assert moved == (self.model == before.value)
        if moved:
            self.model = after.value
            self.visited.append(after.value)

    @rule(after=st.sampled_from(CallState))
    def attempt_from_here(self, after: CallState) -> None:
        self.attempt(CallState(self.model), after)

    @invariant()
    def agrees(self) -> None:
        assert self.machine.state.value == self.model
        assert [step.after.value for step in self.machine.history] == self.visited[1:]
        assert self.visited.count("running") <= 1
        assert len(set(self.visited)) == len(self.visited)


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=50, stateful_step_count=20, deadline=None)
