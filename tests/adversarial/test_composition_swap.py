"""Attack 35: the model, an adapter or the template is exchanged between the proposal and the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.composition import Adapter
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.calls.states import CallState

PROPOSAL = Proposal.of_program("notes.append", {"text": "buy milk"})


def carried(folder: Path, changes: dict[str, Any], when: CallState) -> tuple[Call, int]:
    now = [toy_tools.composition()]
    runner = toy_tools.Runner()

    def swap(call: Call) -> None:
        if call.state is when:
            now[0] = toy_tools.composition(**changes)

    session = toy_tools.session(folder, "approve", composition=lambda: now[0])
    return carry(session, PROPOSAL, run=runner, watch=swap), len(runner.ran)


@pytest.mark.parametrize("when", [CallState.VALIDATED, CallState.AUTHORIZED])
@pytest.mark.parametrize(
    "changes",
    [
        {"model_id": "other"},
        {"model_sha256": "1" * 64},
        {"model_sha256": None},
        {"tokenizer_sha256": "1" * 64},
        {"template_sha256": "1" * 64},
        {"grammar_sha256": "1" * 64},
        {"sampling_sha256": "1" * 64},
        {"adapters": (Adapter("lora", "1" * 64, 1),)},
        {"quantization": "q2"},
    ],
)
def test_it_does_not_run(tmp_path: Path, changes: dict[str, Any], when: CallState) -> None:
    call, ran = carried(tmp_path, changes, when)
    assert call.error is not None
    assert (call.error.code, ran) == ("AUTH_COMPOSITION_CHANGED", 0)


def test_unchanged_it_runs(tmp_path: Path) -> None:
    call, ran = carried(tmp_path, {}, CallState.AUTHORIZED)
    assert (call.state, ran) == (CallState.DONE, 1)
