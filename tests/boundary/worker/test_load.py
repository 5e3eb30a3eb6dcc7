"""Loading by the bytes that were checked."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkrail.boundary.worker.load import SourceChangedError, load, source_file


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that imports its own module, as many do; the import state is restored afterwards."""
    folder = tmp_path / "loaded_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .part import Thing", "utf-8")
    (folder / "part.py").write_text("class Thing:\n    class Inner:\n        value = 1", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "loaded_package"]:
        del sys.modules[name]


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_module_of_a_package(package: Path) -> None:
    file = package / "part.py"
    found = load("loaded_package.part", "Thing.Inner", file=str(file), source_hash=sha256(file))
    assert found.value == 1
    assert sys.modules["loaded_package.part"].__file__ == str(file)
    assert source_file("loaded_package.part") == str(file)


def test_package_itself(package: Path) -> None:
    file = package / "__init__.py"
    found = load("loaded_package", "Thing", file=str(file), source_hash=sha256(file))
    assert found.__module__ == "loaded_package.part"


def test_bytes_that_were_checked_are_those_that_run(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent is imported before the module, and it could be the parent that rewrites the file."""
    file = package / "part.py"
    hashed = sha256(file)
    rewrite = f"from pathlib import Path\nPath({str(file)!r}).write_text('class Thing: value = 2')\n"
    (package / "__init__.py").write_text(rewrite + "from .part import Thing", "utf-8")
    assert load("loaded_package.part", "Thing.Inner", file=str(file), source_hash=hashed).value == 1
    assert sha256(file) != hashed


def test_changed_file(package: Path) -> None:
    with pytest.raises(SourceChangedError):
        load("loaded_package.part", "Thing", file=str(package / "part.py"), source_hash="0" * 64)
    assert "loaded_package" not in sys.modules


def test_name_that_is_not_there(package: Path) -> None:
    file = package / "part.py"
    assert load("loaded_package.part", "Thing.Other.More", file=str(file), source_hash=sha256(file)) is None


@pytest.mark.parametrize("module", ["__main__", "sys", "math", "no_such_module", "no.such.module", "zipimport"])
def test_modules_without_a_source_file(module: str) -> None:
    assert source_file(module) is None


def test_source_file_of_a_module_that_is_not_loaded(package: Path) -> None:
    assert source_file("loaded_package") == str(package / "__init__.py")
