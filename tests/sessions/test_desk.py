"""The tools that come with `chat`, in workers of their own, through the whole of a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import toy_tools
from checkrail.boundary.calls.call import Call
from checkrail.boundary.calls.carry import carry
from checkrail.boundary.calls.proposal import Proposal
from checkrail.boundary.confirmation.confirmers import CallbackConfirmer
from checkrail.boundary.session import Session
from checkrail.boundary.tools.registration import check
from checkrail.tools import desk


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    found = {"notes": tmp_path / "notes", "notebook": tmp_path / "notebook"}
    for folder in found.values():
        folder.mkdir()
    (found["notes"] / "shopping.txt").write_text("bread, milk\n", "utf-8")
    (tmp_path / "secret.txt").write_text("4711", "utf-8")
    return found


def ended(folders: dict[str, Path], tool: str, /, **arguments: Any) -> Call:
    """One call, to which a person agrees."""
    yes = CallbackConfirmer(lambda _: True)
    with Session(desk.DESK, composition=toy_tools.composition(), confirm=yes, roots=folders) as session:
        return carry(session, Proposal.of_program(tool, arguments))


def result(call: Call) -> Any:
    assert call.error is None, call.error
    assert call.result is not None
    return call.result.result


def code(call: Call) -> str:
    assert call.error is not None
    assert call.result is not None
    assert call.result.error is not None
    return call.result.error.code


@pytest.mark.parametrize("tool", desk.DESK, ids=lambda tool: tool.name)
def test_each_can_be_registered(tool: Any) -> None:
    check(tool)


def test_capabilities() -> None:
    kinds = {tool.name: tool.manifest.capability for tool in desk.DESK}
    assert kinds == {
        "calculate": "pure", "clock": "read", "list_notes": "read", "read_note": "read", "write_note": "write",
    }  # fmt: skip


def test_the_calculator(folders: dict[str, Path]) -> None:
    assert result(ended(folders, "calculate", expression="1234 * 5678"))["value"] == 7006652
    assert result(ended(folders, "calculate", expression="5/0"))["error"]["code"] == "CALC_DIV_ZERO"


def test_the_clock(folders: dict[str, Path]) -> None:
    found = result(ended(folders, "clock"))
    assert (len(found["date"]), len(found["time"]), found["zone"]) == (10, 5, "UTC")


def test_notes_are_listed_and_read(folders: dict[str, Path]) -> None:
    (folders["notes"] / "deeper").mkdir()
    assert result(ended(folders, "list_notes")) == {"names": ["shopping.txt"], "more": 0}
    assert result(ended(folders, "read_note", name="shopping.txt")) == {"text": "bread, milk\n"}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("missing.txt", "NOTE_MISSING"),
        ("../secret.txt", "TOOL_PATH"),
        ("/etc/passwd", "TOOL_PATH"),
        ("link.txt", "TOOL_PATH"),
        ("latin.txt", "NOTE_NOT_TEXT"),
        ("long.txt", "NOTE_TOO_LONG"),
    ],
)
def test_what_is_no_note(folders: dict[str, Path], name: str, wanted: str) -> None:
    (folders["notes"] / "link.txt").symlink_to(folders["notes"].parent / "secret.txt")
    (folders["notes"] / "latin.txt").write_bytes(b"caf\xe9")
    (folders["notes"] / "long.txt").write_bytes(b"x" * 70_000)
    assert code(ended(folders, "read_note", name=name)) == wanted


def test_a_line_is_added_and_nothing_else_changed(folders: dict[str, Path]) -> None:
    assert result(ended(folders, "write_note", line="buy milk")) == {"lines": 1}
    assert result(ended(folders, "write_note", line="Käse, ß")) == {"lines": 2}
    book = folders["notebook"] / desk.NOTEBOOK
    assert book.read_text("utf-8") == "buy milk\nKäse, ß\n"
    assert list(folders["notebook"].iterdir()) == [book]


@pytest.mark.parametrize("line", ["two\nlines", "a\rb", "", "x" * 201])
def test_a_line_is_one_line(folders: dict[str, Path], line: str) -> None:
    assert ended(folders, "write_note", line=line).state.value == "failed"
    assert list(folders["notebook"].iterdir()) == []


def test_a_full_notebook_says_so(folders: dict[str, Path]) -> None:
    (folders["notebook"] / desk.NOTEBOOK).write_text("x\n" * 500, "utf-8")
    assert code(ended(folders, "write_note", line="more")) == "NOTEBOOK_FULL"


def test_examples_are_of_these_tools_and_show_two_results_of_each() -> None:
    names = {tool.name for tool in desk.DESK}
    assert {example.tool for example in desk.EXAMPLES} - {None} == names
    for name in names:
        assert sum(example.tool == name and example.result is not None for example in desk.EXAMPLES) >= 2
