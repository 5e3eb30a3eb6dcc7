"""`Answer`: how one turn ended, and the calls that were made on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..boundary.calls.call import Call
from ..decoding.stream import Usage
from ..errors import Error, StreamError

__all__ = ["Answer", "TurnStop"]

TurnStop: TypeAlias = Literal["answered", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn that is over.

    stop: how it ended. error: why there is no answer. calls: all that were proposed, in order, with their ends; what
    they did stays done, whatever became of the turn. usage: of each generation.
    """

    stop: TurnStop
    error: Error | None = None
    calls: tuple[Call, ...] = ()
    usage: tuple[Usage, ...] = ()
    _text: str | None = field(default=None, repr=False)

    @property
    def complete(self) -> bool:
        """Whether the model came to an answer."""
        return self._text is not None

    @property
    def text(self) -> str:
        """What the model answered. Raises `StreamError` STREAM_INCOMPLETE_USE where it did not come so far."""
        if self._text is None:
            raise StreamError("STREAM_INCOMPLETE_USE")
        return self._text

    @property
    def code(self) -> str | None:
        """The catalogue code of `error`."""
        return None if self.error is None else self.error.code

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data. calls: of each, the tool, its end and its effects, without its arguments."""
        return {
            "complete": self.complete,
            "stop": self.stop,
            "text": self._text,
            "error": None if self.error is None else self.error.to_json(),
            "calls": [_call(call) for call in self.calls],
            "usage": [usage.to_json() for usage in self.usage],
        }


def _call(call: Call) -> dict[str, Any]:
    result = call.result
    return {
        "tool": None if call.request is None else call.request.tool.name,
        "request_id": None if call.request is None else call.request.request_id,
        "state": call.state.value,
        "effects": "none" if result is None else result.effects,
        "code": None if call.error is None else call.error.code,
    }
