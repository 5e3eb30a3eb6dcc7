"""Attack 28: the model was held to the schema of another version of the tool."""

from __future__ import annotations

from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.envelopes import Origin
from checkrail.boundary.calls.proposal import Proposal

TEXT = toy_tools.call_text("double", number=4)
RIGHT = toy_tools.double.manifest.input_schema_sha256


@pytest.mark.parametrize("schemas", [{}, {"double": "0" * 64}, {"notes.append": RIGHT}, {"double": RIGHT.upper()}])
def test_it_is_refused(tmp_path: Path, schemas: dict[str, str]) -> None:
    call = carry(toy_tools.session(tmp_path), Proposal(TEXT, Origin("model"), schemas))
    assert call.error is not None
    assert call.error.code == "TOOL_SCHEMA_MISMATCH"


def test_under_the_same_schema_it_runs(tmp_path: Path) -> None:
    call = carry(toy_tools.session(tmp_path), Proposal(TEXT, Origin("model"), {"double": RIGHT}))
    assert call.error is None
