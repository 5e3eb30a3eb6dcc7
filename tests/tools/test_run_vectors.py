"""The vector files in this Python, and in Pyodide where Node is there and npm has the package or can fetch it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import run_vectors
import vector_suites

# What the test matrix of the design asks for at the least, and else what there is
LEAST = {
    "calc": 124,
    "calc-powers": 400,
    "canon": 300,
    "det_exp": 60,
    "display": 90,
    "evidence": 25,
    "manifest": 40,
    "reinsert": 460,
    "replay": 100,
    "sampler": 600,
    "spans": 40,
    "stop_strings": 150,
    "stream": 8,
    "strictjson": 60,
    "utf8": 200,
    "validate": 180,
}


@pytest.fixture(scope="module")
def here() -> dict[str, Any]:
    return run_vectors.run()


def test_all_suites_pass_here(here: dict[str, Any]) -> None:
    assert here["suites"].keys() == vector_suites.SUITES.keys() == LEAST.keys()
    assert here["digests"].keys() == vector_suites.DIGESTS.keys()
    for name, suite in here["suites"].items():
        assert suite["failed"] == [], name
        assert suite["cases"] >= LEAST[name], name


def test_every_file_of_vectors_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    for module in (vector_suites, vector_suites.decoding_suites, vector_suites.reinsert_suites):
        read = module.read  # type: ignore[attr-defined]  # it imports the name
        monkeypatch.setattr(module, "read", lambda name, read=read: seen.add(name) or read(name))
    for suite in vector_suites.SUITES.values():
        for _ in suite():
            pass
    folder = Path(run_vectors.ROOT, "conformance")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")}
    # read by the tests alone: the first needs the author's method, the second the suite that it decides about
    assert files - seen == {"canon/es6testfile.json", "strictjson_decisions.json"}


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [("right", 1, 1), ("wrong", 1, 2)]
    monkeypatch.setattr(run_vectors, "SUITES", {"mine": lambda: cases, "other": list})
    monkeypatch.setattr(run_vectors, "DIGESTS", {})
    assert run_vectors.main([]) == 1
    suites = {"mine": {"cases": 2, "failed": ["wrong: 2, expected 1"]}, "other": {"cases": 0, "failed": []}}
    assert json.loads(capsys.readouterr().out)["suites"] == suites
    assert run_vectors.main(["mine"]) == 1
    assert run_vectors.main(["other"]) == 0
    assert run_vectors.main(["none"]) == 2
    assert "no such suite: none" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["suites", "digests"])
def test_another_result_in_pyodide_is_told(part: str, here: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_vectors, "run", lambda names: here)
    monkeypatch.setattr(run_vectors, "run_in_pyodide", lambda names: here)
    assert run_vectors.main(["--pyodide"]) == 0
    monkeypatch.setattr(run_vectors, "run_in_pyodide", lambda names: {**here, part: {**here[part], "calc": "another"}})
    assert run_vectors.main(["--pyodide"]) == 1


def test_without_pyodide_it_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setattr(run_vectors, "run", lambda names: {"suites": {}})
    monkeypatch.setattr(run_vectors, "INSTALLED", tmp_path / "new")
    monkeypatch.delenv("CHECKRAIL_PYODIDE", raising=False)
    monkeypatch.setattr(run_vectors.shutil, "which", lambda program: None if program == "npm" else program)
    assert run_vectors.main(["--pyodide"]) == 2
    assert "npm is not installed" in capsys.readouterr().err
    monkeypatch.setattr(run_vectors.shutil, "which", lambda program: program)
    failed = subprocess.CompletedProcess([], 1, "", "the registry is not there")
    monkeypatch.setattr(run_vectors.subprocess, "run", lambda *_, **__: failed)
    assert run_vectors.main(["--pyodide"]) == 2
    assert "the registry is not there" in capsys.readouterr().err
    monkeypatch.setenv("CHECKRAIL_PYODIDE", str(tmp_path))
    assert run_vectors.main(["--pyodide"]) == 2
    assert "no pyodide.mjs" in capsys.readouterr().err


def test_pyodide_agrees(here: dict[str, Any]) -> None:
    """CPython and WebAssembly: all vectors, the same masks and ids, the same bits."""
    try:
        there = run_vectors.run_in_pyodide()
    except run_vectors.Unavailable as reason:
        pytest.skip(f"needs Node and the npm package pyodide: {reason}")
    assert there["platform"] == "emscripten"
    assert there["suites"] == here["suites"]
    assert there["digests"] == here["digests"]
