"""The vectors are what their script writes, and the library answers as they say."""

from __future__ import annotations

import runpy
from pathlib import Path

import reinsert_suites

FOLDER = Path(__file__).resolve().parents[3] / "conformance" / "reinsert"


def test_the_committed_vectors_are_what_the_script_writes() -> None:
    for name, content in runpy.run_path(str(FOLDER / "generate.py"), run_name="conformance")["files"]().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == content, name


def test_each_vector() -> None:
    cases = list(reinsert_suites.reinsert_cases())
    assert len(cases) >= 460
    assert [name for name, wanted, found in cases if wanted != found] == []
