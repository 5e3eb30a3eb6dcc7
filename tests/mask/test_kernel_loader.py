"""The loader finds both twins of the kernel, honours the override, and sees a stale library."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest

from checkrail.mask import kernel as twins


def test_twins_are_what_they_say() -> None:
    assert twins.load_interpreted().COMPILED is False
    compiled = twins.load_compiled()
    assert (compiled is None) == (twins.library() is None)
    assert compiled is None or compiled.COMPILED is True


def test_twins_come_from_one_source(kernel: ModuleType) -> None:
    assert kernel.__doc__ == twins.load_interpreted().__doc__


def run(mode: str) -> subprocess.CompletedProcess[str]:
    code = "from checkrail.mask import kernel; print(kernel.mode())"
    environment = {**os.environ, "CHECKRAIL_KERNEL_MODE": mode, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


def test_default_is_compiled_where_built() -> None:
    assert run("").stdout.strip() == ("interpreted" if twins.library() is None else "compiled")


def test_interpreted_can_be_asked_for() -> None:
    assert run("interpreted").stdout.strip() == "interpreted"


def test_unknown_mode_is_refused() -> None:
    done = run("fast")
    assert done.returncode == 1
    assert "CHECKRAIL_KERNEL_MODE: must be compiled or interpreted" in done.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the package's folder, with a source and nothing built."""
    monkeypatch.setattr(twins, "_FOLDER", tmp_path)
    monkeypatch.setattr(twins, "_SOURCE", tmp_path / "_kernel.py")
    monkeypatch.setattr(twins, "_STAMP", tmp_path / "_kernel_build.json")
    (tmp_path / "_kernel.py").write_text("COMPILED = False\n", encoding="utf-8")
    return tmp_path


def build(folder: Path) -> None:
    (folder / f"_kernel{EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    digest = hashlib.sha256((folder / "_kernel.py").read_bytes()).hexdigest()
    (folder / "_kernel_build.json").write_text(json.dumps({"source_sha256": digest}), encoding="utf-8")


def test_no_library_is_not_stale(folder: Path) -> None:
    assert twins.stale() is None


def test_library_of_this_source_is_not_stale(folder: Path) -> None:
    build(folder)
    assert twins.stale() is None


def test_edited_source_makes_the_library_stale(folder: Path) -> None:
    build(folder)
    (folder / "_kernel.py").write_text("COMPILED = False  # edited\n", encoding="utf-8")
    assert twins.stale() == "the compiled kernel was built from another version of _kernel.py"


@pytest.mark.parametrize("record", [None, "", "[]", "{}"])
def test_library_without_a_record_is_stale(folder: Path, record: str | None) -> None:
    build(folder)
    stamp = folder / "_kernel_build.json"
    if record is None:
        stamp.unlink()
    else:
        stamp.write_text(record, encoding="utf-8")
    assert twins.stale() == "the compiled kernel has no build record"


def test_compiled_mode_without_a_library_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_KERNEL_MODE", "compiled")
    twins.active.cache_clear()
    try:
        with pytest.raises(twins.InputError, match="no compiled kernel was built"):
            twins.active()
    finally:
        twins.active.cache_clear()
