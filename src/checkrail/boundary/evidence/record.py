"""`RunRecord`: what is kept of one run, so that failures can be counted and compared without keeping anything private.

It says how long, how fast, under which bounds, and how the run ended. It cannot say what was asked or written: no
field can hold text (`types`). What it still tells is stated in docs/explanation/evidence.md: lengths in tokens
and bytes, and how large the grammar is.

A record is one line of canonical JSON (RFC 8785). You need this module to read fields of a record; `file`
writes and reads the lines.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import DocumentError, Error
from ..canon import dumps
from ..strictjson import parse
from .codec import from_plain, to_plain
from .types import (
    ChatTemplate,
    Code,
    CodeCount,
    Digest,
    Extremes,
    FiveNumbers,
    Format,
    Id,
    Implementation,
    Kernel,
    OutputKind,
    Platform,
    Record,
    Stop,
    Version,
)

__all__ = [
    "MOST_BYTES",
    "SECONDS_OF_AN_HOUR",
    "Bounds",
    "Environment",
    "RunRecord",
    "chain_of",
    "read_line",
    "write_line",
]

MOST_BYTES = 4096  # of a line, its end included
SECONDS_OF_AN_HOUR = 3600
_YEAR_10000 = 253_402_300_800  # seconds since 1970; dates end there


@dataclass(frozen=True, slots=True)
class Environment(Record):
    """Where it ran."""

    library: Version
    implementation: Implementation
    python: Version
    platform: Platform
    kernel: Kernel


@dataclass(frozen=True, slots=True)
class Bounds(Record):
    """What it had to keep to, and the size of the automaton in powers of 16; None where there is none."""

    max_tokens: int
    time_limit_ms: int | None
    context_tokens: int
    states: int | None
    transitions: int | None


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
        if self.hour % SECONDS_OF_AN_HOUR or self.hour >= _YEAR_10000:
            raise ValueError("hour: not a whole hour")

    def __repr__(self) -> str:
        return f"<RunRecord {self.run} {self.stop.value}, {self.output_tokens} tokens>"


def chain_of(record: RunRecord, before: bytes) -> Digest:
    """What ties a record to the line before it in its session (b"" for the first), whose end is not part of it.

    SHA-256 of that line and of this record in canonical form. A line that was changed, put in, taken out or moved
    breaks the chain; lines missing at the end do not, and whoever writes all chains anew is not found out.
    """
    return Digest.of(before + dumps(to_plain(record)))


def write_line(record: RunRecord, before: bytes) -> bytes:
    """The line of a record, without its end. Raises Error EVIDENCE_TYPE."""
    line = dumps({**to_plain(record), "chain": str(chain_of(record, before))})
    if len(line) >= MOST_BYTES:
        raise Error("EVIDENCE_TYPE", field="record")
    return line


def read_line(line: bytes) -> tuple[RunRecord, Digest]:
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
    record = from_plain(RunRecord, data)
    if dumps({**data, "chain": str(chain)}) != line:
        raise ValueError("not in canonical form")
    return record, chain
