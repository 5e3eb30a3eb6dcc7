"""Attack 27 at the last moment: the file of a tool is another one than was registered."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import py_compile
import sys
from pathlib import Path
from types import ModuleType

import pytest

from checkrail.boundary.runner import run
from checkrail.boundary.tools.registration import register
from running import code, value

SOURCE = """
from typing import TypedDict
from checkrail.boundary.tools.tool import tool
from checkrail.boundary.tools.limits import ToolLimits
class Total(TypedDict):
    total: int
@tool(name="one", version="1.0.0", capability="pure", effect="One.", limits=ToolLimits(wall_ms=20_000))
def one() -> Total:
    return {"total": 1}
other = one
helper = "not a tool"
"""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    (tmp_path / "changing.py").write_text(SOURCE, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "changing", raising=False)
    imported = importlib.import_module("changing")
    monkeypatch.delitem(sys.modules, "changing")
    monkeypatch.setitem(sys.modules, "changing", imported)
    return imported


def test_twin_unchanged(module: ModuleType) -> None:
    assert value(run(register(module.one, {}), b"{}")) == {"total": 1}


def test_changed_file_does_not_run(module: ModuleType, tmp_path: Path) -> None:
    tool = register(module.one, {})
    mark = tmp_path / "ran"
    (tmp_path / "changing.py").write_text(f"open({str(mark)!r}, 'w')\n" + SOURCE, "utf-8")
    assert code(run(tool, b"{}")) == "AUTH_MANIFEST_DRIFT"
    assert not mark.exists()


def test_stale_compiled_file_does_not_run(module: ModuleType, tmp_path: Path) -> None:
    """A compiled file that claims to belong to the source is not even looked at."""
    tool = register(module.one, {})
    other = tmp_path / "other.py"
    other.write_text(SOURCE.replace('return {"total": 1}', 'return {"total": 2}'), "utf-8")
    target = importlib.util.cache_from_source(str(tmp_path / "changing.py"))
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(other), target, invalidation_mode=unchecked, doraise=True)
    assert value(run(tool, b"{}")) == {"total": 1}


@pytest.mark.parametrize("change", [{"manifest_sha256": "0" * 64}, {"qualname": "helper"}, {"qualname": "Total"}])
def test_name_that_leads_elsewhere_does_not_run(module: ModuleType, change: dict[str, str]) -> None:
    assert code(run(dataclasses.replace(register(module.one, {}), **change), b"{}")) == "AUTH_MANIFEST_DRIFT"


def test_name_that_leads_nowhere_does_not_run(module: ModuleType) -> None:
    assert code(run(dataclasses.replace(register(module.one, {}), qualname="gone"), b"{}")) == "AUTH_MANIFEST_DRIFT"
