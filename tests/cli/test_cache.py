"""`checkrail cache`: what is kept, why nothing is, and clearing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail.mask import cache, cache_files
from checkrail.vocabulary.vocabulary import Vocabulary

Program = Callable[..., Result]
Lines = Callable[[str], list[dict[str, Any]]]
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), b"ab", None], eos=257)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHECKRAIL_CACHE", str(tmp_path))
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "5")
    monkeypatch.setattr(cache, "MINIMUM_TOKENS", 256)
    monkeypatch.setattr(cache, "_kept", type(cache._kept)())
    return tmp_path / "vocabularies"


def test_an_empty_cache(program: Program, lines: Lines, place: Path) -> None:
    result = program("cache")
    assert (result.exit_code, result.stdout) == (0, f"{place}\n0 files, 0.0 MB of 5.0 MB\n")
    (data,) = lines(program("cache", "--json").stdout)
    assert data["files"] == []
    assert (data["path"], data["size"], data["bound"], data["obstacle"]) == (str(place), 0, 5_000_000, None)
    assert program("cache", "clear").exit_code == 0


def test_what_is_kept_is_shown_the_last_used_first(program: Program, lines: Lines, place: Path) -> None:
    cache.prepare(VOCABULARY)
    (file,) = cache_files.files()
    os.utime(file.path, (1_700_000_000, 1_700_000_000))
    other = file.path.read_bytes()
    for name, data in (("a" * 64, b"nonsense"), ("b" * 64, other[:48] + b"\xff" + other[49:])):
        cache_files.write(f"{name}.1-1.vocabulary", data)
        os.utime(place / f"{name}.1-1.vocabulary", (1_600_000_000, 1_600_000_000))
    text = program("cache").stdout
    first, second, *_ = text.splitlines()[1:]
    assert first.startswith(f"    sha256:{VOCABULARY.fingerprint[:12]}  258 tokens  tables  0.0 MB  used 2023-11-1")
    assert second.startswith("    ")
    assert "of another version" in text
    assert f"{'a' * 64}.1-1.vocabulary  0.0 MB  used 2020-09-1" in text
    assert "damaged" in text
    assert text.endswith("3 files, 0.0 MB of 5.0 MB\n")
    (data,) = lines(program("cache", "--json").stdout)
    assert {f["state"] for f in data["files"]} == {"ready", "damaged", "other"}
    assert data["files"][0] == {
        "name": file.path.name, "size": file.size, "used": "2023-11-14T22:13:20+00:00", "state": "ready",
        "kind": "tables", "fingerprint": VOCABULARY.fingerprint, "tokens": 258,
    }  # fmt: skip
    assert data["size"] == sum(f["size"] for f in data["files"])


def test_clear(program: Program, lines: Lines) -> None:
    cache.prepare(VOCABULARY)
    result = program("cache", "clear")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 file is deleted, 0.0 MB\n"
    assert cache_files.files() == []
    (data,) = lines(program("cache", "clear", "--json").stdout)
    assert (data["removed"], data["size"]) == (0, 0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the system has no owners of files")
def test_why_nothing_is_kept(program: Program, lines: Lines, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.mkdir()
    place.chmod(0o777)
    assert "not in use: it belongs to someone else, or others may write to it" in program("cache").stdout
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "0")
    assert "not in use: CHECKRAIL_CACHE_MB is 0" in program("cache").stdout
    (data,) = lines(program("cache", "--json").stdout)
    assert data["obstacle"] == "CHECKRAIL_CACHE_MB is 0"


def test_a_bound_that_is_no_number(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKRAIL_CACHE_MB", "much")
    result = program("cache")
    assert result.exit_code == 3
    assert "CHECKRAIL_CACHE_MB: must be a number of megabytes" in result.stderr


def test_wrong_usage(program: Program) -> None:
    assert program("cache", "nonsense").exit_code == 2
