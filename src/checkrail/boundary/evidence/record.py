"""`RunRecord`: what is kept of one run, so that failures can be counted and compared without keeping anything private.

It says how long, how fast, under which bounds, and how the run ended. It cannot say what was asked or written: no
field can hold text (`types`). What it still tells is stated in docs/explanation/evidence.md: lengths in tokens
and bytes, and how large the grammar is.

A record is one line of canonical JSON (RFC 8785). You need this module to read fields of a record; `file`
writes and reads the lines. Turns with tools have a record of their own, `turn.TurnRecord`, in the same file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ...errors import DocumentError, Error
from ..canon import dumps
from ..strictjson import parse
from .codec import from_plain, to_plain
from .setting import Bounds, Environment, check_hour
from .turn import TurnRecord
from .types import (
    ChatTemplate,
    Code,
    CodeCount,
    Digest,
    Extremes,
    FiveNumbers,
    Format,
    Id,
    OutputKind,
    Record,
    Stop,
)

__all__ = ["MOST_BYTES", "AnyRecord", "RunRecord", "chain_of", "read_line", "write_line"]

MOST_BYTES = 4096  # of a line, its end included


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord(Record):
    """One run. The digest of the chain is beside it in the file.

    session, run: random. hour: seconds since 1970, cut to the hour. model_sha256: of the model file, where it is known;
    tokenizer_sha256: of the vocabulary; both are public things. grammar_tag: keyed, equal for equal grammars within the
    session and nowhere else. allowed_tokens: how many tokens the masks allowed (see `Extremes`).
    *_microseconds: of one mask, one call of the model, one choice. utf8_held: bytes at the end that were not a whole
    character. code: why the run failed. notices, faults: how often each code came; faults_not_listed: those past the
    hundred that a report lists.
    """

    evidence: Format = Format.RUN
    session: Id
    run: Id
    hour: int
    environment: Environment
    model_sha256: Digest | None
    tokenizer_sha256: Digest
    template: ChatTemplate
    kind: OutputKind
    grammar_tag: Digest | None
    bounds: Bounds
    prompt_tokens: int
    output_tokens: int
    output_bytes: int
    allowed_tokens: Extremes | None
    mask_microseconds: FiveNumbers | None
    model_microseconds: FiveNumbers | None
    sample_microseconds: FiveNumbers | None
    total_microseconds: int
    utf8_held: int
    stop: Stop
    complete: bool
    code: Code | None
    notices: tuple[CodeCount, ...]
    faults: tuple[CodeCount, ...]
    faults_not_listed: int

    def __post_init__(self) -> None:
        check_hour(self.hour)
        if self.evidence is not Format.RUN:
            raise ValueError("evidence: the format of another record")

    def __repr__(self) -> str:
        return f"<RunRecord {self.run} {self.stop.value}, {self.output_tokens} tokens>"


AnyRecord: TypeAlias = RunRecord | TurnRecord
_KINDS: dict[object, type[AnyRecord]] = {Format.RUN.value: RunRecord, Format.TURN.value: TurnRecord}


def chain_of(record: AnyRecord, before: bytes) -> Digest:
    """What ties a record to the line before it in its session (b"" for the first), whose end is not part of it.

    SHA-256 of that line and of this record in canonical form. A line that was changed, put in, taken out or moved
    breaks the chain; lines missing at the end do not, and whoever writes all chains anew is not found out.
    """
    return Digest.of(before + dumps(to_plain(record)))


def write_line(record: AnyRecord, before: bytes) -> bytes:
    """The line of a record, without its end. Raises Error EVIDENCE_TYPE."""
    line = dumps({**to_plain(record), "chain": str(chain_of(record, before))})
    if len(line) >= MOST_BYTES:
        raise Error("EVIDENCE_TYPE", field="record")
    return line


def read_line(line: bytes) -> tuple[AnyRecord, Digest]:
    """The record of a line without its end, and its chain, which is not checked here.

    Raises ValueError, whose text says what is wrong.
    """
    if len(line) >= MOST_BYTES:
        raise ValueError(f"longer than {MOST_BYTES} bytes")
    try:
        data = parse(line, max_depth=4).value
    except DocumentError as error:
        raise ValueError(error.message.rstrip(".")) from None
    if not isinstance(data, dict):
        raise ValueError("not an object")
    text = data.pop("chain", None)
    try:
        chain = Digest(text if isinstance(text, str) else "")
    except ValueError:
        raise ValueError("chain: not a digest") from None
    kind = data.get("evidence")
    record = from_plain(_KINDS.get(kind, RunRecord) if isinstance(kind, str) else RunRecord, data)
    if dumps({**data, "chain": str(chain)}) != line:
        raise ValueError("not in canonical form")
    return record, chain
