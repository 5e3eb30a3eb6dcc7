"""`checkrail.tools`: its names are said once, and a module of tools loads nothing of models."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import checkrail.tools


def test_names_are_the_same_for_type_checkers_and_for_python() -> None:
    source = Path(checkrail.tools.__file__).read_text("utf-8")
    (block,) = (
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    )
    typed = {
        alias.asname or alias.name: ("." * node.level + (node.module or ""), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == checkrail.tools._HOMES
    assert sorted(typed) == sorted(checkrail.tools.__all__)


@pytest.mark.parametrize("name", checkrail.tools.__all__)
def test_name_resolves(name: str) -> None:
    assert getattr(checkrail.tools, name) is not None
    assert name in dir(checkrail.tools)


def test_another_name_does_not() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        checkrail.tools.nothing  # noqa: B018


@pytest.mark.parametrize(
    "module", ["from checkrail.tools import Len, Limits, folder, tool", "import checkrail.tools.desk"]
)
def test_what_a_worker_imports_is_small(module: str) -> None:
    code = f"import json, sys\n{module}\nprint(json.dumps(sorted(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert not loaded & {"numpy", "pydantic", "click", "rich"}
    assert not {
        name for name in loaded if name.startswith(("checkrail.generation", "checkrail.models", "checkrail.mask"))
    }
