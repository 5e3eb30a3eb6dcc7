"""Attack 46: names that lead out of a folder, by dots, links, or by what they name."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

import isolated_tools as tools
from checkrail.boundary.worker.root_folder import Folder
from checkrail.errors import ToolError
from running import code, outcome_of, take_away, value

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="needs openat")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / "a").write_text("a note", "ascii")
    (folder / "sub" / "b").write_text("another", "ascii")
    (tmp_path / "secret").write_text("secret", "ascii")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "inner").symlink_to("a")
    (folder / "way").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    return folder


WAYS_OUT = [
    *("../secret", "sub/../../secret", "/etc/passwd", "link", "inner", "way/secret", "way", "./a", "sub//b", "sub/"),
    *("", ".", "..", "a\0b", "pipe", "sub", "a/b", "/".join("x" * 40)),
]


@pytest.mark.parametrize("name", WAYS_OUT)
def test_way_out_is_refused(notes: Path, name: str) -> None:
    with pytest.raises(ToolError, match="TOOL_PATH"):
        Folder(str(notes)).open(name)
    with pytest.raises(ToolError, match="TOOL_PATH"):
        Folder(str(notes), writable=True).open(name, "wb")
    assert (notes.parent / "secret").read_text("ascii") == "secret"


@pytest.mark.parametrize(("name", "said"), [("a", "a note"), ("sub/b", "another")])
def test_twin_what_is_inside_is_read(notes: Path, name: str, said: str) -> None:
    with Folder(str(notes)).open(name) as file:
        assert file.read().decode() == said


def test_list_shows_no_links_and_no_pipes(notes: Path) -> None:
    assert Folder(str(notes)).names() == ["a", "sub/"]


def test_swap_while_it_is_opened(notes: Path) -> None:
    """Somebody replaces a folder by a link to the outside, over and over: what is read is the inside or nothing."""
    outside = notes.parent / "outside"
    outside.mkdir()
    (outside / "b").write_text("secret", "ascii")
    (notes / "other").symlink_to(outside)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.rename(notes / "sub", notes / "aside")
            os.rename(notes / "other", notes / "sub")
            os.rename(notes / "sub", notes / "other")
            os.rename(notes / "aside", notes / "sub")

    thread = threading.Thread(target=swap)
    thread.start()
    read, refused = 0, 0
    try:
        while read < 200 or refused < 20:
            assert thread.is_alive()
            try:
                with Folder(str(notes)).open("sub/b") as file:
                    assert file.read() == b"another"
                    read += 1
            except (ToolError, FileNotFoundError):
                refused += 1
    finally:
        stop.set()
        thread.join()


WALLS = pytest.mark.parametrize(
    "missing", [(), ("landlock", "syscall_filter", "namespaces")], ids=["sandbox", "no sandbox"]
)


@WALLS
def test_a_folder_that_is_declared_for_reading_is_not_written_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, notes: Path, missing: tuple[str, ...]
) -> None:
    take_away(monkeypatch, tmp_path, *missing)
    assert code(outcome_of(tools.write_note_as_reader, notes=notes, name="a")) == "TOOL_PATH"
    assert (notes / "a").read_text("ascii") == "a note"


@WALLS
def test_tool_in_its_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, notes: Path, missing: tuple[str, ...]
) -> None:
    take_away(monkeypatch, tmp_path, *missing)
    assert value(outcome_of(tools.read_note, notes=notes, name="sub/b")) == {"said": "another"}
    for name in ("../secret", "link"):
        outcome = outcome_of(tools.read_note, notes=notes, name=name)
        assert code(outcome) == "TOOL_PATH"
        assert name not in str(outcome.error)
