"""The benchmark harness runs and counts rightly. No time is asserted anywhere: only what is done with times."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

pytest.importorskip("resource", reason="the benchmarks need a POSIX system")

import run
from checkrail.earley.recognizer import Recognizer
from checkrail.grammar.lark import parse_lark
from side_by_side import figures, growth, machine, maskbench, micro, plot, table
from side_by_side.driver import Conditions, Worker, WorkerError, measure
from side_by_side.job import Job
from side_by_side.replay import _without_waiting
from side_by_side.results import Results
from side_by_side.token_table import TokenTable

CONDITIONS = Conditions(None, core=None, memory=None)
JOBS = [
    Job("good#0", "schema", "true", (("[1]", True), ("[2", False))),
    Job("bad#0", "schema", "false", (("[1]", True),)),
]


def text(*, valid: bool = True, accepted: bool = True, tbm: tuple[int, ...] = (2_000, 4_000)) -> dict[str, Any]:
    return {"valid": valid, "accepted": accepted, "tbm_ns": list(tbm), "end_ns": 1_000}


def compiled(name: str, *texts: dict[str, Any], ttfm: float = 100.0, **more: Any) -> dict[str, Any]:
    return {"id": name, "status": "ok", "ttfm_us": ttfm, "texts": list(texts), **more}


# --- workers


@pytest.fixture(scope="module")
def harness_records() -> list[dict[str, Any]]:
    return list(measure("micro", ["null"], JOBS, CONDITIONS))


def test_worker_answers_each_job(harness_records: list[dict[str, Any]]) -> None:
    about, good, bad = harness_records
    assert about["about"]["vocabulary"] == 257
    assert [t["tokens"] for t in good["texts"]] == [3, 2]
    assert [len(t["tbm_ns"]) for t in good["texts"]] == [3, 2]
    assert all(t["accepted"] for t in good["texts"])  # the null engine allows everything
    assert good["ttfm_us"] >= good["compile_us"] > 0
    assert (bad["status"], bad["error"]) == ("refused", "ValueError: nothing is valid")


def test_worker_that_takes_too_long_is_stopped() -> None:
    with Worker("null", Conditions(None, core=None, memory=None, timeout=0)) as worker:
        assert worker.run(JOBS[0]) == {"id": "good#0", "status": "timeout", "texts": []}
        assert not worker.alive


def test_worker_that_dies_is_told() -> None:
    with Worker("null", CONDITIONS) as worker:
        worker._process.kill()
        assert worker.run(JOBS[0]) == {"id": "good#0", "status": "crash", "texts": [], "error": "exit SIGKILL"}


def test_engine_that_cannot_start_is_told_and_left_out() -> None:
    conditions = Conditions(None, core=None, memory=None, options={"profile": "no such profile"})
    with pytest.raises(WorkerError, match="INPUT_FORMAT"):
        Worker("checkrail", conditions)
    first, *others = measure("micro", ["checkrail"], JOBS, conditions)
    assert "INPUT_FORMAT" in first["absent"]
    assert others == []


def test_checkrail_is_right_about_a_small_schema() -> None:
    schema = '{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}'
    job = Job("small", "schema", schema, (('{"a": 12}', True), ('{"a": "x"}', False), ("{}", False)))
    with Worker("checkrail", CONDITIONS) as worker:
        record = worker.run(job)
    assert [t["accepted"] for t in record["texts"]] == [True, False, False]
    assert [t.get("at") for t in record["texts"]] == [None, 6, 1]
    assert figures.outcomes([record])["all instances decided rightly"] == 1


def test_waiting_is_taken_from_the_longer_part() -> None:
    assert _without_waiting(10, 30, 25, True) == (10, 15)
    assert _without_waiting(30, 10, 25, True) == (15, 10)
    assert _without_waiting(10, 30, 25, False) == (10, 30)


# --- vocabularies and cases


def test_first_tokens_are_a_vocabulary_again() -> None:
    whole = TokenTable((*(bytes([b]) for b in range(256)), b"<s>", b"ab", b"abc", b"<end>"), frozenset([256, 259]), 259)
    part = whole.first(257)
    assert part.tokens[256:] == (b"ab", b"<end>")
    assert (part.end, part.special, len(part), part.words) == (257, {257}, 258, 9)
    assert part.encode("abc") == [256, ord("c")]
    assert whole.encode("xabc") == [ord("x"), 258]
    assert whole.first(258) is whole


@pytest.mark.parametrize(
    "job", [*micro.jobs(1), *growth.jobs(1), *growth.vocabulary_jobs(8_192, 1)], ids=lambda j: j.id
)
def test_texts_of_a_case_are_what_it_says(job: Job) -> None:
    for content, valid in job.texts:
        if job.kind == "regex":
            assert bool(re.fullmatch(job.source, content)) == valid
        elif job.kind == "lark":
            assert Recognizer.of(parse_lark(job.source)).push_bytes(content.encode()) == valid
        elif "deep" not in job.id:  # jsonschema recurses; the depth is the point
            value = json.loads(content)
            assert jsonschema.Draft202012Validator(json.loads(job.source)).is_valid(value) == valid


def test_a_case_comes_once_for_each_repetition() -> None:
    identifiers = [job.id for job in micro.jobs(2)]
    assert len(set(identifiers)) == len(identifiers) == 2 * len(micro.jobs(1))


def test_maskbench_takes_a_sample_with_valid_instances_first(tmp_path: Path) -> None:
    tests = [{"valid": False, "data": 1}, {"valid": True, "data": "é"}]
    for n in range(40):
        (tmp_path / f"{n}.json").write_text(json.dumps({"schema": {"type": "string"}, "tests": tests}), "utf-8")
    assert len(maskbench.jobs(tmp_path, 1)) == 40
    assert 0 < len(maskbench.jobs(tmp_path, 4)) < 25
    assert maskbench.jobs(tmp_path, 1)[0].texts == (('"é"', True), ("1", False))


# --- figures


def test_percentiles_are_of_the_nearest_rank() -> None:
    hundred = [float(n) for n in range(100)]
    assert [figures.percentile(hundred, p) for p in (0, 50, 99, 99.9)] == [0, 50, 99, 99]
    assert figures.statistics(hundred)["mean"] == 49.5


def test_times_count_valid_and_accepted_texts() -> None:
    record = compiled("a", text(), text(valid=False), text(accepted=False), text(tbm=(1_000,)))
    found = figures.times([record, {"id": "b", "status": "refused"}], figures.Selection())
    assert found == {"TTFM": [100.0], "TBM": [1.0, 2.0, 4.0], "document": [107.0]}


def test_common_selection_is_what_all_accept() -> None:
    one = [compiled("a", text(), text()), compiled("b", text())]
    two = [compiled("a", text(accepted=False), text(tbm=(9_000,))), {"id": "b", "status": "timeout", "texts": []}]
    common = figures.Selection.common([one, two])
    assert common == figures.Selection(frozenset({"a"}), frozenset({("a", 1)}))
    assert figures.times(one, common) == {"TTFM": [100.0], "TBM": [2.0, 4.0], "document": []}
    assert figures.times(two, common) == {"TTFM": [100.0], "TBM": [9.0], "document": []}


def test_outcomes_tell_wrong_masks_from_parts_left_out() -> None:
    wrong = text(valid=False, accepted=True)
    records = [
        compiled("a", text(), left_to_check=0, peak_mb=7),
        compiled("b", wrong, left_to_check=2),
        compiled("c", wrong, text(accepted=False), left_to_check=0),
        {"id": "d", "status": "refused"},
    ]
    counted = figures.outcomes(records)
    assert counted["schemas"] == 4
    assert counted["all instances decided rightly"] == 1
    assert counted["refused"] == 1
    assert counted["compiled, parts left to a later check"] == 1
    assert (counted["valid instances"], counted["valid instances refused"]) == (2, 1)
    assert (counted["invalid instances"], counted["invalid instances accepted"]) == (2, 2)
    assert counted["of these, by masks that leave nothing to a check"] == 1
    assert counted["peak memory, MB"] == 7


# --- reports


def results() -> Results:
    made = Results(conditions=machine.note("python run.py"))
    for engine, tbm in (("checkrail", 1_000), ("llguidance", 4_000)):
        about = {"version": "1", "vocabulary": 257, "prepare_s": 0.5, "prepare_mb": 3}
        made.add({"part": "maskbench", "engine": engine, "about": about})
        made.add({"part": "maskbench", "engine": engine, **compiled("a", text(tbm=(tbm,)))})
    made.add({"part": "micro", "engine": "checkrail", **compiled("x#0", text())})
    made.add({"part": "micro", "engine": "llguidance", "id": "x#0", "status": "refused", "error": "no | such\nthing"})
    made.add({"model": {"absent": "MODEL_MISSING"}})
    return made


def test_table_has_ratios_beside_figures() -> None:
    lines = table.markdown(results()).splitlines()
    assert "| TBM p50 | 1 (0.25) | 4 (1.00) |" in lines
    assert "| x | 100 / 4 / 4 | refused: no / such thing |" in lines
    assert "Not measured: MODEL_MISSING." in lines
    grids = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in grids} == {4, 6}  # two engines, or the five columns of the preparation


def test_common_only_leaves_out_unlike_work() -> None:
    title = "### Each engine on the schemas and instances it accepts"
    assert title in table.markdown(results())
    assert title not in table.markdown(results(), common_only=True)


def test_plot_is_xml_with_a_row_for_each_engine_and_measure() -> None:
    made = results()
    times = {n: figures.times(r, figures.Selection()) for n, r in made.engines("maskbench").items()}
    root = ElementTree.fromstring(plot.svg(times, "a < b"))
    written = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert written.count("checkrail") == written.count("llguidance") == 3
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 6


@pytest.fixture
def without_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No vocabulary and no MaskBench; the output folder."""
    monkeypatch.setenv("CHECKRAIL_DATA", str(tmp_path / "nothing"))
    monkeypatch.setattr(sys, "argv", ["benchmarks/run.py"])
    return tmp_path / "out"


def test_one_command_writes_all_and_reports_again(
    without_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs: Callable[[int], list[Job]] = lambda repeat: JOBS  # noqa: E731
    monkeypatch.setattr(micro, "jobs", jobs)
    run.main(["--engines", "null", "--only", "maskbench,micro", "--out", str(without_data)])
    printed = capsys.readouterr()
    assert "maskbench: left out" in printed.err
    assert "| bad | refused: ValueError: nothing is valid |" in printed.out
    summary = json.loads((without_data / "summary.json").read_text("utf-8"))
    assert summary["micro"]["good"]["null"]["accepted"] is True
    assert summary["engines"]["null"]["vocabulary"] == 257
    run.main(["--report", str(without_data)])
    assert capsys.readouterr().out == printed.out


def test_engine_that_is_not_installed_is_an_error(without_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("side_by_side.registry.installed", lambda name: name != "xgrammar")
    with pytest.raises(SystemExit, match="not installed: xgrammar"):
        run.main(["--engines", "null,xgrammar", "--out", str(without_data)])


def test_unknown_names_are_errors(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main(["--engines", "nobody"])
    assert "'nobody' is none of checkrail, checkrail-earley, llguidance" in capsys.readouterr().err
