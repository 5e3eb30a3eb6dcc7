"""What one turn leaves for its evidence: numbers and ends of its steps and calls, gathered as it goes.

You need it nowhere else. Without evidence nothing is written; with it, one record when the turn is over, however it
ends. A record holds no text (`boundary.evidence`): tools and arguments are keyed tags, and sources are counted.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..boundary.calls.call import Call
from ..boundary.calls.envelopes import ToolRequest, ToolResult
from ..boundary.calls.states import CallState
from ..boundary.canon import dumps
from ..boundary.evidence.turn import MOST_CALLS, CallRecord, Questions, TurnRecord
from ..boundary.evidence.types import (
    CallEnd,
    Capability,
    Code,
    Digest,
    Effects,
    FiveNumbers,
    Id,
    IsolationLevel,
    Level,
    TurnStop,
)
from ..boundary.reinsert import DataSpan
from ..decoding.stream import End, Usage
from ..generation.observation import bounds_of, code_counts, environment, model_digest, this_hour

if TYPE_CHECKING:
    from ..boundary.evidence.file import Evidence
    from .answer import Answer
    from .session import Session

__all__ = ["TurnNotes"]

_MOST_ENVELOPE_BYTES = 8 * 1024 * 1024


class TurnNotes:
    """The notes of one turn. calls, usage: so far."""

    def __init__(self, session: Session) -> None:
        self.calls: list[Call] = []
        self.usage: list[Usage] = []
        self._session = session
        self._notices: Counter[str] = Counter()
        self._insertions: dict[str, DataSpan] = {}  # by their headers

    @property
    def tokens(self) -> int:
        """How many tokens were generated."""
        return sum(usage.tokens for usage in self.usage)

    def wrote(self, end: End) -> None:
        """A step of the model is over."""
        self.usage.append(end.usage)

    def prompted(self, fresh: list[DataSpan]) -> None:
        """A prompt was made. fresh: the texts of others that are in it for the first time."""
        for span in fresh:
            self._insertions[span.header] = span
            self._notices["CONTEXT_TRUNCATED"] += span.truncated

    def emit(self, answer: Answer) -> None:
        """Write the record, where one is wanted. Raises what `Evidence.emit` raises."""
        if self._session.evidence is not None:
            self._session.evidence.emit(self._record(self._session.evidence, answer))

    def _record(self, evidence: Evidence, answer: Answer) -> TurnRecord:
        session = self._session
        requests = [(call, call.request, call.result) for call in self.calls]
        listed = [
            self._call(evidence, call, request, result)
            for call, request, result in requests
            if request is not None and result is not None
        ]
        return TurnRecord(
            session=evidence.session,
            run=Id.new("rn"),
            hour=this_hour(),
            environment=environment(),
            model_sha256=model_digest(session.model),
            tokenizer_sha256=Digest(session.model.vocabulary.fingerprint),
            template_sha256=Digest(session.template.sha256),
            grammar_tag=evidence.tag(session.grammar_sha256.encode()),
            bounds=bounds_of(session.plan),
            level=Level(session.gate.authority.value),
            steps=len(self.usage),
            prompt_tokens=sum(usage.prompt_tokens for usage in self.usage),
            output_tokens=self.tokens,
            mask_microseconds=sum(usage.mask_microseconds for usage in self.usage),
            model_microseconds=sum(usage.model_microseconds for usage in self.usage),
            total_microseconds=sum(usage.total_microseconds for usage in self.usage),
            stop=TurnStop(answer.stop),
            code=None if answer.code is None else Code(answer.code),
            calls=tuple(listed[:MOST_CALLS]),
            calls_not_listed=len(self.calls) - len(listed[:MOST_CALLS]),
            questions=self._questions(),
            sources=len(session.gate.taint.sources),
            source_tokens=sum(span.end - span.start for span in self._insertions.values()),
            notices=code_counts(+self._notices),
        )

    def _call(self, evidence: Evidence, call: Call, request: ToolRequest, result: ToolResult) -> CallRecord:
        span = next((s for header, s in self._insertions.items() if request.request_id in header), None)
        done = dumps(result.result, max_depth=64, max_bytes=_MOST_ENVELOPE_BYTES) if result.is_done else b""
        level = "none" if result.isolation is None else result.isolation.level
        return CallRecord(
            tool_tag=evidence.tag(request.tool.manifest_sha256.encode()),
            args_tag=evidence.tag(call.arguments),
            capability=Capability(request.capability),
            state=CallEnd(result.state),
            effects=Effects(result.effects),
            code=None if call.error is None else Code(call.error.code),
            isolation=IsolationLevel(level),
            run_ms=result.timing.run_ms,
            args_bytes=len(call.arguments),
            result_bytes=len(done),
            result_tokens=0 if span is None else span.end - span.start,
            truncated=span is not None and span.truncated,
        )

    def _questions(self) -> Questions:
        asked = [call for call in self.calls if call.confirmation_id is not None]
        return Questions(
            asked=len(asked),
            approved=sum(call.approval is not None for call in asked),
            denied=sum(call.state is CallState.DENIED for call in asked),
            expired=sum(call.state is CallState.EXPIRED for call in asked),
            milliseconds=FiveNumbers.of(call.result.timing.confirm_ms for call in asked if call.result is not None),
        )
