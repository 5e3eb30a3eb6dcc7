"""The generated reference pages say what the code says."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import generate_docs
from checkrail.errors import CATALOGUE
from checkrail.limits import Limits


def test_pages_are_current() -> None:
    assert generate_docs.outdated() == [], "run `make docs`"


def test_every_code_and_every_limit_has_its_row() -> None:
    errors, limits = generate_docs.errors_page(), generate_docs.limits_page()
    assert all(f"| `{code}` |" in errors for code in CATALOGUE)
    defaults = {field.name: field.default for field in dataclasses.fields(Limits)}
    assert defaults.pop("nesting") is None
    assert "| `nesting` | by profile |" in limits
    assert all(f"| `{name}` | {default:,.12g} |" in limits for name, default in defaults.items())


def test_every_command_is_described() -> None:
    page = generate_docs.commands_page()
    for command in ("checkrail", "checkrail demo", "checkrail extract", "checkrail models install"):
        assert f"## {command}\n" in page
        assert f"Usage: {command} " in page


def test_check_names_the_outdated_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate_docs, "DOCS", tmp_path)
    assert generate_docs.run([]) == 0
    assert generate_docs.run(["--check"]) == 0
    page = tmp_path / "reference" / "limits.md"
    page.write_text(page.read_text("utf-8") + "x", encoding="utf-8")
    assert generate_docs.run(["--check"]) == 1
    assert "docs/reference/limits.md is not current" in capsys.readouterr().err


def test_cells_keep_their_bars() -> None:
    assert generate_docs.table(("a",), [("x | y",)]) == "| a |\n| --- |\n| x \\| y |"
