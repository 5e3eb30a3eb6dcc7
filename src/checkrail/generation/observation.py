"""Watching one run for its evidence: times of each step, how much each mask allowed, what came of the output.

`Plan.run` makes an `Observation` where evidence is wanted and runs the loop through its watches; the `Stream` hands
over the result when the run is over. What is noted are numbers; the text goes past.

You need it nowhere else. Without evidence nothing here runs.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .. import __version__
from ..boundary.evidence.file import Evidence
from ..boundary.evidence.record import RunRecord
from ..boundary.evidence.setting import SECONDS_OF_AN_HOUR, Bounds, Environment
from ..boundary.evidence.types import (
    ChatTemplate,
    Code,
    CodeCount,
    Digest,
    Extremes,
    FiveNumbers,
    Id,
    Implementation,
    Kernel,
    OutputKind,
    Platform,
    Stop,
    Version,
    coarse,
)
from ..decoding.protocols import LogitsSource, TokenMatcher, TokenSampler
from ..decoding.sampling import Draw, Sampling
from ..decoding.stream import End, Event, Notice
from ..errors import InputError
from ..mask import kernel
from ..mask.bitmask import bitmask_row
from ..models.chat import chat_template
from .mask_clock import MaskClock
from .result import Result

if TYPE_CHECKING:
    from .plan import Plan

__all__ = ["Observation", "bounds_of", "code_counts", "environment", "model_digest", "this_hour"]

T = TypeVar("T")


class Observation:
    """One run, watched.

    Raises InputError: OUTPUT_WRITE where the evidence is closed, INPUT_FORMAT where the model's `sha256` is none.
    """

    def __init__(self, evidence: Evidence, plan: Plan[Any]) -> None:
        evidence.require_open()
        self._evidence = evidence
        self._plan = plan
        self._model_sha256 = model_digest(plan.model)
        self._notices: Counter[str] = Counter()
        self._clock: _Masks | None = None
        self._model: _Model | None = None
        self._sampler: _Sampler | None = None

    def masks(self, matcher: TokenMatcher) -> MaskClock:
        """The matcher, watched."""
        self._clock = _Masks(matcher)
        return self._clock

    def model(self, source: LogitsSource) -> LogitsSource:
        """The model, watched."""
        self._model = _Model(source)
        return self._model

    def sampler(self, sampler: TokenSampler) -> TokenSampler:
        """The sampler, watched."""
        self._sampler = _Sampler(sampler)
        return self._sampler

    def note(self, event: Event) -> None:
        """Take in an event of the run."""
        if isinstance(event, Notice):
            self._notices[event.code] += event.count

    def conclude(self, result: Result[Any], end: End) -> None:
        """Write the record of the run. Raises what `Evidence.emit` raises."""
        self._evidence.emit(self._record(result, end))

    def _record(self, result: Result[Any], end: End) -> RunRecord:
        plan, usage = self._plan, end.usage
        masks = self._clock
        return RunRecord(
            session=self._evidence.session,
            run=Id.new("rn"),
            hour=this_hour(),
            environment=environment(),
            model_sha256=self._model_sha256,
            tokenizer_sha256=Digest(plan.model.vocabulary.fingerprint),
            template=ChatTemplate(chat_template(plan.model)),
            kind=_kind(plan),
            grammar_tag=None if plan.constraint is None else self._evidence.tag(plan.constraint.source_sha256.encode()),
            bounds=bounds_of(plan),
            prompt_tokens=usage.prompt_tokens,
            output_tokens=usage.tokens,
            output_bytes=len(result.raw),
            allowed_tokens=None if masks is None else Extremes.of(masks.allowed),
            mask_microseconds=None if masks is None else FiveNumbers.of(masks.microseconds),
            model_microseconds=None if self._model is None else FiveNumbers.of(self._model.microseconds),
            sample_microseconds=None if self._sampler is None else FiveNumbers.of(self._sampler.microseconds),
            total_microseconds=usage.total_microseconds,
            utf8_held=len(end.held_hex) // 2,
            stop=Stop(end.stop),
            complete=end.complete,
            code=None if end.code is None else Code(end.code),
            notices=code_counts(self._notices),
            faults=code_counts(Counter(fault.code for fault in result.faults)),
            faults_not_listed=0 if result.report is None else result.report.more,
        )


class _Masks(MaskClock):
    """A `MaskClock` that counts as well what each mask allows."""

    __slots__ = ("allowed",)

    def __init__(self, matcher: TokenMatcher) -> None:
        super().__init__(matcher)
        self.allowed: list[int] = []

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        """The mask, timed and counted."""
        found = super().fill_next_token_bitmask(bitmask, index)
        self.allowed.append(int.from_bytes(bitmask_row(bitmask, index, 1), sys.byteorder).bit_count())
        return found


class _Timed:
    """Something whose calls are timed."""

    def __init__(self) -> None:
        self.microseconds: list[int] = []

    def _time(self, call: Callable[[], T]) -> T:
        begin = time.perf_counter()
        try:
            return call()
        finally:
            self.microseconds.append(round((time.perf_counter() - begin) * 1e6))


class _Model(_Timed):
    def __init__(self, source: LogitsSource) -> None:
        super().__init__()
        self._source = source

    def logits(self, ids: Sequence[int], /) -> Any:
        """Passed on."""
        return self._time(lambda: self._source.logits(ids))


class _Sampler(_Timed):
    def __init__(self, sampler: TokenSampler) -> None:
        super().__init__()
        self._sampler = sampler

    @property
    def sampling(self) -> Sampling:
        """Passed on."""
        return self._sampler.sampling

    def sample(
        self,
        logits: Any,
        bitmask: Any,
        history: Sequence[int],
        *,
        eos_ids: Collection[int] = (),
        accepting: bool = False,
        step: int | None = None,
    ) -> Draw:
        """Passed on."""
        return self._time(
            lambda: self._sampler.sample(logits, bitmask, history, eos_ids=eos_ids, accepting=accepting, step=step)
        )


def this_hour() -> int:
    """Seconds since 1970, cut to the hour."""
    return int(time.time()) // SECONDS_OF_AN_HOUR * SECONDS_OF_AN_HOUR


def environment() -> Environment:
    """Of this process."""
    return Environment(
        library=Version.of(__version__),
        implementation=Implementation.here(),
        python=Version(*sys.version_info[:3]),
        platform=Platform.here(),
        kernel=Kernel(kernel.mode()),
    )


def model_digest(model: object) -> Digest | None:
    """What the model says that its file's SHA-256 is, if it says so: the attribute is no part of the protocol."""
    digest = getattr(model, "sha256", None)
    if digest is None:
        return None
    try:
        return Digest(digest)
    except ValueError:
        raise InputError("INPUT_FORMAT", name="model.sha256", what="must be 64 hexadecimal digits") from None


def _kind(plan: Plan[Any]) -> OutputKind:
    if plan.output.is_json:
        return OutputKind.JSON
    return OutputKind.FREE if plan.constraint is None else OutputKind.GRAMMAR


def bounds_of(plan: Plan[Any]) -> Bounds:
    """What a run of the plan has to keep to. An automaton is counted where it was made as a whole: not for this."""
    limit, constraint = plan.bounds.time_limit, plan.constraint
    is_whole = constraint is not None and (plan.bounds.complete or not constraint.is_on_demand)
    report = constraint.report if constraint is not None and is_whole else None
    return Bounds(
        max_tokens=plan.bounds.max_tokens,
        time_limit_ms=None if limit is None else round(limit * 1000),
        context_tokens=plan.model.context_size,
        states=None if report is None else coarse(report.states),
        transitions=None if report is None else coarse(report.transitions),
    )


def code_counts(counter: Counter[str]) -> tuple[CodeCount, ...]:
    """The codes in order of the alphabet."""
    return tuple(CodeCount(Code(code), count) for code, count in sorted(counter.items()))
