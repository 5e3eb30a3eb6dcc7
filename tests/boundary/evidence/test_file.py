"""Files of run records: sessions that add to them, and a reader that finds every change."""

from __future__ import annotations

import dataclasses
import errno
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from checkrail import Evidence, read_evidence
from checkrail.boundary.evidence.record import MOST_BYTES, RunRecord
from checkrail.boundary.evidence.types import Digest, Id
from checkrail.errors import Error, InputError
from run_records import example


def record_of(evidence: Evidence) -> RunRecord:
    return dataclasses.replace(example(), session=evidence.session, run=Id.new("rn"))


def write(path: Path, runs: int) -> list[RunRecord]:
    """One session of so many runs."""
    with Evidence(path) as evidence:
        records = [record_of(evidence) for _ in range(runs)]
        for record in records:
            evidence.emit(record)
    return records


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        list(read_evidence(path))
    assert caught.value.code == "EVIDENCE_FORMAT"
    return caught.value.message


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.jsonl"


def test_what_is_written_is_read(path: Path) -> None:
    records = write(path, 3)
    assert list(read_evidence(path)) == records
    assert path.read_bytes().count(b"\n") == 3


def test_sessions_add_to_one_file(path: Path) -> None:
    records = write(path, 2) + write(path, 1)
    assert list(read_evidence(path)) == records
    assert len({record.session for record in records}) == 2


def test_sessions_may_take_turns(path: Path) -> None:
    with Evidence(path) as one, Evidence(path) as other:
        for evidence in (one, other, one, other, other):
            evidence.emit(record_of(evidence))
    assert [r.session for r in read_evidence(path)] == [s.session for s in (one, other, one, other, other)]


def test_threads_share_a_session(path: Path) -> None:
    with Evidence(path) as evidence:
        threads = [threading.Thread(target=lambda: evidence.emit(record_of(evidence))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert evidence.runs == 20
    assert len(list(read_evidence(path))) == 20


def test_an_empty_session_is_an_empty_file(path: Path) -> None:
    write(path, 0)
    assert list(read_evidence(path)) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_the_file_is_its_owners(path: Path) -> None:
    write(path, 0)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_tags_are_equal_within_a_session_and_nowhere_else(path: Path) -> None:
    with Evidence(path) as one, Evidence(path) as other:
        assert one.tag(b"4711") == one.tag(b"4711")
        assert one.tag(b"4711") != one.tag(b"4712")
        assert one.tag(b"4711") != other.tag(b"4711")
        assert one.tag(b"4711") not in (Digest.of(b"4711"), Digest.keyed(b"", b"4711"))


def test_a_session_that_is_over_writes_nothing(path: Path) -> None:
    evidence = Evidence(path)
    record = record_of(evidence)
    evidence.close()
    evidence.close()
    for use in (lambda: evidence.emit(record), lambda: evidence.tag(b"x"), evidence.require_open):
        with pytest.raises(InputError, match=r"^OUTPUT_WRITE: .* the evidence is closed"):
            use()
    assert path.read_bytes() == b""
    assert evidence._key is None, "the key is forgotten"


def test_a_refused_record_leaves_no_trace(path: Path) -> None:
    with Evidence(path) as evidence:
        evidence.emit(record_of(evidence))
        with pytest.raises(Error, match="EVIDENCE_TYPE"):
            evidence.emit(dataclasses.replace(record_of(evidence), prompt_tokens="the prompt"))  # type: ignore[arg-type]
        evidence.emit(record_of(evidence))
    assert len(list(read_evidence(path))) == 2


def test_a_record_of_another_session_is_refused(path: Path) -> None:
    with Evidence(path) as evidence, pytest.raises(Error, match="field session"):
        evidence.emit(example())
    assert path.read_bytes() == b""


@pytest.mark.parametrize("where", ["", ".", "no/such/folder/file", "nul\0"])
def test_a_file_that_cannot_be_opened(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        Evidence(where)
    assert caught.value.code == "OUTPUT_WRITE"
    assert "folder" not in caught.value.message, "the path may name a person"


def test_a_disk_that_is_full_ends_the_session(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = Evidence(path)
    evidence.emit(record_of(evidence))
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:40]))
    with pytest.raises(InputError, match="half a line"):
        evidence.emit(record_of(evidence))
    monkeypatch.undo()
    with pytest.raises(InputError, match="closed"):
        evidence.emit(record_of(evidence))
    with pytest.raises(InputError, match="last line has no end"):
        Evidence(path)
    assert "line 2: the line has no end" in refusal(path)


def test_a_write_that_fails_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    evidence = Evidence(path)
    monkeypatch.setattr(os, "write", fail)
    with pytest.raises(InputError, match="evidence: no space left on device"):
        evidence.emit(record_of(evidence))


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/fd")
def test_a_pipe_takes_records() -> None:
    read_end, write_end = os.pipe()
    with Evidence(f"/dev/fd/{write_end}") as evidence:
        evidence.emit(record_of(evidence))
    assert os.read(read_end, MOST_BYTES).endswith(b"\n")
    os.close(read_end)
    os.close(write_end)


# --- reading


def test_what_cannot_be_read(tmp_path: Path) -> None:
    for where, code in (
        (tmp_path / "none", "INPUT_MISSING"),
        (tmp_path, "INPUT_UNREADABLE"),
        ("\0", "INPUT_UNREADABLE"),
    ):
        with pytest.raises(InputError) as caught:
            list(read_evidence(where))
        assert caught.value.code == code


def test_a_changed_byte_is_found(path: Path) -> None:
    """Bytes of two records (each in a thorough run), replaced by a neighbour: never is another record read."""
    write(path, 2)
    data = path.read_bytes()
    changed = path.with_name("changed.jsonl")
    for at in range(0, len(data), 1 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 11):
        changed.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        refusal(changed)


@pytest.mark.parametrize(
    ("order", "line"),
    [((1, 2), 1), ((0, 2), 2), ((0, 2, 1), 2), ((0, 0, 1, 2), 2), ((1, 0, 2), 1)],
    ids=["first left out", "middle left out", "swapped", "repeated", "swapped first"],
)
def test_lines_that_were_moved_are_found(path: Path, order: tuple[int, ...], line: int) -> None:
    write(path, 3)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[index] for index in order))
    assert f"line {line}: the record does not follow" in refusal(path)


def test_what_the_chain_does_not_find(path: Path) -> None:
    """Stated in the documents: lines missing at the end, and a session missing as a whole."""
    first, second = write(path, 2), write(path, 1)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0])
    assert list(read_evidence(path)) == first[:1]
    path.write_bytes(lines[2])
    assert list(read_evidence(path)) == second


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\n", "line 1: Not valid JSON"),
        (b"x" * MOST_BYTES * 3, "line 1: longer than 4096 bytes"),
        (b"{}", "line 1: the line has no end"),
    ],
)
def test_other_files_are_refused(path: Path, data: bytes, what: str) -> None:
    path.write_bytes(data)
    assert what in refusal(path)


def test_line_ends_of_another_system_are_found(path: Path) -> None:
    write(path, 1)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "canonical" in refusal(path)


def test_the_representation_names_no_file(path: Path) -> None:
    with Evidence(path) as evidence:
        assert repr(evidence) == f"<Evidence {evidence.session}, 0 runs>"
