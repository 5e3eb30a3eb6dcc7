"""`checkrail models` and `checkrail doctor`, without fetching anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail.models import catalog

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]
ENTRY = catalog.CATALOG[0]


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))


def test_nothing_is_installed(program: Program, lines: Lines) -> None:
    result = program("models", "list")
    assert result.exit_code == 0
    assert f"{ENTRY.name}  98 MB  Apache-2.0  not installed" in result.stdout
    (data,) = lines(program("models", "list", "--json").stdout)
    assert (data["installed"], data["path"], data["sha256"]) == (False, None, ENTRY.sha256)
    missing = program("models", "path")
    assert missing.exit_code == 3
    assert "checkrail models install" in missing.stderr
    assert program("models", "remove").exit_code == 1


def test_install_reports_and_prints_the_path_as_data_only_as_json(
    program: Program, lines: Lines, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def install(name: str, progress: Callable[[str, int, int], None]) -> Path:
        progress("download", 1, 2)
        return tmp_path / name

    monkeypatch.setattr(catalog, "install", install)
    result = program("models", "install")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "fetching" in result.stderr
    assert "is installed" in result.stderr
    assert program("models", "install", "--quiet").stderr == ""
    (data,) = lines(program("models", "install", "smollm2", "--json").stdout)
    assert data["path"] == str(tmp_path / "smollm2")


def test_remove_and_path(program: Program) -> None:
    ENTRY.path.parent.mkdir(parents=True)
    with ENTRY.path.open("wb") as file:
        file.truncate(ENTRY.size)
    assert program("models", "path").stdout == f"{ENTRY.path}\n"
    assert program("models", "remove").exit_code == 0
    assert not ENTRY.path.exists()


def test_an_unknown_model_is_wrong_usage(program: Program) -> None:
    for command in ("install", "remove", "path"):
        assert program("models", command, "nonsense").exit_code == 2


def test_doctor_names_what_is_missing_and_how_to_get_it(program: Program, lines: Lines) -> None:
    result = program("doctor")
    assert result.exit_code == 1
    assert "checkrail models install" in result.stdout
    items = {item["name"]: item for item in lines(program("doctor", "--json").stdout)}
    assert items["model"]["state"] == "missing"
    assert {
        "checkrail",
        "python",
        "click",
        "numpy",
        "pydantic",
        "rich",
        "xllamacpp",
        "kernel",
        "llama.cpp",
        "threads",
    } <= set(items)


def test_doctor_sees_a_wrong_model_file(program: Program, lines: Lines) -> None:
    ENTRY.path.parent.mkdir(parents=True)
    ENTRY.path.write_bytes(b"not a model")
    items = {item["name"]: item for item in lines(program("doctor", "--json").stdout)}
    assert items["model"]["state"] == "broken"
    assert "sha256" in items["model"]["detail"]


def test_doctor_sees_the_kernel(program: Program, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    def kernel() -> dict[str, Any]:
        return next(item for item in lines(program("doctor", "--json").stdout) if item["name"] == "kernel")

    monkeypatch.setattr("checkrail.mask.kernel.stale", lambda: None)
    monkeypatch.setattr("checkrail.mask.kernel.mode", lambda: "interpreted")
    assert kernel()["state"] == "slow"
    assert "compiler" in kernel()["remedy"]
    monkeypatch.setattr("checkrail.mask.kernel.mode", lambda: "compiled")
    assert kernel()["state"] == "ok"
    monkeypatch.setattr("checkrail.mask.kernel.stale", lambda: "built from another version")
    assert kernel()["state"] == "broken"


def test_doctor_without_a_runtime(program: Program, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checkrail.models.llama_library._candidates", lambda: iter(()))
    items = {item["name"]: item for item in lines(program("doctor", "--json").stdout)}
    assert items["llama.cpp"]["state"] == "missing"
    assert "pip install 'checkrail[local]'" in items["llama.cpp"]["remedy"]
