"""Attack 20: the dangerous part is pushed off the screen. (At a terminal: boundary/test_terminal_confirmer.)"""

from __future__ import annotations

from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.display.terminal import rows

PADDINGS = ["\n" * 4_000, " " * 4_000, "\t" * 4_000, "x" * 7_000, "a \n" * 2_000]


@pytest.mark.parametrize("padding", PADDINGS)
def test_nothing_is_cut_off(tmp_path: Path, padding: str) -> None:
    session = toy_tools.session(tmp_path, "deny")
    call = carry(session, Proposal.of_program("notes.append", {"text": f"safe{padding}DANGER"}))
    assert call.view is not None
    shown = "".join(row for section in call.view.sections() for row in rows(section.spans, width=80))
    assert "DANGER" in shown
    assert all(len(row) <= 80 for section in call.view.sections() for row in rows(section.spans, width=80))


def test_what_nobody_would_read_is_not_asked(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, "approve")
    call = carry(session, Proposal.of_program("notes.append", {"text": "x" * 8_200}), run=toy_tools.Runner())
    assert call.error is not None
    assert call.error.code == "TOOL_ARGS_TOO_LARGE"
    assert session.confirmer.seen == []  # type: ignore[attr-defined]


def test_a_short_text_is_shown_whole(tmp_path: Path) -> None:
    session = toy_tools.session(tmp_path, "approve")
    assert (
        carry(session, Proposal.of_program("notes.append", {"text": "x" * 100}), run=toy_tools.Runner()).error is None
    )
