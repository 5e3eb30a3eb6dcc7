"""The queue between a run and its reader: bounded, complete, in order, and closed from either side."""

import asyncio
import gc
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.decoding.event_queue import DEFAULT_SIZE, EventQueue
from checkrail.decoding.loop import decode
from checkrail.decoding.plain_sampler import PlainSampler
from checkrail.decoding.run import Run
from checkrail.decoding.sampling import Sampling
from checkrail.decoding.stream import Event
from checkrail.errors import SamplingError
from decoding_toys import Script, byte_vocabulary

BYTES = byte_vocabulary()
PATIENCE = 10.0  # seconds, where something that happens soon is waited for


class Counted:
    """0, 1, 2, ...: how many were asked for, and whether it was closed."""

    def __init__(self, count: int, failure: BaseException | None = None) -> None:
        self.made = 0
        self.closed = threading.Event()
        self._count, self._failure = count, failure

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        if self.made == self._count:
            if self._failure is not None:
                raise self._failure
            raise StopIteration
        self.made += 1
        return self.made - 1

    def close(self) -> None:
        self.closed.set()


def settled(source: Counted, least: int) -> int:
    """How many were made once the thread goes no further. least: so many come, however slow the machine is."""
    until = time.monotonic() + PATIENCE
    while source.made < least and time.monotonic() < until:
        time.sleep(0.001)
    time.sleep(0.03)  # for one that must not come
    return source.made


async def read(queue: EventQueue[Any]) -> list[Any]:
    return [event async for event in queue]


@settings(max_examples=40)
@given(st.integers(0, 200), st.integers(1, 70), st.booleans())
def test_every_event_comes_once_and_in_order(count: int, size: int, asynchronous: bool) -> None:
    queue = EventQueue(Counted(count), size=size)
    found = asyncio.run(read(queue)) if asynchronous else list(queue)
    assert found == list(range(count))
    assert list(queue) == []


@pytest.mark.parametrize("size", [1, 3, DEFAULT_SIZE])
def test_the_run_waits_for_a_slow_reader(size: int) -> None:
    source = Counted(10_000)
    with EventQueue(source, size=size) as queue:
        for taken in range(1, 6):
            assert next(queue) == taken - 1
            # those read, those that wait, and the one in the thread's hand
            assert settled(source, taken + size + 1) == taken + size + 1
    assert source.closed.is_set()
    assert source.made == 5 + size + 1


