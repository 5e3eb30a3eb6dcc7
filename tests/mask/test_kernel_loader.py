"""The loader finds both twins of the kernel, honours the override, and sees a stale library."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from checkrail import _twins
from checkrail.mask import kernel as twins

NAMES = _twins.NAMES


def test_twins_are_what_they_say() -> None:
    interpreted, compiled = twins.load_interpreted(), twins.load_compiled()
    assert not any(module.COMPILED for module in (interpreted.walker, interpreted.machine, interpreted.tables))
    assert repr(interpreted) == "<Kernel interpreted>"
    assert (compiled is None) == (twins.libraries() == ())
    if compiled is not None:
        assert all(module.COMPILED for module in (compiled.walker, compiled.machine, compiled.tables))
        assert repr(compiled) == "<Kernel compiled>"


def test_twins_come_from_one_source(kernel: twins.Kernel) -> None:
    interpreted = twins.load_interpreted()
    assert kernel.walker.__doc__ == interpreted.walker.__doc__
    assert kernel.machine.__doc__ == interpreted.machine.__doc__
    assert kernel.walker.__doc__ != kernel.machine.__doc__


def test_each_twin_is_loaded_once(kernel: twins.Kernel) -> None:
    assert kernel in (twins.load_interpreted(), twins.load_compiled())
    assert kernel.mode == ("compiled" if kernel.walker.COMPILED else "interpreted")


def run(mode: str) -> subprocess.CompletedProcess[str]:
    code = "from checkrail.mask import kernel; print(kernel.mode())"
    environment = {**os.environ, "CHECKRAIL_KERNEL_MODE": mode, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


def test_default_is_compiled_where_built() -> None:
    assert run("").stdout.strip() == ("interpreted" if not twins.libraries() else "compiled")


def test_interpreted_can_be_asked_for() -> None:
    assert run("interpreted").stdout.strip() == "interpreted"


def test_unknown_mode_is_refused() -> None:
    done = run("fast")
    assert done.returncode == 1
    assert "CHECKRAIL_KERNEL_MODE: must be compiled or interpreted" in done.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the package's folder, with the sources and nothing built."""
    monkeypatch.setattr(_twins, "ROOT", tmp_path)
    for source in _twins.SOURCES:
        (tmp_path / source).parent.mkdir(exist_ok=True)
        (tmp_path / source).write_text("COMPILED = False\n", encoding="utf-8")
    return tmp_path


def build(folder: Path) -> None:
    for name in NAMES:
        (folder / f"{name}{EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    digests = {source: hashlib.sha256((folder / source).read_bytes()).hexdigest() for source in _twins.SOURCES}
    (folder / "_compiled.json").write_text(json.dumps({"source_sha256": digests}), encoding="utf-8")


def test_no_library_is_not_stale(folder: Path) -> None:
    assert twins.stale() is None


def test_library_of_this_source_is_not_stale(folder: Path) -> None:
    build(folder)
    assert twins.stale() is None


@pytest.mark.parametrize("source", _twins.SOURCES)
def test_edited_source_makes_the_library_stale(folder: Path, source: str) -> None:
    build(folder)
    (folder / source).write_text("COMPILED = False  # edited\n", encoding="utf-8")
    assert twins.stale() == f"the compiled kernel was built from another version of {source}"


@pytest.mark.parametrize("name", NAMES)
def test_a_library_alone_is_not_used(folder: Path, name: str) -> None:
    build(folder)
    (folder / f"{name}{EXTENSION_SUFFIXES[0]}").unlink()
    assert twins.libraries() == ()
    assert twins.load_compiled() is None
    assert twins.stale() is None


def test_beside_a_library_alone_all_modules_are_interpreted(tmp_path: Path) -> None:
    source = Path(twins.__file__).parents[1]
    built = twins.libraries()
    if not built:
        pytest.skip("no compiled kernel was built: run `make kernel`")
    shutil.copytree(source, tmp_path / "checkrail", ignore=shutil.ignore_patterns(built[1].name, "__pycache__"))
    parts = "k.walker.COMPILED, k.machine.COMPILED, k.tables.COMPILED"
    code = f"from checkrail.mask.kernel import active as a; k = a(); print(k, {parts})"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "<Kernel interpreted> False False False"


OLD_RECORD = json.dumps({"source_sha256": "0" * 64})


@pytest.mark.parametrize("record", [None, "", "[]", "{}", OLD_RECORD, '{"source_sha256": {"mask/_kernel.py": "0"}}'])
def test_library_without_a_record_is_stale(folder: Path, record: str | None) -> None:
    build(folder)
    stamp = folder / "_compiled.json"
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
