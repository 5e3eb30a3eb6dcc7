"""Proposals: a text that asks for a call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checkrail.boundary.calls.proposal import Proposal
from checkrail.decoding.finish import Final
from checkrail.decoding.stream import End
from checkrail.errors import Error, StreamError

ORIGIN = Proposal.of_program("a", {}).origin


def final(text: str, *, complete: bool) -> Final[str]:
    """The end of a run."""
    stop: Any = "grammar_complete" if complete else "max_tokens"
    return Final(text, End(run_id="r", seq=1, complete=complete, stop=stop, text_len=len(text), text_sha256=""), str)


def test_of_a_complete_output() -> None:
    text = '{"tool": "double", "arguments": {"number": 4}}'
    proposal = Proposal.of_output(final(text, complete=True), grammar_sha256="0" * 64, input_schemas={"double": "1"})
    assert proposal.read() == ("double", {"number": 4})
    assert (proposal.origin.kind, proposal.origin.output_span) == ("model", (0, len(text)))
    assert "number" not in repr(proposal)


def test_of_an_output_that_was_cut() -> None:
    with pytest.raises(StreamError, match="STREAM_INCOMPLETE_USE"):
        Proposal.of_output(
            final('{"tool": "double", "arguments": {}}', complete=False), grammar_sha256="0" * 64, input_schemas={}
        )


def test_of_an_edit_and_of_a_program() -> None:
    for made, kind in ((Proposal.of_edit, "user_edit"), (Proposal.of_program, "api")):
        proposal = made("double", {"number": 4})
        assert proposal.origin.kind == kind
        assert json.loads(proposal.text) == {"tool": "double", "arguments": {"number": 4}}
        assert proposal.input_schemas is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"tool": "a"}',
        '{"arguments": {}}',
        '{"tool": "a", "arguments": {}, "approved": true}',
        '{"tool": 5, "arguments": {}}',
        '{"tool": "a", "arguments": []}',
        '{"tool": "a", "arguments": "{}"}',
        '{"tool": "a", "arguments": null}',
        '{"tool": "a", "tool": "b", "arguments": {}}',
        '{"tool": "a", "arguments": {}} {}',
        '{"tool": "a", "arguments": ' + "[" * 100 + "]" * 100 + "}",
    ],
)
def test_other_texts_are_no_calls(text: str) -> None:
    with pytest.raises(Error) as caught:
        Proposal(text, ORIGIN).read()
    assert caught.value.code.startswith(("JSON_", "TOOL_ENVELOPE"))
