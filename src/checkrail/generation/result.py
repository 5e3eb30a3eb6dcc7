"""`Result`: what one generation came to. The only thing that has a value, and only when the output deserves it.

`value` exists when the output is complete and free of faults; asking for it otherwise raises, so that half an
invoice or one that broke its rules is not used by accident. The text and the exact bytes are there in any case.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from ..boundary.document import Json
from ..boundary.validation.report import Fault, Report, Span
from ..decoding.stream import StopReason, Usage
from ..errors import Error, OutputError, StreamError

__all__ = ["SCHEMA_VERSION", "Result", "json_line"]

T = TypeVar("T")
SCHEMA_VERSION = 1  # of every JSON object that the package writes for a program to read


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """One generation that is over.

    text: all that was generated, complete or not. raw: exactly its bytes. token_ids: exactly its tokens, the end
    token excluded. complete: the grammar accepted the text (or, without a grammar, the model ended it). stop: why
    the run ended. error: why it is not complete. report: the check of a complete JSON output. usage: counts and
    times. mask_microseconds_median: of one mask.
    """

    text: str
    raw: bytes
    token_ids: tuple[int, ...]
    complete: bool
    stop: StopReason
    usage: Usage
    error: Error | None = None
    report: Report | None = None
    mask_microseconds_median: int = 0
    _value: T | None = field(default=None, repr=False, compare=False)

    @property
    def code(self) -> str | None:
        """The catalogue code of `error`."""
        return None if self.error is None else self.error.code

    @property
    def ok(self) -> bool:
        """Whether there is a value: complete, and no fault."""
        return self.complete and (self.report is None or self.report.ok)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What the check found in a complete output."""
        return () if self.report is None else self.report.faults

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where values stand in their sources."""
        return () if self.report is None else self.report.spans

    @property
    def value(self) -> T:
        """The value, of the type that was asked for.

        Raises StreamError STREAM_INCOMPLETE_USE for an incomplete output, OutputError SEMANTIC_FAULTS for one with
        faults.
        """
        if not self.complete:
            raise StreamError("STREAM_INCOMPLETE_USE")
        if self.faults:
            first = self.faults[0]
            count = len(self.faults) + (self.report.more if self.report else 0)
            raise OutputError("SEMANTIC_FAULTS", pointer=first.pointer, count=count, first=first.code)
        return cast(T, self._value)

    @property
    def unchecked_value(self) -> Json:
        """What the text says as plain JSON data, faults or not; the text itself where there is no schema.

        Raises StreamError STREAM_INCOMPLETE_USE for an incomplete output, and DocumentError JSON_NO_VALUE for one
        that the strict reader refuses (a key that occurs twice in an object of free keys, say).
        """
        if not self.complete:
            raise StreamError("STREAM_INCOMPLETE_USE")
        return self.text if self.report is None else self.report.unchecked_value

    def to_json(self) -> dict[str, Any]:
        """The result as plain data. value: null unless `ok`."""
        return {
            "schema_version": SCHEMA_VERSION,
            "complete": self.complete,
            "ok": self.ok,
            "stop": self.stop,
            "error": None if self.error is None else self.error.to_json(),
            "value": self.unchecked_value if self.ok else None,
            "text": self.text,
            "faults": [fault.to_json() for fault in self.faults],
            "spans": [span.to_json() for span in self.spans],
            "usage": {**self.usage.to_json(), "mask_microseconds_median": self.mask_microseconds_median},
        }

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        state = "ok" if self.ok else f"{len(self.faults)} faults" if self.complete else "incomplete"
        return f"<Result {state}, {self.stop}, {self.usage.tokens} tokens>"


def json_line(data: dict[str, Any]) -> str:
    """One line of JSON, keys in the order given."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)
