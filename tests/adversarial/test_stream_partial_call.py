"""Attack 29: a call is run before the model has finished it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.decoding.finish import Final
from checkrail.decoding.stream import Delta, End
from checkrail.errors import StreamError

TEXT = toy_tools.call_text("double", number=4)
SCHEMAS = {"double": toy_tools.double.manifest.input_schema_sha256}


def final(text: str, *, complete: bool, stop: Any) -> Final[str]:
    """The end of a run."""
    return Final(text, End(run_id="r", seq=1, complete=complete, stop=stop, text_len=len(text), text_sha256=""), str)


@pytest.mark.parametrize("stop", ["max_tokens", "cancelled", "closed", "time_limit", "dead_end", "failed"])
def test_an_output_that_was_cut_is_no_proposal_even_if_it_reads_like_one(stop: str) -> None:
    with pytest.raises(StreamError, match="STREAM_INCOMPLETE_USE"):
        Proposal.of_output(
            final(TEXT, complete=False, stop=stop), grammar_sha256=toy_tools.NOTHING, input_schemas=SCHEMAS
        )


def test_every_part_of_a_call_is_refused(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path)
    for end in range(len(TEXT)):
        session.begin_turn()
        cut = final(TEXT[:end], complete=True, stop="eos")
        proposal = Proposal.of_output(cut, grammar_sha256=toy_tools.NOTHING, input_schemas=SCHEMAS)
        call = carry(session, proposal)
        assert call.error is not None
        assert call.error.code == "JSON_SYNTAX"


def test_a_piece_of_a_stream_has_no_way_to_a_proposal() -> None:
    piece: Any = Delta(run_id="r", seq=0, text=TEXT, at=0, tokens=1)
    with pytest.raises(AttributeError):
        Proposal.of_output(piece, grammar_sha256=toy_tools.NOTHING, input_schemas=SCHEMAS)


def test_a_whole_call_runs(tmp_path: Path) -> None:
    whole = final(TEXT, complete=True, stop="grammar_complete")
    proposal = Proposal.of_output(whole, grammar_sha256=toy_tools.NOTHING, input_schemas=SCHEMAS)
    call = carry(toy_tools.session(tmp_path), proposal)
    assert call.result is not None
    assert call.result.result == 8
