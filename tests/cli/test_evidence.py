"""`--evidence` of `generate` and `extract`, and `checkrail doctor --evidence`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from checkrail import Evidence, read_evidence
from checkrail.boundary.evidence.turn import CallRecord, Questions, TurnRecord
from checkrail.boundary.evidence.types import (
    CallEnd,
    Capability,
    Code,
    CodeCount,
    Digest,
    Effects,
    FiveNumbers,
    Id,
    IsolationLevel,
    Level,
    Stop,
    TurnStop,
)
from checkrail.cli.evidence_totals import Totals
from checkrail.models.scripted import ScriptedModel
from run_records import example

Program = Callable[..., Result]
Says = Callable[..., ScriptedModel]
Lines = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.jsonl"


def test_generate_adds_a_line(program: Program, says: Says, path: Path) -> None:
    says("999")
    for _ in range(2):
        done = program("generate", "n", "--schema", '{"type": "integer", "maximum": 9}', "--evidence", path)
        assert (done.exit_code, done.stdout) == (1, "999\n")
    records = list(read_evidence(path))
    assert [str(fault.code) for record in records for fault in record.faults] == ["SEMANTIC_RANGE"] * 2
    assert len({record.session for record in records}) == 2


def test_extract_adds_a_line_for_each_row(program: Program, says: Says, path: Path, tmp_path: Path) -> None:
    says('{"n": 7}')
    documents = tmp_path / "in.jsonl"
    documents.write_text('{"text": "one"}\n{"text": "two"}\n{}\n')
    done = program("extract", documents, "--schema", "n int", "--evidence", path)
    assert done.exit_code == 4
    records = list(read_evidence(path))
    assert [record.complete for record in records] == [True, True]
    assert len({record.session for record in records}) == 1


def test_nothing_of_what_was_asked_or_written_is_in_it(
    program: Program, says: Says, path: Path, tmp_path: Path
) -> None:
    says('{"kind": "gallbladder", "n": 77}')
    properties = {"kind": {"enum": ["gallbladder"]}, "n": {"type": "integer", "maximum": 9}}
    schema = json.dumps({"properties": properties, "required": ["kind", "n"]})
    document = tmp_path / "Miller.txt"
    document.write_text("a private document", encoding="utf-8")
    program("generate", "a private prompt", "--system", "a private role", "--schema", schema, "--evidence", path)
    program("extract", document, "--schema", schema, "--evidence", path)
    lines = path.read_bytes().splitlines()
    assert len(lines) == 2
    assert all(b"SEMANTIC_RANGE" in line for line in lines)
    for word in (b"private", b"gallbladder", b"77}", b'kind"', b"Miller", str(tmp_path).encode()):
        assert not any(word in line.replace(b'"kind":"json"', b"") for line in lines), word


def test_a_file_that_cannot_be_written_is_refused_before_the_model_is_loaded(
    program: Program, says: Says, tmp_path: Path
) -> None:
    done = program("generate", "n", "--evidence", tmp_path, "--model", "/no/such/model")
    assert done.exit_code == 3
    assert "OUTPUT_WRITE" in done.stderr


def test_doctor_adds_up(program: Program, says: Says, path: Path, lines: Lines) -> None:
    says("12345")
    program("generate", "n", "-n", 3, "--evidence", path)
    program("generate", "n", "-n", 9, "--evidence", path)
    program("generate", "n", "--schema", '{"type": "integer", "maximum": 9}', "--evidence", path)
    (totals,) = lines(program("doctor", "--evidence", path, "--json").stdout)
    assert (totals["runs"], totals["sessions"], totals["complete"], totals["with_faults"]) == (3, 3, 2, 1)
    assert (totals["output_tokens"], totals["output_bytes"]) == (13, 13)
    assert totals["codes"] == {"BUDGET_TOKENS": 1}
    assert totals["faults"] == {"SEMANTIC_RANGE": 1}
    assert sum(totals["stops"].values()) == 3
    assert totals["stops"]["max_tokens"] == 1
    assert totals["mask_microseconds"]["median"] <= totals["mask_microseconds"]["greatest"]
    plain = program("doctor", "--evidence", path).stdout
    assert "runs         3 in 3 sessions, 20" in plain
    assert "codes        BUDGET_TOKENS 1\n" in plain
    assert "notices" not in plain


def test_doctor_refuses_a_changed_file(program: Program, says: Says, path: Path) -> None:
    says("7")
    program("generate", "n", "--evidence", path)
    path.write_bytes(path.read_bytes().replace(b'"complete":true', b'"complete":false'))
    done = program("doctor", "--evidence", path)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "EVIDENCE_FORMAT" in done.stderr
    assert "line 1" in done.stderr


def test_doctor_of_no_file_and_of_no_runs(program: Program, path: Path, lines: Lines) -> None:
    assert program("doctor", "--evidence", path).exit_code == 3
    Evidence(path).close()
    assert program("doctor", "--evidence", path).stdout == (
        "runs         0 in 0 sessions\n"
        "complete     0, of them 0 with faults\n"
        "output       0 tokens, 0 bytes, after 0 tokens of prompts\n"
    )
    (totals,) = lines(program("doctor", "--evidence", path, "--json").stdout)
    assert (totals["runs"], totals["hours"], totals["mask_microseconds"]) == (0, [], None)


def test_totals_by_hand() -> None:
    totals = Totals()
    late = dataclasses.replace(
        example(),
        session=Id("se_" + "2" * 26),
        hour=example().hour + 3600,
        stop=Stop.EOS,
        complete=True,
        code=None,
        mask_microseconds=FiveNumbers(1, 2, 30, 40, 500),
        total_microseconds=7_100,
        utf8_held=2,
        faults=(CodeCount(Code("SEMANTIC_RANGE"), 4), CodeCount(Code("SEMANTIC_UNIQUE"), 1)),
        notices=(CodeCount(Code("LOGITS_NAN"), 6),),
    )
    for record in (example(), example(), late):
        totals.add(record)
    found = dict(totals.lines())
    assert found == {
        "runs": "3 in 2 sessions, 2026-11-30 07:00 to 2026-11-30 08:00 UTC",
        "complete": "1, of them 1 with faults",
        "output": "51 tokens, 75 bytes, after 72 tokens of prompts",
        "cut": "1 within a character",
        "versions": "0.1.0 3",
        "stops": "failed 2, eos 1",
        "codes": "BACKEND_FAILED 2",
        "notices": "LOGITS_NAN 8",
        "faults": "SEMANTIC_RANGE 4, SEMANTIC_UNIQUE 1",
        "mask": "3 us (median of medians), at most 500 us",
        "model": "3 us (median of medians), at most 5 us",
        "sample": "3 us (median of medians), at most 5 us",
        "whole run": "5 ms (median), at most 7 ms",
    }
    data = json.loads(json.dumps(totals.to_json()))
    assert data["hours"] == [example().hour, late.hour]
    assert (data["prompt_tokens"], data["within_a_character"]) == (72, 1)
    assert data["total_microseconds"] == {"median": 4764, "greatest": 7100}
    assert "turns" not in data


def turn(**changes: Any) -> TurnRecord:
    """A turn in which a write was made after a question."""
    run = example()
    call = CallRecord(
        tool_tag=Digest("c" * 64),
        args_tag=Digest("d" * 64),
        capability=Capability.WRITE,
        state=CallEnd.DONE,
        effects=Effects.COMPLETED,
        code=None,
        isolation=IsolationLevel.LIMITS,
        run_ms=12,
        args_bytes=20,
        result_bytes=5,
        result_tokens=40,
        truncated=False,
    )
    denied = dataclasses.replace(
        call, state=CallEnd.DENIED, effects=Effects.NONE, code=Code("AUTH_DENIED_USER"), run_ms=0, truncated=True
    )
    record = TurnRecord(
        session=run.session,
        run=run.run,
        hour=run.hour,
        environment=run.environment,
        model_sha256=None,
        tokenizer_sha256=run.tokenizer_sha256,
        template_sha256=Digest("e" * 64),
        grammar_tag=Digest("b" * 64),
        bounds=run.bounds,
        level=Level.AUTO_READ,
        steps=3,
        prompt_tokens=100,
        output_tokens=30,
        mask_microseconds=5,
        model_microseconds=50,
        total_microseconds=60,
        stop=TurnStop.ANSWERED,
        code=None,
        calls=(call, denied),
        calls_not_listed=1,
        questions=Questions(asked=2, approved=1, denied=1, expired=0, milliseconds=None),
        sources=1,
        source_tokens=77,
        notices=(),
    )
    return dataclasses.replace(record, **changes)


def test_turns_are_told_apart_from_runs(path: Path, program: Program, lines: Lines) -> None:
    with Evidence(path) as evidence:
        evidence.emit(dataclasses.replace(example(), session=evidence.session))
        evidence.emit(turn(session=evidence.session))
        failed = {"stop": TurnStop.FAILED, "code": Code("BACKEND_FAILED"), "calls": (), "calls_not_listed": 0}
        evidence.emit(turn(session=evidence.session, **failed))
    (totals,) = lines(program("doctor", "--evidence", path, "--json").stdout)
    assert (totals["runs"], totals["prompt_tokens"], totals["output_tokens"]) == (1, 224, 77)
    assert totals["codes"] == {"BACKEND_FAILED": 2}
    turns = totals["turns"]
    assert (turns["turns"], turns["steps"], turns["calls"], turns["calls_not_listed"]) == (2, 6, 2, 1)
    assert turns["questions"] == {"asked": 4, "approved": 2, "denied": 2, "expired": 0}
    assert turns["states"] == {"done": 1, "denied": 1}
    assert turns["call_codes"] == {"AUTH_DENIED_USER": 1}
    assert (turns["truncated"], turns["source_tokens"]) == (1, 154)
    assert turns["call_milliseconds"] == {"median": 6, "greatest": 12}
    plain = program("doctor", "--evidence", path).stdout
    assert "turns        2 in 6 steps: answered 1, failed 1\n" in plain
    assert "calls        2 listed, 1 more: done 1, denied 1\n" in plain
    assert "questions    4: approved 2, denied 2, expired 0\n" in plain
    assert "of others    154 tokens, 1 results truncated\n" in plain
