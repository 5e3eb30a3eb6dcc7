"""`TurnRecord`: what is kept of one turn with tools: which kinds of call were made, asked for, denied, how they ended.

A turn is one line, however many steps and calls it had. Tools and arguments are tagged under the session's key: equal
ones look equal within the session, and nobody can look up afterwards which they were.

You need this module to read fields of a record; `file` writes and reads the lines.
"""

from __future__ import annotations

from dataclasses import dataclass

from .setting import Bounds, Environment, check_hour
from .types import (
    CallEnd,
    Capability,
    Code,
    CodeCount,
    Digest,
    Effects,
    FiveNumbers,
    Format,
    Id,
    IsolationLevel,
    Level,
    Record,
    TurnStop,
)

__all__ = ["MOST_CALLS", "CallRecord", "Questions", "TurnRecord"]

MOST_CALLS = 5  # that fit into a line beside the rest


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord(Record):
    """One call. tool_tag: of the manifest; args_tag: of the canonical arguments; both keyed. result_tokens: of the
    result in the prompt, its line of provenance included.
    """

    tool_tag: Digest
    args_tag: Digest
    capability: Capability
    state: CallEnd
    effects: Effects
    code: Code | None
    isolation: IsolationLevel
    run_ms: int
    args_bytes: int
    result_bytes: int
    result_tokens: int
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions(Record):
    """What a person was asked. milliseconds: until the answers."""

    asked: int
    approved: int
    denied: int
    expired: int
    milliseconds: FiveNumbers | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord(Record):
    """One turn. level: of authority, at its end. steps: generations; the tokens and microseconds are their sums.

    sources, source_tokens: of text of others, in the session so far and in the prompts of this turn. calls: the first
    few that became a request; calls_not_listed: the others, those that were refused before they did included. The rest
    is as in a `RunRecord`.
    """

    evidence: Format = Format.TURN
    session: Id
    run: Id
    hour: int
    environment: Environment
    model_sha256: Digest | None
    tokenizer_sha256: Digest
    template_sha256: Digest
    grammar_tag: Digest
    bounds: Bounds
    level: Level
    steps: int
    prompt_tokens: int
    output_tokens: int
    mask_microseconds: int
    model_microseconds: int
    total_microseconds: int
    stop: TurnStop
    code: Code | None
    calls: tuple[CallRecord, ...]
    calls_not_listed: int
    questions: Questions
    sources: int
    source_tokens: int
    notices: tuple[CodeCount, ...]

    def __post_init__(self) -> None:
        check_hour(self.hour)
        if self.evidence is not Format.TURN:
            raise ValueError("evidence: the format of another record")

    def __repr__(self) -> str:
        return f"<TurnRecord {self.run} {self.stop.value}, {self.steps} steps, {len(self.calls)} calls>"
