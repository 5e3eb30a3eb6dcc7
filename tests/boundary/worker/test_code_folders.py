"""What a sandboxed tool can read: code, and of a folder of code nothing else."""

from __future__ import annotations

import json
import os
import sysconfig
from pathlib import Path

import pytest

from checkrail.boundary.worker import code_folders
from checkrail.boundary.worker.code_folders import import_path, readable_code


def test_of_a_script_folder_only_what_can_be_imported(tmp_path: Path) -> None:
    for name in ("tool.py", "helper.py", ".env", "notes.txt", "key.pem", "fast.abi3.so"):
        (tmp_path / name).write_text("", "ascii")
    for name in ("package", "data"):
        (tmp_path / name).mkdir()
    (tmp_path / "package" / "__init__.py").write_text("", "ascii")
    found = readable_code(str(tmp_path / "tool.py"), [str(tmp_path)])
    below = {os.path.relpath(path, tmp_path) for path in found if path.startswith(str(tmp_path))}
    assert below == {"tool.py", "helper.py", "fast.abi3.so", "package"}


def test_library_folders_as_a_whole(tmp_path: Path) -> None:
    library = tmp_path / "site-packages"
    library.mkdir()
    found = readable_code("/tool.py", [str(library), sysconfig.get_path("stdlib")])
    assert str(library) in found
    assert os.path.dirname(json.__path__[0]) in found
    assert str(Path(code_folders.__file__).parents[2]) in found
    assert "/" not in found
    assert os.path.expanduser("~") not in found


def test_crowded_folder_is_bounded(tmp_path: Path) -> None:
    for number in range(1_100):
        (tmp_path / f"m{number}.py").touch()
    assert sum(path.startswith(str(tmp_path)) for path in readable_code("/tool.py", [str(tmp_path)])) == 1_000


def test_folder_that_cannot_be_listed_gives_nothing(tmp_path: Path) -> None:
    assert str(tmp_path / "gone") not in readable_code("/tool.py", [str(tmp_path / "gone")])


def test_paths_that_are_not_utf8_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    os.mkdir(folder)
    monkeypatch.syspath_prepend(folder)
    assert folder not in import_path()
    assert folder not in readable_code("/tool.py", [str(tmp_path), folder])


def test_import_path_is_absolute() -> None:
    assert all(os.path.isabs(path) and os.path.exists(path) for path in import_path())
