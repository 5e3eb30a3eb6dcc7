"""The decode loop: mask, ask the model, choose, move on, tell the reader.

    while not over:  mask -> (one choice? take it : model -> sampler) -> matcher -> UTF-8 -> stop strings -> Delta

`decode` gives a stream of events that starts with one `Start` and ends with one `End`, whatever happens in
between: a dead end, a spent budget, a failing backend, a cancel from another thread. Nothing is retried and
nothing is added to what the model wrote. A reader that stops early closes the run.

The model is not asked where the grammar leaves one token or only the end; the random numbers belong to
positions, so that leaves the output as it would have been.

You need `decode` to drive a model yourself. `checkrail.generate` and `checkrail.stream` do it for you.
"""

from __future__ import annotations

import sys
import time
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from ..errors import Error, MaskError, ModelError, SamplingError, StreamError
from ..mask.bitmask import words_for
from ..vocabulary.vocabulary import Vocabulary
from .free_text import FreeText
from .protocols import ClosingMatcher, ForcingMatcher, LogitsSource, TokenMatcher, TokenSampler
from .run import Run
from .stream import Delta, End, Event, Notice, OutputKind, Progress, Start, StopReason, Usage
from .text_output import TextOutput, Utf8Mode

__all__ = ["decode"]

T = TypeVar("T")
_COMPLETE: frozenset[StopReason] = frozenset({"grammar_complete", "eos", "stop_string"})
_LEAST_TIME_LIMIT = 0.001  # seconds, as the next two
_LEAST_PROGRESS_INTERVAL = 0.1
_MOST_SECONDS = 1e9


