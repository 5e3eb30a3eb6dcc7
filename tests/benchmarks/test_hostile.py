"""The hostile inputs of the benchmark: their texts belong to them, and their table says what was measured."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

pytest.importorskip("resource", reason="the benchmarks need a POSIX system")

from side_by_side import hostile, table
from side_by_side.driver import Conditions
from side_by_side.job import Job
from side_by_side.results import Results

CONDITIONS = Conditions(None, core=None, memory=None)


@pytest.mark.parametrize("job", hostile.jobs(), ids=lambda job: job.id)
def test_texts_belong_to_their_grammars(job: Job) -> None:
    texts = {text for text, valid in job.texts if valid}
    assert texts
    for text in texts:
        if job.kind == "schema":
            jsonschema.Draft202012Validator(json.loads(job.source)).validate(json.loads(text))
        elif job.kind == "regex" and "{" not in job.source[:8]:  # nested counts take the backtracking matcher for ever
            assert re.fullmatch(job.source.replace("(a|b|(c|d|(e|f)*)*)*" * 200, "[a-f]*"), text)
    assert Job.from_json(job.to_json()) == job


def test_names_are_given_once() -> None:
    names = [job.id for job in hostile.jobs()]
    assert len(set(names)) == len(names) > 15


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    jobs = hostile.jobs()
    chosen = [next(job for job in jobs if job.kind == "regex"), Job("nothing", "schema", "false", (("1", True),))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hostile, "jobs", lambda: [replace(job) for job in chosen])
        return list(hostile.records(["null"], CONDITIONS))


def test_each_input_has_a_worker_of_its_own(records: list[dict[str, Any]]) -> None:
    assert [("about" in r, r.get("id")) for r in records] == [
        (True, None),
        (False, "((a{0,30}){0,30}){0,30}b"),
        (True, None),
        (False, "nothing"),
    ]
    assert all(r["about"]["peak_mb"] > 0 for r in records if "about" in r)
    assert all(r["peak_mb"] > 0 for r in records if "id" in r)


def test_the_table_tells_time_memory_and_refusals(records: list[dict[str, Any]], tmp_path: Path) -> None:
    lines = [{"conditions": {}}, *records, {"part": "hostile", "engine": "null", "id": "lost", "status": "timeout"}]
    raw = tmp_path / "raw.jsonl"
    raw.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    text = table.markdown(Results.read(raw))
    assert "## Hostile inputs" in text
    assert re.search(r"\| \(\(a\{0,30\}\).* \| [\d.,]+ ms, [\d,]+ MB, slowest step [\d.,e-]+ ms \|", text)
    assert re.search(r"\| nothing \| refused, [\d.,e-]+ ms, [\d,]+ MB \|", text)
    assert "| lost | timeout |" in text
