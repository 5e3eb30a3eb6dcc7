"""Attack 41: files, programs, sockets and other processes, out of reach of a tool; and within reach of this test."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import isolated_tools as tools
from checkrail.boundary.runner import available
from checkrail.boundary.tools.tool import Tool
from running import code, outcome_of, take_away, value

found = available()
pytestmark = pytest.mark.skipif(found is None or found.level != "sandbox", reason=f"this system gives {found}")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text("secret", "ascii")
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "note").write_text("a note", "ascii")
    return folder


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Somebody to talk to, by each way."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as unix,
    ):
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(tmp_path / "socket"))
        unix.listen()
        yield {
            "tcp": str(tcp.getsockname()[1]),
            "udp": str(udp.getsockname()[1]),
            "unix": str(tmp_path / "socket"),
        }


def attempts(outside: Path, servers: dict[str, str]) -> list[tuple[str, str]]:
    """What can be done here, in an order in which each can be done."""
    secret = str(outside / "secret")
    return [
        ("read", secret),
        ("read", "/etc/passwd"),
        ("list", str(outside)),
        ("write", str(outside / "new")),
        ("write", secret),
        ("truncate", secret),
        ("rename", secret),
        ("remove", secret + ".moved"),
        ("link", str(outside / "link")),
        ("make", str(outside / "folder")),
        ("execute", "/bin/true"),
        *servers.items(),
        ("pair", str(socket.SOCK_DGRAM.value)),
        ("signal", str(os.getpid())),
    ]


def test_twin_all_of_it_can_be_done_here(outside: Path, servers: dict[str, str]) -> None:
    tried = attempts(outside, servers)
    assert [(what, tools.attempted(what, where)) for what, where in tried] == [(what, "done") for what, _ in tried]


@pytest.mark.parametrize("tool", [tools.attempt_pure, tools.attempt], ids=lambda tool: tool.manifest.capability)
@pytest.mark.parametrize("missing", [(), ("namespaces",)], ids=["all", "no-namespaces"])
def test_none_of_it_can_be_done_by_a_tool(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    outside: Path,
    notes: Path,
    servers: dict[str, str],
    tool: Tool,
    missing: tuple[str, ...],
) -> None:
    take_away(monkeypatch, tmp_path, *missing)
    tried = attempts(outside, servers)
    roots = {"notes": notes} if tool is tools.attempt else {}
    outcome = outcome_of(tool, what=[what for what, _ in tried], where=[where for _, where in tried], **roots)
    happened = value(outcome)["outcomes"]
    walls = outcome.isolation
    assert walls is not None
    signals = not walls.pidns and (walls.landlock_abi or 0) < 6  # an older Linux: as docs/explanation/isolation.md says
    assert [what for (what, _), how in zip(tried, happened, strict=True) if how == "done"] == ["signal"] * signals
    assert (outside / "secret").read_text("ascii") == "secret"
    assert sorted(entry.name for entry in outside.iterdir()) == ["secret"]


def test_twin_without_the_walls_it_can_be_done_by_a_tool(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, outside: Path, servers: dict[str, str]
) -> None:
    """So it is the walls that stop it, and the level says that they are gone."""
    take_away(monkeypatch, tmp_path, "landlock", "syscall_filter", "namespaces", "rlimits")
    tried = attempts(outside, servers)
    outcome = outcome_of(tools.attempt_pure, what=[what for what, _ in tried], where=[where for _, where in tried])
    assert value(outcome) == {"outcomes": ["done"] * len(tried)}
    assert outcome.isolation is not None
    assert outcome.isolation.level == "process"


def test_declared_folders_are_within_reach(outside: Path, notes: Path) -> None:
    path = str(notes / "note")
    assert value(outcome_of(tools.read_path, notes=notes, path=path)) == {"said": "a note"}
    own = [
        ("read", path),
        ("list", str(notes)),
        ("write", str(notes / "new")),
        ("truncate", str(notes / "new")),
        ("rename", str(notes / "new")),
        ("remove", str(notes / "new.moved")),
        ("make", str(notes / "folder")),
        ("link", str(notes / "link")),
        ("fork", ""),
        ("pair", str(socket.SOCK_STREAM.value)),
    ]
    outcome = outcome_of(tools.attempt, notes=notes, what=[what for what, _ in own], where=[where for _, where in own])
    happened = dict(zip((what for what, _ in own), value(outcome)["outcomes"], strict=True))
    assert {what for what, how in happened.items() if how != "done"} == {"link"}, happened


def test_a_reader_does_not_write(notes: Path) -> None:
    outcome = outcome_of(tools.overwrite_as_reader, notes=notes, path=str(notes / "note"))
    assert code(outcome) == "TOOL_SANDBOX"
    assert (notes / "note").read_text("ascii") == "a note"


def test_a_refusal_that_is_raised_has_its_code(outside: Path) -> None:
    assert code(outcome_of(tools.raise_refusal, what="read", where=str(outside / "secret"))) == "TOOL_SANDBOX"


def test_other_processes_are_not_seen() -> None:
    """Their environments hold secrets, and /proc shows those of the same user."""
    places = [f"/proc/{os.getpid()}/environ", "/proc/self/environ", "/proc"]
    what = ["read", "read", "list"]
    assert [tools.attempted(*pair) for pair in zip(what, places, strict=True)] == ["done"] * 3
    outcome = outcome_of(tools.attempt_pure, what=what, where=places)
    assert "done" not in value(outcome)["outcomes"]
