"""The careful folder; the attacks on it are in the adversarial tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from checkrail.boundary.worker.root_folder import Folder, folder, grant
from checkrail.errors import ToolError


def test_modes(tmp_path: Path) -> None:
    notes = Folder(str(tmp_path), writable=True)
    (tmp_path / "sub").mkdir()
    with notes.open("sub/a", "xb") as file:
        file.write(b"one")
    with notes.open("sub/a", "ab") as file:
        file.write(b" two")
    with notes.open("sub/a") as file:
        assert file.read() == b"one two"
    with notes.open("sub/a", "wb") as file:
        file.write(b"3")
    assert (tmp_path / "sub" / "a").read_bytes() == b"3"
    with pytest.raises(FileExistsError):
        notes.open("sub/a", "xb")
    with pytest.raises(FileNotFoundError):
        notes.open("sub/b")
    assert notes.names() == ["sub/"]
    assert notes.names("sub") == ["a"]


def test_folder_that_is_not_writable(tmp_path: Path) -> None:
    for mode in ("ab", "wb", "xb"):
        with pytest.raises(ToolError, match="TOOL_PATH"):
            Folder(str(tmp_path)).open("a", mode)  # type: ignore[arg-type]  # mypy widens the tuple to str
    assert list(tmp_path.iterdir()) == []


def test_only_granted_folders_are_there(tmp_path: Path) -> None:
    grant({"notes": str(tmp_path), "books": str(tmp_path)}, ["books"])
    assert (folder("notes").writable, folder("books").writable) == (False, True)
    grant({})
    with pytest.raises(ToolError, match="TOOL_PATH"):
        folder("notes")
