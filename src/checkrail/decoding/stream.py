"""The streaming envelope: what a run tells its reader, event by event.

    Start (seq 0)   Delta | Progress | Notice ...   End (last, exactly one)

Every event is a frozen value with the run's id and a sequence number without gaps, and writes itself as one
line of canonical JSON. A `Delta` is text and nothing more: it cannot be parsed or used as a value. Values
come from `finish.Final`, which exists only once the `End` is there.

You need these types to read a stream or to send one over a wire. For one result, `collect` reads it for you.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from ..errors import Error

__all__ = ["Delta", "End", "Event", "Notice", "OutputKind", "Progress", "Start", "StopReason", "Usage"]

StopReason = Literal[
    "grammar_complete",  # the text is whole and nothing may follow
    "eos",  # the model ended a text that may end here
    "stop_string",
    "max_tokens",
    "max_bytes",
    "time_limit",
    "dead_end",  # the grammar needs more, but no token can write it
    "cancelled",
    "closed",  # the reader closed the stream
    "failed",
]
OutputKind = Literal["text", "json", "tool_call"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run cost. Times are whole microseconds.

    tokens: generated, end token not counted. forced_tokens: those of them for which the mask left one choice,
    or that were forced, so the model was not asked. forced_close: masks that a token budget narrowed, so that the
    text could be finished in time. model_calls: how often the model was asked. mask_microseconds: all masks together;
    mask_microseconds_max: the slowest.
    """

    prompt_tokens: int = 0
    tokens: int = 0
    forced_tokens: int = 0
    forced_close: int = 0
    model_calls: int = 0
    masks: int = 0
    mask_microseconds: int = 0
    mask_microseconds_max: int = 0
    model_microseconds: int = 0
    sample_microseconds: int = 0
    total_microseconds: int = 0

    def to_json(self) -> dict[str, int]:
        """The counts as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Envelope(ABC):
    """Fields of every event. seq: 0, 1, 2, ... complete: true only in an `End`, and only of a whole output."""

    STREAM: ClassVar[str] = "stream/1"
    type: ClassVar[str] = ""

    run_id: str
    seq: int

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """The fields of this type of event, as plain data."""

    def to_json(self) -> str:
        """The event as one line of JSON in canonical form: keys sorted, no blanks, no floats."""
        data = {"stream": self.STREAM, "type": self.type, "run_id": self.run_id, "seq": self.seq, "complete": False}
        data.update(self.fields())
        return json.dumps(data, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))

    def to_sse(self) -> str:
        """The event as one message of a `text/event-stream`."""
        return f"data: {self.to_json()}\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(_Envelope):
    """The run begins. limits: the bounds in force, by name; absent where there is none."""

    type: ClassVar[str] = "start"
    kind: OutputKind = "text"
    composition_sha256: str | None = None
    limits: Mapping[str, int] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        """See `_Envelope.fields`."""
        data: dict[str, Any] = {"kind": self.kind, "limits": dict(self.limits)}
        if self.composition_sha256 is not None:
            data["composition_sha256"] = self.composition_sha256
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta(_Envelope):
    """More text: at least one whole code point. at: its offset in code points. tokens: generated so far."""

    type: ClassVar[str] = "delta"
    text: str
    at: int
    tokens: int

    def fields(self) -> dict[str, Any]:
        """See `_Envelope.fields`."""
        return {"text": self.text, "at": self.at, "tokens": self.tokens}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(_Envelope):
    """A sign of life. accepting: the text so far is a whole text of the grammar."""

    type: ClassVar[str] = "progress"
    tokens: int
    accepting: bool

    def fields(self) -> dict[str, Any]:
        """See `_Envelope.fields`."""
        return {"tokens": self.tokens, "accepting": self.accepting}


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(_Envelope):
    """A flag on a run that goes on. code: a W row of the catalogue. count: how many, since the last notice."""

    type: ClassVar[str] = "notice"
    code: str
    count: int

    def fields(self) -> dict[str, Any]:
        """See `_Envelope.fields`."""
        return {"code": self.code, "params": {"count": self.count}}


@dataclass(frozen=True, slots=True, kw_only=True)
class End(_Envelope):
    """The run is over.

    complete: the grammar accepted the text; without a grammar, the model or a stop string ended it.
    error: why it is not complete. text_len, text_sha256: of the whole text (code points; UTF-8), which is all
    deltas and then held_text. held_text: text that was held back as a possible stop string when the run was
    cancelled or closed; no delta carries it. held_hex: bytes after the text that are not a whole code point:
    three at most, or all bytes from the error on after STREAM_UTF8. stop_string: the one that was met.
    """

    type: ClassVar[str] = "end"
    complete: bool
    stop: StopReason
    text_len: int
    text_sha256: str
    held_text: str = ""
    held_hex: str = ""
    stop_string: str | None = None
    error: Error | None = None
    usage: Usage = Usage()

    @property
    def code(self) -> str | None:
        """The catalogue code of `error`."""
        return None if self.error is None else self.error.code

    def fields(self) -> dict[str, Any]:
        """See `_Envelope.fields`."""
        names = ("complete", "stop", "text_len", "text_sha256", "held_text", "held_hex")
        data = {name: getattr(self, name) for name in names}
        data["usage"] = self.usage.to_json()
        if self.stop_string is not None:
            data["stop_string"] = self.stop_string
        if self.error is not None:
            data["code"] = self.error.code
            data["error"] = self.error.to_json()
        return data


Event = Start | Delta | Progress | Notice | End