def decode(
    source: LogitsSource,
    prompt_ids: Sequence[int],
    matcher: TokenMatcher | None,
    sampler: TokenSampler,
    *,
    vocabulary: Vocabulary,
    max_tokens: int,
    stop: Iterable[str] = (),
    utf8: Utf8Mode = "mask",
    time_limit: float | None = None,
    max_bytes: int | None = None,
    stop_at_first_accept: bool = False,
    progress_interval: float | None = None,
    jump_forward: bool = False,
    kind: OutputKind = "text",
    composition_sha256: str | None = None,
    run: Run | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Generator[Event, None, None]:
    """Generate one output. Closing the generator ends the run.

    source: the model. prompt_ids: what it reads first. matcher: the grammar's state at the start of the
    output (it is moved), or None for free text. sampler: chooses among legal tokens. max_tokens: the end token
    does not count. stop: stop strings, for free text only. utf8: what to do with ill-formed bytes; "mask" keeps
    them out of free text, and replaces what a grammar allows of them. time_limit: seconds. max_bytes: of output;
    a token that would pass it is not taken. stop_at_first_accept: end as soon as the text is whole, without
    waiting for the end token. progress_interval: seconds between `Progress` events, at least 0.1; None for none.
    jump_forward: write forced tokens (see `forced`) without asking the model how it would spell them. kind,
    composition_sha256: told in `Start`. run: a handle, to cancel. clock: seconds, from any origin.

    Raises SamplingError SAMPLING_PARAM at once for bad arguments. Later failures are in the `End`.
    """
    output = TextOutput(utf8, stop)
    _check_count("max_tokens", max_tokens)
    _check_count("max_bytes", max_bytes)
    _check_seconds("time_limit", time_limit, _LEAST_TIME_LIMIT)
    _check_seconds("progress_interval", progress_interval, _LEAST_PROGRESS_INTERVAL)
    if matcher is not None and output.has_stop_strings:
        _refuse("stop", "empty under a grammar, which says itself where the text ends")
    if matcher is None and stop_at_first_accept:
        _refuse("stop_at_first_accept", "used with a grammar")
    if jump_forward and not isinstance(matcher, ForcingMatcher):
        _refuse("jump_forward", "used with a matcher that has find_jump_forward_tokens")
    run = Run() if run is None else run
    run.claim()
    bounds = _Bounds(max_tokens, max_bytes, time_limit, stop_at_first_accept, progress_interval, jump_forward)
    start = Start(run_id=run.run_id, seq=0, kind=kind, composition_sha256=composition_sha256, limits=bounds.to_json())
    matcher = FreeText(vocabulary, well_formed=utf8 == "mask") if matcher is None else matcher
    loop = _Decode(source, prompt_ids, matcher, sampler, vocabulary, bounds, output, run, clock)
    return loop.events(start)


def _check_count(name: str, value: int | None) -> None:
    if value is None and name != "max_tokens":
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        _refuse(name, "an integer >= 1")


def _check_seconds(name: str, value: float | None, least: float) -> None:
    if value is not None and not (_is_number(value) and least <= value <= _MOST_SECONDS):
        _refuse(name, f"a number of seconds, at least {least}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _refuse(name: str, wanted: str) -> NoReturn:
    raise SamplingError("SAMPLING_PARAM", name=name, range=wanted)


@dataclass(frozen=True, slots=True)
class _Bounds:
    max_tokens: int
    max_bytes: int | None
    time_limit: float | None
    stop_at_first_accept: bool
    progress_interval: float | None
    jump_forward: bool

    def to_json(self) -> dict[str, int]:
        data = {"max_tokens": self.max_tokens}
        if self.max_bytes is not None:
            data["max_bytes"] = self.max_bytes
        if self.time_limit is not None:
            data["time_limit_ms"] = round(self.time_limit * 1000)
        return data


class _Over(Exception):
    """The output is over: thrown from wherever that shows, caught once."""

    def __init__(self, stop: StopReason, error: Error | None = None) -> None:
        super().__init__(stop)
        self.stop = stop
        self.error = error


class _Decode:
    """The state of one run."""

    def __init__(
        self,
        source: LogitsSource,
        prompt_ids: Sequence[int],
        matcher: TokenMatcher,
        sampler: TokenSampler,
        vocabulary: Vocabulary,
        bounds: _Bounds,
        output: TextOutput,
        run: Run,
        clock: Callable[[], float],
    ) -> None:
        self._source = source
        self._matcher = matcher
        self._sampler = sampler
        self._vocabulary = vocabulary
        self._bounds = bounds
        self._output = output
        self._run = run
        self._clock = clock
        self._prompt_tokens = len(prompt_ids)
        self._context = list(prompt_ids)
        self._eos_bits = sum(1 << i for i in vocabulary.eos)
        self._row = array("i", bytes(4 * words_for(vocabulary.size)))
        # The same words as a batch of one, the form that the kernel takes without a detour.
        self._bitmask = memoryview(self._row).cast("B").cast("i", (1, len(self._row)))
        self._seq = 0
        self._bytes = 0
        self._replaced = 0
        self._forced = 0
        self._model_calls = 0
        self._masks = 0
        self._slowest_mask = 0.0
        self._seconds = {"mask": 0.0, "model": 0.0, "sample": 0.0}
        self._begin = self._last_progress = 0.0

    # -- the whole run ------------------------------------------------------------------------------------

    def events(self, start: Start) -> Generator[Event, None, None]:
        try:
            self._begin = self._last_progress = self._clock()
            yield start
            over = yield from self._until_over()
            self._run.end = self._end(over)
            yield self._run.end
        except BaseException:
            # The reader closed the stream (GeneratorExit), or the process is being interrupted.
            if self._run.end is None:
                self._run.cancel()
                self._run.end = self._end(_Over("closed", StreamError("STREAM_CLOSED")))
            raise

    def _until_over(self) -> Generator[Event, None, _Over]:
        try:
            while True:
                yield from self._step()
        except _Over as reason:
            over = reason
        except Error as error:
            over = _Over("dead_end" if error.code == "MASK_DEAD_END" else "failed", error)
        except Exception as defect:
            self._run.exception = defect
            over = _Over("failed", Error("INTERNAL", what=type(defect).__name__))
        if over.stop == "cancelled":
            return over
        rest = self._output.close(whole=over.stop in _COMPLETE)
        if over.stop in _COMPLETE and self._output.error is not None:
            over = _Over("failed", self._output.error)
        try:
            yield from self._deliver(rest)
            if narrowed := self._forced_close():
                yield from self._notice("BUDGET_CLOSING", narrowed)
            if not self._run.finish():
                self._check_cancelled()
        except _Over as cancelled:
            return cancelled
        return over

    # -- one step -----------------------------------------------------------------------------------------

    def _step(self) -> Iterator[Event]:
        self._check_cancelled()
        if self._bounds.jump_forward:
            yield from self._jump()
        allowed = self._mask()
        accepting = self._matcher.is_completed()
        self._stop_before_model(allowed, accepting)
        self._check_time()
        token = self._only_choice(allowed)
        if token is None:
            token = yield from self._ask(accepting)
        else:
            self._forced += 1
        self._check_cancelled()
        if token in self._vocabulary.eos:
            self._accept(token)
            raise _Over("eos")
        yield from self._write(token)

    def _jump(self) -> Iterator[Event]:
        """Write what is forced, as far as the bounds and the forbidden tokens let it."""
        if not isinstance(self._matcher, ForcingMatcher):
            return
        for token in self._matcher.find_jump_forward_tokens():
            if len(self._run.token_ids) >= self._bounds.max_tokens or token in self._sampler.sampling.forbidden:
                return
            self._check_cancelled()
            self._check_time()
            self._forced += 1
            yield from self._write(token)

    def _check_cancelled(self) -> None:
        if self._run.cancelled:
            raise _Over("cancelled", StreamError("CANCELLED", tokens=len(self._run.token_ids)))

    def _check_time(self) -> None:
        limit = self._bounds.time_limit
        if limit is not None and self._clock() - self._begin >= limit:
            raise _Over("time_limit", StreamError("BUDGET_TIME", milliseconds=round(limit * 1000)))

    def _mask(self) -> int:
        """The mask as one integer: bit i is token i."""
        before = self._seconds["mask"]
        self._timed("mask", lambda: self._matcher.fill_next_token_bitmask(self._bitmask))
        self._masks += 1
        self._slowest_mask = max(self._slowest_mask, self._seconds["mask"] - before)
        row = self._row
        if sys.byteorder == "big":
            row = row[:]
            row.byteswap()
        return int.from_bytes(row, "little")

    def _stop_before_model(self, allowed: int, accepting: bool) -> None:
        tokens = len(self._run.token_ids)
        if not allowed & ~self._eos_bits:
            if allowed or accepting:
                raise _Over("grammar_complete")
            raise MaskError("MASK_DEAD_END", tokens=tokens)
        if accepting and self._bounds.stop_at_first_accept and tokens >= self._sampler.sampling.min_tokens:
            raise _Over("grammar_complete")
        if tokens >= self._bounds.max_tokens:
            raise _Over("max_tokens", StreamError("BUDGET_TOKENS", tokens=tokens))

    def _only_choice(self, allowed: int) -> int | None:
        if allowed & (allowed - 1):
            return None
        token = allowed.bit_length() - 1
        return None if token in self._sampler.sampling.forbidden else token

    def _ask(self, accepting: bool) -> Generator[Event, None, int]:
        """Let the model score and the sampler choose."""
        self._model_calls += 1
        logits = self._timed("model", self._call_model)
        self._check_cancelled()
        self._check_time()
        ids = self._run.token_ids
        history = self._context if self._sampler.sampling.include_prompt else ids
        draw = self._timed(
            "sample",
            lambda: self._sampler.sample(
                logits, self._row, history, eos_ids=self._vocabulary.eos, accepting=accepting, step=len(ids)
            ),
        )
        for code, count in draw.notices:
            yield from self._notice(code, count)
        if draw.token is None:
            raise _Over("grammar_complete")
        return draw.token

    def _call_model(self) -> Any:
        self._check_cancelled()  # a mask may have taken long; a step of the model takes longer
        try:
            return self._source.logits(tuple(self._context))
        except Error:
            raise
        except Exception as failure:
            # Its message may hold anything, prompt text included; only the kind of failure is told.
            self._run.exception = failure
            raise ModelError("BACKEND_FAILED", what=type(failure).__name__) from None

    def _accept(self, token: int) -> None:
        if not self._matcher.accept_token(token):
            raise MaskError("MASK_STATE", tokens=len(self._run.token_ids))

    def _write(self, token: int) -> Iterator[Event]:
        data = self._vocabulary.token_bytes(token) or b""
        limit = self._bounds.max_bytes
        if limit is not None and self._bytes + len(data) > limit:
            raise _Over("max_bytes", StreamError("BUDGET_BYTES", bytes=self._bytes))
        self._accept(token)
        self._bytes += len(data)
        self._context.append(token)
        self._run.token_ids.append(token)
        yield from self._deliver(self._output.push(data))
        if self._output.stop_string is not None:
            raise _Over("stop_string")
        if self._output.error is not None:
            raise _Over("failed", self._output.error)
        yield from self._progress()

    # -- events -------------------------------------------------------------------------------------------

    def _next_seq(self) -> int:
        self._seq += 1
        return self._seq

    def _deliver(self, text: str) -> Iterator[Event]:
        """Send text, unless the run was cancelled meanwhile."""
        try:
            self._check_cancelled()
        except _Over:
            self._output.withhold(text)
            raise
        if text:
            at = self._output.length
            self._output.sent(text)
            yield Delta(
                run_id=self._run.run_id, seq=self._next_seq(), text=text, at=at, tokens=len(self._run.token_ids)
            )
        replaced, self._replaced = self._output.replaced - self._replaced, self._output.replaced
        if replaced:
            yield from self._notice("STREAM_REPLACED", replaced)

    def _notice(self, code: str, count: int) -> Iterator[Event]:
        self._check_cancelled()
        yield Notice(run_id=self._run.run_id, seq=self._next_seq(), code=code, count=count)

    def _progress(self) -> Iterator[Event]:
        interval = self._bounds.progress_interval
        if interval is None or (now := self._clock()) - self._last_progress < interval:
            return
        self._last_progress = now
        self._check_cancelled()
        yield Progress(
            run_id=self._run.run_id,
            seq=self._next_seq(),
            tokens=len(self._run.token_ids),
            accepting=self._matcher.is_completed(),
        )

    def _end(self, over: _Over) -> End:
        return End(
            run_id=self._run.run_id,
            seq=self._next_seq(),
            complete=over.stop in _COMPLETE,
            stop=over.stop,
            error=over.error,
            usage=self._usage(),
            **self._output.account(),
        )

    # -- the account of time ------------------------------------------------------------------------------

    def _forced_close(self) -> int:
        return self._matcher.forced_close if isinstance(self._matcher, ClosingMatcher) else 0

    def _timed(self, name: str, call: Callable[[], T]) -> T:
        begin = self._clock()
        try:
            return call()
        finally:
            self._seconds[name] += self._clock() - begin

    def _usage(self) -> Usage:
        micros = {name: round(seconds * 1e6) for name, seconds in self._seconds.items()}
        return Usage(
            prompt_tokens=self._prompt_tokens,
            tokens=len(self._run.token_ids),
            forced_tokens=self._forced,
            forced_close=self._forced_close(),
            model_calls=self._model_calls,
            masks=self._masks,
            mask_microseconds=micros["mask"],
            mask_microseconds_max=round(self._slowest_mask * 1e6),
            model_microseconds=micros["model"],
            sample_microseconds=micros["sample"],
            total_microseconds=round((self._clock() - self._begin) * 1e6),
        )
