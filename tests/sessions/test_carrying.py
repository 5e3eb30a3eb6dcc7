"""A call that is carried in a thread of its own; what its reader hears is in `test_session`."""

from __future__ import annotations

import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.calls.states import CallState
from checkrail.tools import carrying


def test_an_interrupt_before_the_call_has_begun_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person presses Ctrl-C while the thread is about to begin: nobody is asked, and nothing is written."""
    go = threading.Event()

    class Interrupted(SimpleQueue[Any]):
        def get(self, *_: Any) -> Any:
            threading.Timer(0.05, go.set).start()
            raise KeyboardInterrupt

    def late(*arguments: Any, **options: Any) -> Call:
        assert go.wait(20)
        return carry(*arguments, **options)

    monkeypatch.setattr(carrying, "SimpleQueue", Interrupted)
    monkeypatch.setattr(carrying, "carry", late)
    runner, calls = toy_tools.Runner(), list[Call]()
    gate = toy_tools.session(tmp_path, "approve")
    write = Proposal.of_program("notes.append", {"text": "buy milk"})
    with pytest.raises(KeyboardInterrupt):
        next(carrying.carried(gate, write, runner=runner, begun=calls.append))
    (call,) = calls
    assert (call.state, runner.ran) == (CallState.CANCELLED, [])
    assert gate.confirmer.seen == []  # type: ignore[attr-defined]
