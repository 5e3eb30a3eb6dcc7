"""A bounded queue between a run and its reader: the run works in a thread, and waits when the reader is slow.

    async with EventQueue(decode(...)) as events:
        async for event in events:
            await socket.send(event.to_json())

A stream of events is an iterator that works when it is asked. Two readers cannot use it so: an event loop, which must
not be held up by a model, and a reader whose own work takes long, whose model would stand still meanwhile. The queue
lets the run go on for `size` events beyond what was read, then the run waits. Nothing is dropped and nothing merged,
so what is read is the stream, event for event.

You need this to serve a stream from asyncio, or to overlap reading with generating. A plain `for` over the stream
itself waits for its reader anyway and needs no queue.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from types import TracebackType
from typing import Generic, Self, TypeVar

from ..errors import SamplingError

__all__ = ["DEFAULT_SIZE", "EventQueue"]

T = TypeVar("T")
DEFAULT_SIZE = 64  # events


class EventQueue(Generic[T]):
    """The events of a run that works in a thread of its own. An iterator, and an asynchronous one; for one reader.

    events: the stream; it belongs to the queue from now on. size: how many events the run may be ahead.

    Closing the queue, or leaving a `with` block, closes the stream in its thread: the run ends as closed, and the step
    that the model is in is the last one. `close` waits for that. What the stream raises is raised to the reader, after
    the events before it.
    """

    def __init__(self, events: Iterator[T], *, size: int = DEFAULT_SIZE) -> None:
        if type(size) is not int or size < 1:
            raise SamplingError("SAMPLING_PARAM", name="size", range="an integer >= 1")
        self._shared: _Shared[T] = _Shared(size)
        # Daemonic, so that a process can end while a model works. The thread knows `_shared` alone: a queue that
        # nobody holds any more is collected, and `__del__` ends its run.
        self._thread = threading.Thread(target=_work, args=(events, self._shared), daemon=True)
        self._thread.start()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        found = self._shared.wait()
        if not found:
            raise StopIteration
        return found[0]

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        loop = asyncio.get_running_loop()
        while True:
            ready = loop.create_future()
            if (found := self._shared.look(partial(loop.call_soon_threadsafe, _resolve, ready))) is not None:
                break
            await ready
        if not found:
            raise StopAsyncIteration
        return found[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def close(self) -> None:
        """Read no further; wait until the run is over."""
        self._shared.close()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    async def aclose(self) -> None:
        """`close` without holding up the event loop."""
        self._shared.close()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def __del__(self) -> None:
        shared = getattr(self, "_shared", None)
        if shared is not None:
            shared.close()

    def __repr__(self) -> str:
        return f"<EventQueue {self._shared!r}>"


class _Shared(Generic[T]):
    """What the thread and the reader share."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._changed = threading.Condition()
        self._waiting: deque[T] = deque()
        self._over = self._closed = False
        self._failure: BaseException | None = None
        self._wake: Callable[[], object] | None = None

    # -- the thread's side --------------------------------------------------------------------------------

    def put(self, event: T) -> bool:
        """Wait for room, then append. False if nobody reads any more."""
        with self._changed:
            while len(self._waiting) >= self._size and not self._closed:
                self._changed.wait()
            if not self._closed:
                self._waiting.append(event)
                self._tell()
            return not self._closed

    def finish(self, failure: BaseException | None) -> None:
        """There is nothing more to come."""
        with self._changed:
            self._over, self._failure = True, failure
            self._tell()

    def _tell(self) -> None:
        self._changed.notify_all()
        wake, self._wake = self._wake, None
        if wake is not None:
            try:
                wake()
            except RuntimeError:  # the reader's event loop was closed: nobody waits there
                self._closed = True

    # -- the reader's side --------------------------------------------------------------------------------

    def wait(self) -> tuple[T, ...]:
        """Wait for an event and take it. Nothing if there is none and none will come."""
        with self._changed:
            while (found := self._take()) is None:
                self._changed.wait()
            return found

    def look(self, wake: Callable[[], object]) -> tuple[T, ...] | None:
        """As `wait`; where it would wait it gives None, and calls `wake` once there is something to see."""
        with self._changed:
            found = self._take()
            self._wake = wake if found is None else None
            return found

    def _take(self) -> tuple[T, ...] | None:
        if self._waiting:
            self._changed.notify_all()
            return (self._waiting.popleft(),)
        if not (self._over or self._closed):
            return None
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return ()

    def close(self) -> None:
        """Forget what waits and let the thread end."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._tell()

    def __repr__(self) -> str:
        state = "closed" if self._closed else "over" if self._over else "open"
        return f"{state}, {len(self._waiting)} of {self._size}"


def _resolve(ready: asyncio.Future[None]) -> None:
    if not ready.done():  # a reader that was cancelled while it waited
        ready.set_result(None)


def _work(events: Iterator[T], shared: _Shared[T]) -> None:
    """The thread: read the stream to its end, or until nobody reads any more, and close it."""
    failure: BaseException | None = None
    try:
        for event in events:
            if not shared.put(event):
                break
        # Here and not in the reader's thread: a generator that is working cannot be closed from outside.
        close = getattr(events, "close", None)
        if close is not None:
            close()
    except BaseException as error:  # whatever it is, it belongs to the reader
        failure = error
    shared.finish(failure)
