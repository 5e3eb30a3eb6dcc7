"""The page of conformance: current, and about tests that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import conformance
import vector_suites

ROWS, FIGURES = conformance.read_table()


def functions_of(path: Path) -> set[str]:
    return {node.name for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.part)
def test_the_tests_of_a_row_exist(row: conformance.Row) -> None:
    for test in row.tests:
        file, _, function = test.partition("::")
        path = conformance.ROOT / file
        assert path.exists(), file
        assert not function or function in functions_of(path), test
        assert path.is_file() or list(path.rglob("test_*.py")), file


def test_every_suite_of_vectors_is_counted_in_a_row() -> None:
    named = {name for row in ROWS for name in conformance._PLACE.findall(row.ci)}
    assert named == set(vector_suites.SUITES)


def test_the_page_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert conformance.main(["--check"]) == 0, capsys.readouterr().out


def test_an_outdated_page_is_told_and_written_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(conformance, "SUITES", {"mine": lambda: [("a", 1, 1), ("b", 1, 1)]})
    monkeypatch.setattr(conformance, "PAGE", tmp_path / "page.md")
    rows = [conformance.Row("part", ("tests/tools/test_conformance.py",), "by hand", "{mine} vectors")]
    figures = [conformance.Figure("much", "make much", "nothing")]
    monkeypatch.setattr(conformance, "read_table", lambda: (rows, figures))
    assert conformance.main(["--check"]) == 1
    assert "outdated" in capsys.readouterr().out
    assert conformance.main([]) == 0
    assert conformance.main(["--check"]) == 0
    text = (tmp_path / "page.md").read_text("utf-8")
    assert "| part | `tools/test_conformance.py` | by hand | 2 vectors | the same |" in text
    assert "| much | `make much` | nothing |" in text
