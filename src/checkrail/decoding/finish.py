"""The end of a stream as one value, and the only way from generated text to a parsed value.

`collect` reads a stream to its end. The `Final` that it gives has the text in any case and a `value` only if
the output is complete; nothing else in this package parses text that a model wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ..errors import StreamError
from .stream import Delta, End, Event, StopReason, Usage

__all__ = ["Final", "collect"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Final(Generic[T]):
    """A run that is over. text: all that was generated, complete or not. end: the last event."""

    text: str
    end: End
    _parse: Callable[[str], T] = field(repr=False, compare=False)

    @property
    def complete(self) -> bool:
        """Whether the text is a whole output."""
        return self.end.complete

    @property
    def stop(self) -> StopReason:
        """Why the run ended."""
        return self.end.stop

    @property
    def usage(self) -> Usage:
        """What the run cost."""
        return self.end.usage

    @property
    def value(self) -> T:
        """The parsed text. Raises StreamError STREAM_INCOMPLETE_USE if the output is not complete."""
        if not self.end.complete:
            raise StreamError("STREAM_INCOMPLETE_USE")
        return self._parse(self.text)


def collect(events: Iterable[Event], parse: Callable[[str], T]) -> Final[T]:
    """Read a stream to its end. parse: makes a value of a complete text (`str` keeps the text).

    Raises StreamError STREAM_CLOSED if the stream stops without an `End`.
    """
    parts: list[str] = []
    for event in events:
        if isinstance(event, Delta):
            parts.append(event.text)
        elif isinstance(event, End):
            return Final("".join(parts) + event.held_text, event, parse)
    raise StreamError("STREAM_CLOSED")
