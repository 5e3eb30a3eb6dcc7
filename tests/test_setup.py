"""The three build modes of setup.py, as far as they can be seen without a compiler."""

from __future__ import annotations

import re
import runpy
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("setuptools")
pytest.importorskip("Cython")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """The names of setup.py."""
    return runpy.run_path(str(ROOT / "setup.py"), run_name="setup")


@pytest.fixture(scope="module")
def tree(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the kernel's sources and nothing else; one for all, as Cython remembers relative paths."""
    tree = tmp_path_factory.mktemp("tree")
    for source in (f"src/checkrail/{source}" for source in names["SOURCES"]):
        (tree / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / source, tree / source)
    return tree


@pytest.fixture
def setup(names: dict[str, Any], tree: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of setup.py, to be used in a tree of their own."""
    monkeypatch.chdir(tree)
    return names


def test_the_same_files_are_named_wherever_they_are_named(names: dict[str, Any]) -> None:
    from checkrail import _twins

    assert tuple(names["NAMES"]) == _twins.NAMES
    assert tuple(names["SOURCES"]) == _twins.SOURCES
    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)
    files = set(names["SOURCES"])
    makefile = (ROOT / "Makefile").read_text("utf-8")
    listed = re.search(r"^KERNEL = \$\(addprefix src/checkrail/,(.*)\)$", makefile, re.MULTILINE)
    assert listed is not None
    assert set(listed[1].split()) == files  # what is edited but not listed there is not built anew
    assert {f"*/{Path(file).name}" for file in files if file.endswith(".py")} == set(
        project["tool"]["coverage"]["run"]["omit"]
    )


def test_python_mode_compiles_nothing(setup: dict[str, Any]) -> None:
    assert setup["extensions"]("python") == []


@pytest.mark.parametrize(("mode", "optional"), [("compiled", False), ("", True)])
def test_failure_to_compile_is_fatal_only_where_asked(setup: dict[str, Any], mode: str, optional: bool) -> None:
    kernel = setup["extensions"](mode)
    assert [extension.name for extension in kernel] == [
        "checkrail.mask._kernel",
        "checkrail.mask._machine",
        "checkrail.mask._kinds",
        "checkrail.ondemand._tables",
        "checkrail.ondemand._spelled",
        "checkrail.regular._rests",
    ]
    assert [bool(extension.optional) for extension in kernel] == [optional] * 6


def test_without_cython_only_compiled_mode_fails(
    setup: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "Cython.Build", None)
    assert setup["extensions"]("") == []
    assert "without the compiled kernel" in capsys.readouterr().err
    with pytest.raises(ModuleNotFoundError):
        setup["extensions"]("compiled")


def test_unknown_mode_is_refused(setup: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_KERNEL", "fast")
    with pytest.raises(SystemExit, match="must be python, compiled or unset"):
        setup["build_mode"]()


def test_no_processor_specific_code(setup: dict[str, Any]) -> None:
    flags = [flag for extension in setup["extensions"]("compiled") for flag in extension.extra_compile_args]
    assert flags
    assert not any(flag.startswith(("-march", "-mavx", "-mtune", "/arch")) for flag in flags)


def test_libraries_of_all_sources_are_found(setup: dict[str, Any], tmp_path: Path) -> None:
    for name in (
        "mask/_kernel.cpython-311.so",
        "mask/_machine.pyd",
        "mask/_kernel.py",
        "ondemand/_tables.so",
        "_kernel.so",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [path.name for path in setup["libraries"](tmp_path)]
    assert found == ["_kernel.cpython-311.so", "_machine.pyd", "_tables.so"]
