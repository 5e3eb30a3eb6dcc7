"""Attack 26: a name that looks like, begins like, or is put in front of that of a tool."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import toy_tools
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.errors import ToolError

CONFUSABLE = [
    *(
        "Double",
        "DOUBLE",
        "double ",
        " double",
        "double\n",
        "doub",
        "double.x",
        "dоuble",
        "ｄｏｕｂｌｅ",
        "double\u200b",
    ),
    *("", ".", "notes", "notes.", "notes..append", "notes/append", "__class__", "toString", "constructor"),
]


@pytest.mark.parametrize("name", CONFUSABLE)
def test_it_is_no_tool(tmp_path: Path, name: str) -> None:
    call = carry(toy_tools.session(tmp_path), Proposal.of_program(name, {"number": 4}))
    assert call.error is not None
    assert call.error.code == "TOOL_UNKNOWN"
    assert name not in call.error.message or name in ("", ".", "notes"), "the model's text is not repeated"


@pytest.mark.parametrize(
    "name", [name for name in CONFUSABLE if name not in ("doub", "double.x", "notes", "constructor")]
)
def test_it_cannot_be_declared(name: str) -> None:
    with pytest.raises(ToolError, match="TOOL_MANIFEST"):
        dataclasses.replace(toy_tools.double.manifest, name=name)


def test_the_name_itself_runs(tmp_path: Path) -> None:
    call = carry(toy_tools.session(tmp_path), Proposal.of_program("double", {"number": 4}))
    assert call.result is not None
    assert call.result.result == 8
