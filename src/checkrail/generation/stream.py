"""`Stream`: the events of one generation as they come, and its result at the end.

An iterator of `Start`, `Delta`, `Progress`, `Notice` and `End`. A delta is text and nothing more; only `result()`
gives a value, and it reads the stream to its end first. Closing the stream, or leaving a `with` block, ends the
run: no further step of the model is made.

With evidence, the end of the run is also when its record is written, before the reader sees the `End`. A stream that
is neither read to its end nor closed leaves no record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from ..decoding.run import Run
from ..decoding.stream import Delta, Event
from ..errors import StreamError
from ..vocabulary.vocabulary import Vocabulary
from .mask_clock import MaskClock
from .output import Checked
from .result import Result

if TYPE_CHECKING:
    from .observation import Observation

__all__ = ["Stream"]

T = TypeVar("T")


class Stream(Generic[T]):
    """One generation under way. run: its handle, for `cancel` from another thread."""

    def __init__(
        self,
        events: Iterator[Event],
        run: Run,
        clock: MaskClock | None,
        vocabulary: Vocabulary,
        check: Callable[[str], Checked[T]],
        observation: Observation | None = None,
    ) -> None:
        self.run = run
        self._events = events
        self._clock = clock
        self._vocabulary = vocabulary
        self._check = check
        self._observation = observation
        self._parts: list[str] = []
        self._result: Result[T] | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        try:
            event = next(self._events)
        finally:
            self._account()
        if isinstance(event, Delta):
            self._parts.append(event.text)
        elif self._observation is not None:
            self._observation.note(event)
        return event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def text(self) -> str:
        """What has come so far."""
        return "".join(self._parts)

    def cancel(self) -> bool:
        """Stop the run; see `Run.cancel`."""
        return self.run.cancel()

    def close(self) -> None:
        """Read no further. The run ends as closed if it was not over; its partial text stays in `result()`."""
        close = getattr(self._events, "close", None)
        if close is not None:
            close()
        self._account()

    def result(self) -> Result[T]:
        """The result; reads the rest of the stream first.

        Raises StreamError STREAM_CLOSED if the stream was closed before it began.
        """
        if self._result is None:
            for _ in self:
                pass
            self._result = self._conclude()
        return self._result

    def _account(self) -> None:
        """Write the evidence as soon as the run is over, once, however it ended."""
        end, observation = self.run.end, self._observation
        if end is None or observation is None:
            return
        self._observation = None
        if self._result is None:
            self._result = self._conclude()
        observation.conclude(self._result, end)

    def _conclude(self) -> Result[T]:
        end = self.run.end
        if end is None:
            raise StreamError("STREAM_CLOSED")
        text = self.text + end.held_text
        checked: Checked[T] = self._check(text) if end.complete else Checked(None)
        token_ids = tuple(self.run.token_ids)
        return Result(
            text=text,
            raw=self._vocabulary.decode(token_ids),
            token_ids=token_ids,
            complete=end.complete,
            stop=end.stop,
            usage=end.usage,
            error=end.error,
            report=checked.report,
            mask_microseconds_median=0 if self._clock is None else self._clock.median_microseconds,
            _value=checked.value,
        )

    def __repr__(self) -> str:
        return f"<Stream {self.run!r}>"