def test_a_fast_reader_waits_for_a_slow_run() -> None:
    def slow() -> Iterator[int]:
        for number in range(5):
            time.sleep(0.02)
            yield number

    async def beside() -> tuple[list[int], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        ticking = asyncio.create_task(tick())
        found = await read(EventQueue(slow()))
        ticking.cancel()
        return found, ticks

    assert list(EventQueue(slow())) == list(range(5))
    found, ticks = asyncio.run(beside())
    assert found == list(range(5))
    assert ticks >= 3  # the event loop went on meanwhile


@pytest.mark.parametrize("asynchronous", [False, True])
def test_what_the_stream_raises_comes_after_the_events_before_it(asynchronous: bool) -> None:
    queue, found = EventQueue(Counted(3, ZeroDivisionError("x"))), []

    async def collect() -> None:
        async for event in queue:
            found.append(event)

    def collect_here() -> None:
        for event in queue:
            found.append(event)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(collect()) if asynchronous else collect_here()
    assert found == [0, 1, 2]
    assert list(queue) == []


def events_of(wanted: bytes, run: Run, hook: Any = lambda: None) -> Iterator[Event]:
    source = Script(BYTES, list(wanted), 1)
    source.hook = hook
    sampler = PlainSampler(Sampling(), logits_width=BYTES.logits_width, vocabulary_size=BYTES.size, seed=0)
    return decode(source, [104], None, sampler, vocabulary=BYTES, max_tokens=10_000, run=run, clock=lambda: 0.0)


def test_a_run_is_read_as_without_a_queue() -> None:
    direct = [event.to_json() for event in events_of(b"a text", Run("r"))]
    assert [event.to_json() for event in EventQueue(events_of(b"a text", Run("r")), size=2)] == direct
    found = asyncio.run(read(EventQueue(events_of(b"a text", Run("r")), size=2)))
    assert [event.to_json() for event in found] == direct


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_reader_that_closes_ends_the_run(asynchronous: bool) -> None:
    run, calls = Run("r"), []
    queue = EventQueue(events_of(b"x" * 9_000, run, lambda: calls.append(1)), size=4)

    async def leave() -> None:
        async with queue:
            await queue.__anext__()

    if asynchronous:
        asyncio.run(leave())
    else:
        with queue:
            next(queue)
    assert run.end is not None
    assert (run.end.stop, run.end.code, run.end.complete) == ("closed", "STREAM_CLOSED", False)
    assert run.cancelled
    assert len(calls) <= 1 + 4 + 1
    assert list(queue) == []


@pytest.mark.parametrize("asynchronous", [False, True])
def test_another_thread_that_closes_takes_no_event_away_from_the_reader(asynchronous: bool) -> None:
    """It comes when the reader has just seen that there is an event."""
    queue = EventQueue(Counted(1))
    queue._thread.join(PATIENCE)
    plain = queue._shared._changed

    class Watched(threading.Condition):
        def __exit__(self, *error: Any) -> None:
            super().__exit__(*error)
            queue._shared._changed = plain
            closing = threading.Thread(target=queue.close)
            closing.start()
            closing.join(PATIENCE)

    queue._shared._changed = Watched()
    assert (asyncio.run(anext(queue)) if asynchronous else next(queue)) == 0  # type: ignore[arg-type]
    assert list(queue) == []


def test_closing_wakes_a_run_that_waits_and_waits_for_one_that_works() -> None:
    working, go_on = threading.Event(), threading.Event()

    def held() -> None:
        working.set()
        assert go_on.wait(PATIENCE)

    run = Run("r")
    queue = EventQueue(events_of(b"xyz", run, held))
    assert working.wait(PATIENCE)
    closing = threading.Thread(target=queue.close)
    closing.start()
    closing.join(0.05)
    assert closing.is_alive()  # the model is in a step
    assert run.end is None
    go_on.set()
    closing.join(PATIENCE)
    assert run.end is not None
    assert (run.end.stop, run.token_ids) == ("closed", run.token_ids[:1])


def test_a_cancelled_run_is_read_to_its_end() -> None:
    run = Run("r")
    with EventQueue(events_of(b"x" * 9_000, run), size=3) as queue:
        next(queue)
        assert run.cancel()
        rest = list(queue)
    assert len(rest) <= 3 + 1 + 1  # what waited, what was in the thread's hand, the end
    assert rest[-1] is run.end
    assert run.end is not None
    assert run.end.stop == "cancelled"


def test_a_task_that_is_cancelled_leaves_the_queue_readable() -> None:
    go_on = threading.Event()

    def slow() -> Iterator[int]:
        yield 0
        assert go_on.wait(PATIENCE)
        yield 1

    async def scene() -> list[int]:
        queue = EventQueue(slow())
        assert await queue.__anext__() == 0
        waiting = asyncio.create_task(queue.__anext__())
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        go_on.set()
        return await read(queue)

    assert asyncio.run(scene()) == [1]


def test_a_reader_whose_event_loop_is_gone_ends_the_run() -> None:
    go_on, source = threading.Event(), Counted(100)
    make = source.__next__

    class Held(Counted):
        def __next__(self) -> int:
            assert go_on.wait(PATIENCE)
            return make()

        def close(self) -> None:
            source.close()

    async def scene(queue: EventQueue[int]) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(queue.__anext__(), 0.01)

    queue = EventQueue(Held(100))
    asyncio.run(scene(queue))
    go_on.set()
    assert source.closed.wait(PATIENCE)


def test_a_queue_that_nobody_holds_ends_its_run() -> None:
    source = Counted(10_000)
    queue = EventQueue(source, size=2)
    next(queue)
    del queue
    gc.collect()
    assert source.closed.wait(PATIENCE)
    assert source.made < 10


@pytest.mark.parametrize("size", [0, -1, True, 1.5, None])
def test_bad_sizes_are_refused(size: Any) -> None:
    with pytest.raises(SamplingError, match="size must be an integer >= 1"):
        EventQueue(Counted(1), size=size)


def test_repr() -> None:
    queue = EventQueue(Counted(1))
    assert list(queue) == [0]
    assert repr(queue) == "<EventQueue over, 0 of 64>"
    queue.close()
    assert repr(queue) == "<EventQueue closed, 0 of 64>"
