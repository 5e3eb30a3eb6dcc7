"""The vector files in this Python, and in Pyodide where Node and its npm package are there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import run_vectors

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def here() -> dict[str, Any]:
    return run_vectors.run()


def test_all_suites_pass_here(here: dict[str, Any]) -> None:
    assert here["suites"].keys() == run_vectors.SUITES.keys()
    assert here["digests"].keys() == run_vectors.DIGESTS.keys()
    for name, suite in here["suites"].items():
        assert suite["failed"] == [], name
        assert suite["cases"] > 50, name


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [("right", 1, 1), ("wrong", 1, 2)]
    monkeypatch.setattr(run_vectors, "SUITES", {"mine": lambda: cases})
    assert run_vectors.main([]) == 1
    assert json.loads(capsys.readouterr().out)["suites"] == {"mine": {"cases": 2, "failed": ["wrong: 2, expected 1"]}}
    assert run_vectors.main(["mine"]) == 1
    cases.pop()
    assert run_vectors.main(["mine"]) == 0


def test_pyodide_agrees(here: dict[str, Any]) -> None:
    package = os.environ.get("CHECKRAIL_PYODIDE", str(ROOT / "node_modules" / "pyodide"))
    if shutil.which("node") is None or not Path(package, "pyodide.mjs").is_file():
        pytest.skip("needs Node and `npm install --no-save pyodide`, or its folder in CHECKRAIL_PYODIDE")
    done = subprocess.run(
        ["node", str(ROOT / "tools" / "pyodide_vectors.mjs")],
        env={**os.environ, "CHECKRAIL_PYODIDE": package},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    there = json.loads(done.stdout)
    assert there["platform"] == "emscripten"
    assert there["suites"] == here["suites"]
    assert there["digests"] == here["digests"]
