"""The promises of the package as a whole: names, imports, versions, sizes."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import checkrail

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(checkrail.__file__).parent
# what the import-linter contract "The trusted base ..." names, read from where it is declared
TRUSTED = next(
    contract["source_modules"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    if contract["type"] == "forbidden"
)


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a new interpreter that finds the package as this one does."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)


def loaded_by(statements: str) -> set[str]:
    """The modules that `statements` add to a new interpreter."""
    report = "print(json.dumps(list(set(sys.modules) - before)))"
    done = python(f"import json, sys\nbefore = set(sys.modules)\n{statements}\n{report}")
    return set(json.loads(done.stdout.splitlines()[-1]))


def foreign(modules: set[str]) -> set[str]:
    """Those that are neither the standard library nor this package (nor what Cython's own libraries register)."""
    tops = {name.partition(".")[0] for name in modules}
    return {t for t in tops - sys.stdlib_module_names - {"checkrail", "cython_runtime"} if not t.startswith("_cython_")}


# --- names


def test_public_names_are_declared_once_and_the_same() -> None:
    (block,) = (
        node
        for node in ast.parse((PACKAGE / "__init__.py").read_text("utf-8")).body
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    )
    typed = {(n.module, a.name) for n in block.body if isinstance(n, ast.ImportFrom) for a in n.names}
    homes = {(module, name) for module, names in checkrail._HOMES.items() for name in names}
    assert typed == homes
    assert sorted(name for _, name in homes) == sorted(checkrail.__all__)


@pytest.mark.parametrize("name", checkrail.__all__)
def test_public_name_resolves(name: str) -> None:
    assert getattr(checkrail, name) is not None
    assert name in dir(checkrail)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        checkrail.nothing  # noqa: B018


# --- imports


def test_import_loads_this_file_and_nothing_else() -> None:
    loaded = loaded_by("import checkrail")
    assert {name for name in loaded if name.startswith("checkrail")} == {"checkrail"}
    assert foreign(loaded) == set()
    assert not loaded & {"asyncio", "numpy", "pydantic", "rich", "click", "torch"}


def test_import_is_quick() -> None:
    code = "import time; start = time.process_time(); import checkrail; print(time.process_time() - start)"
    assert min(float(python(code).stdout) for _ in range(3)) < 0.04


@pytest.mark.parametrize("name", TRUSTED)
def test_trusted_base_loads_the_standard_library_only(name: str) -> None:
    walk = (
        f"import importlib, pkgutil; package = importlib.import_module({name!r})\n"
        f"for found in pkgutil.walk_packages(getattr(package, '__path__', []), {name + '.'!r}):\n"
        "    importlib.import_module(found.name)"
    )
    assert foreign(loaded_by(walk)) == set()


def test_help_loads_click_and_nothing_heavy() -> None:
    statements = "from checkrail.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert foreign(loaded_by(statements)) <= {"click"}


# --- versions


def test_versions_agree() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    newest = re.search(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert declared == checkrail.__version__ == newest[1]


# --- environment


def test_every_environment_variable_is_documented() -> None:
    sources = [*PACKAGE.rglob("*.py"), ROOT / "setup.py"]
    used = {name for file in sources for name in re.findall(r'"(CHECKRAIL_[A-Z0-9_]+)"', file.read_text("utf-8"))}
    page = (ROOT / "docs" / "reference" / "environment.md").read_text("utf-8")
    assert "CHECKRAIL_CACHE" in used
    assert {name for name in used if f"`{name}" not in page} == set()


# --- sizes


# Classes that use one another's C fields cannot be in two files.
LONGER = {"_machine.py": 1850, "_tables.py": 1450, "_rests.py": 1300, "_spelled.py": 900}


def test_no_file_is_a_wall() -> None:
    files = [*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("tools/*.py")]
    assert [f.name for f in files if f.read_text("utf-8").count("\n") > LONGER.get(f.name, 700)] == []


def test_every_module_says_what_it_is() -> None:
    files = [f for f in PACKAGE.rglob("*.py") if f.name != "__init__.py"]
    assert [f.name for f in files if not ast.get_docstring(ast.parse(f.read_text("utf-8")))] == []
