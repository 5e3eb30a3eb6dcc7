"""What a turn tells its reader, beside the events of each generation (`decoding.stream`).

    Start Delta* End | CallChanged* | Inserted | Start Delta* End | Finished

A turn is one or more generations with calls between them. The events of a generation come as they are. `CallChanged`
says where a call is, without its arguments; `Inserted`, which line of provenance went in front of a text of others.
There is one `Finished`, and it is the last. Nothing follows a cancel but that.

You need these types to follow a turn, or to send one over a wire.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from ..boundary.calls.call import Call
from ..boundary.calls.states import CallState
from ..boundary.canon import dumps
from ..decoding.stream import Event
from .answer import Answer

__all__ = ["CallChanged", "Finished", "Inserted", "TurnEvent"]

_STREAM = "turn/1"


@dataclass(frozen=True, slots=True)
class CallChanged:
    """A call went from one state to another; `before` is None where it begins. call: to look at it or to cancel it."""

    type: ClassVar[str] = "call_state"
    call: Call
    before: CallState | None
    after: CallState

    def to_json(self) -> str:
        """The event as one line of canonical JSON. The tool is named once it is known to be one."""
        request = self.call.request
        return _line(
            self.type,
            {
                "number": self.call.number,
                "request_id": None if request is None else request.request_id,
                "tool": None if request is None else request.tool.name,
                "from": None if self.before is None else self.before.value,
                "to": self.after.value,
                "code": None if self.call.error is None else self.call.error.code,
            },
        )


@dataclass(frozen=True, slots=True)
class Inserted:
    """A text of others was put in front of the model. header: the line that stands before it. text: as the model got
    it, with what frames it. tokens: of all that.
    """

    type: ClassVar[str] = "inserted"
    source: str = field(repr=False)
    header: str = field(repr=False)
    text: str = field(repr=False)
    tokens: int
    truncated: bool

    def to_json(self) -> str:
        """The event as one line of canonical JSON, without the text."""
        names = ("source", "header", "tokens", "truncated")
        return _line(self.type, {name: getattr(self, name) for name in names})


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is over."""

    type: ClassVar[str] = "finished"
    answer: Answer

    def to_json(self) -> str:
        """The event as one line of canonical JSON, with the answer."""
        return _line(self.type, self.answer.to_json())


TurnEvent: TypeAlias = Event | CallChanged | Inserted | Finished


def _line(kind: str, data: dict[str, Any]) -> str:
    return dumps({"stream": _STREAM, "type": kind, **data}).decode()
