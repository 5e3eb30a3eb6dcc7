"""The line of a run record: canonical, small, chained, and read back to the letter."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.boundary.evidence.codec import MOST_MEMBERS
from checkrail.boundary.evidence.record import MOST_BYTES, RunRecord, chain_of, read_line, write_line
from checkrail.boundary.evidence.setting import Bounds, Environment
from checkrail.boundary.evidence.types import (
    LARGEST_COUNT,
    ChatTemplate,
    Code,
    CodeCount,
    Digest,
    Extremes,
    FiveNumbers,
    Id,
    Implementation,
    Kernel,
    OutputKind,
    Platform,
    Stop,
    Version,
)
from checkrail.errors import CATALOGUE, Error
from run_records import example

ids = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=26, max_size=26)
counts = st.integers(0, LARGEST_COUNT)
digests = st.binary(min_size=32, max_size=32).map(lambda data: Digest(data.hex()))
codes = st.sampled_from(sorted(CATALOGUE)).map(Code)
versions = st.builds(Version, counts, counts, counts)
code_counts = st.lists(st.builds(CodeCount, codes, counts), max_size=MOST_MEMBERS // 2).map(tuple)
five = st.none() | st.builds(FiveNumbers, *[counts] * 5)
records = st.builds(
    RunRecord,
    session=ids.map(lambda text: Id(f"se_{text}")),
    run=ids.map(lambda text: Id(f"rn_{text}")),
    hour=st.integers(0, 10**6).map(lambda hour: hour * 3600),
    environment=st.builds(
        Environment,
        versions,
        st.sampled_from(Implementation),
        versions,
        st.sampled_from(Platform),
        st.sampled_from(Kernel),
    ),
    model_sha256=st.none() | digests,
    tokenizer_sha256=digests,
    template=st.sampled_from(ChatTemplate),
    kind=st.sampled_from(OutputKind),
    grammar_tag=st.none() | digests,
    bounds=st.builds(Bounds, counts, st.none() | counts, counts, st.none() | counts, st.none() | counts),
    prompt_tokens=counts,
    output_tokens=counts,
    output_bytes=counts,
    allowed_tokens=st.none() | st.builds(Extremes, counts, counts),
    mask_microseconds=five,
    model_microseconds=five,
    sample_microseconds=five,
    total_microseconds=counts,
    utf8_held=counts,
    stop=st.sampled_from(Stop),
    complete=st.booleans(),
    code=st.none() | codes,
    notices=code_counts,
    faults=code_counts,
    faults_not_listed=counts,
)


@given(records, st.binary(max_size=40))
def test_a_line_is_read_back_to_the_letter(record: RunRecord, before: bytes) -> None:
    line = write_line(record, before)
    assert read_line(line) == (record, chain_of(record, before))
    assert line.isascii(), "no character is ever escaped or beyond ASCII, so a line is a line"
    assert b"\\" not in line
    assert b"\n" not in line


@given(records)
def test_a_line_is_canonical_json(record: RunRecord) -> None:
    line = write_line(record, b"")
    again = json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode()
    assert line == again


def flags_of_a_run() -> list[str]:
    """Those on a prompt's insertions come in turns only, and `check` alone says what a schema would be otherwise."""
    others = [code for code, row in CATALOGUE.items() if row.area == "context" or code.startswith("LINT_")]
    return [code for code, row in CATALOGUE.items() if row.severity == "W" and code not in others]


def test_the_largest_record_fits() -> None:
    """Every field at its widest. The digits of all counts, the longest words, as many codes as there may be."""
    longest = max(CATALOGUE, key=len)
    code_counts = (CodeCount(Code(longest), LARGEST_COUNT),) * MOST_MEMBERS
    most, version = FiveNumbers(*[LARGEST_COUNT] * 5), Version(*[LARGEST_COUNT] * 3)
    record = dataclasses.replace(
        example(),
        environment=Environment(version, Implementation.CPYTHON, version, Platform.BROWSER, Kernel.INTERPRETED),
        model_sha256=Digest("c" * 64),
        bounds=Bounds(*[LARGEST_COUNT] * 5),
        prompt_tokens=LARGEST_COUNT,
        output_tokens=LARGEST_COUNT,
        output_bytes=LARGEST_COUNT,
        allowed_tokens=Extremes(*[LARGEST_COUNT] * 2),
        mask_microseconds=most,
        model_microseconds=most,
        sample_microseconds=most,
        total_microseconds=LARGEST_COUNT,
        utf8_held=LARGEST_COUNT,
        stop=Stop.GRAMMAR_COMPLETE,
        code=Code(longest),
        notices=tuple(CodeCount(Code(code), LARGEST_COUNT) for code in flags_of_a_run()),
        faults=code_counts,
        faults_not_listed=LARGEST_COUNT,
    )
    assert len(write_line(record, b"")) < MOST_BYTES
    with pytest.raises(Error, match="EVIDENCE_TYPE"):
        write_line(dataclasses.replace(record, notices=code_counts), b"")


def test_all_codes_that_a_run_can_count_fit() -> None:
    """Faults of one report are either one of JSON or any of these; notices are flags on a success."""
    faults = [code for code in CATALOGUE if code.startswith(("SCHEMA_", "SEMANTIC_"))]
    assert len(faults) <= MOST_MEMBERS
    assert sum(row.severity == "W" for row in CATALOGUE.values()) <= MOST_MEMBERS


def test_the_chain_is_what_the_documents_say() -> None:
    first = write_line(example(), b"")
    second = write_line(example(), first)

    def by_hand(before: bytes, line: bytes) -> str:
        data = json.loads(line)
        del data["chain"]
        return hashlib.sha256(before + json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    assert json.loads(first)["chain"] == by_hand(b"", first)
    assert json.loads(second)["chain"] == by_hand(first, second)
    assert first != second


@pytest.mark.parametrize("hour", [1, 3599, 253_402_300_800])
def test_an_hour_is_whole_and_before_the_year_10000(hour: int) -> None:
    with pytest.raises(ValueError, match="whole hour"):
        dataclasses.replace(example(), hour=hour)


def changed(**changes: Any) -> bytes:
    data = json.loads(write_line(example(), b""))
    data.update(changes)
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"", "Not valid JSON"),
        (b"[]", "not an object"),
        (b"{}", "chain: not a digest"),
        (changed(chain=3), "chain: not a digest"),
        (changed(chain=["a" * 64]), "chain: not a digest"),
        (changed(evidence="run/2"), "evidence: not a word"),
        (changed(hour=1), "whole hour"),
        (changed(output_tokens=10**15 * 10), "output_tokens: not a count|integer"),
        (changed(output="the text"), "not known"),
        (write_line(example(), b"").replace(b",", b", ", 1), "canonical"),
        (write_line(example(), b"") + b" ", "canonical"),
        (b'{"a":' * 9 + b"1" + b"}" * 9, "Nested deeper"),
        (b'{"chain":"' + b"a" * 64 + b'","chain":"' + b"b" * 64 + b'"}', "twice"),
        (b"\xff", "UTF-8"),
        (changed(code="A" * MOST_BYTES), "longer than 4096"),
    ],
)  # fmt: skip
def test_another_line_is_refused(line: bytes, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        read_line(line)


def test_the_representation_is_short() -> None:
    assert repr(example()) == f"<RunRecord rn_{'1' * 26} failed, 17 tokens>"
