"""`Plan`: what all generations of one task share, made once: constraint, examples, sampling, bounds.

`generate` makes one for a single prompt and `extract` one for many documents, so that a grammar is compiled once
and its masks stay warm. You need a plan yourself only to do what `extract` does in another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

from ..boundary.binding.source import Source, read_sources
from ..decoding.budgeted_matcher import require_budget
from ..decoding.constraint import Constraint, compile
from ..decoding.loop import decode
from ..decoding.matcher import Matcher
from ..decoding.run import Run
from ..decoding.sampler import Sampler
from ..decoding.sampling import Sampling
from ..decoding.stream import OutputKind
from ..errors import InputError, ModelError, SamplingError
from ..grammar.grammar import Grammar
from ..limits import DEFAULT_LIMITS, Limits
from ..models.chat import ChatMessage, encode_chat
from ..models.protocol import Model
from ..vocabulary.vocabulary import Vocabulary
from .filling import Filling
from .mask_clock import MaskClock
from .output import Output
from .prompt import Example, checked_examples
from .stream import Stream

if TYPE_CHECKING:
    from ..boundary.evidence.file import Evidence
    from .observation import Observation

__all__ = ["Bounds", "Plan", "constraint_of"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a generation is stopped.

    max_tokens: the end token does not count. time_limit: seconds. stop: strings that end free text; under a grammar
    there are none. complete: under a grammar, keep to tokens after which the output can be finished in time; None
    for yes, where they can be counted: not with copied or computed strings, and not with `uniqueItems` of any items.
    jump_forward: write forced tokens without asking the model how it would spell them.

    Raises SamplingError SAMPLING_PARAM, so that a bad bound is refused once and not for each row.
    """

    max_tokens: int = 512
    time_limit: float | None = None
    stop: tuple[str, ...] = ()
    complete: bool | None = None
    jump_forward: bool = False

    def __post_init__(self) -> None:
        if type(self.max_tokens) is not int or self.max_tokens < 1:
            raise SamplingError("SAMPLING_PARAM", name="max_tokens", range="an integer >= 1")
        if self.time_limit is not None and not self.time_limit > 0:
            raise SamplingError("SAMPLING_PARAM", name="time_limit", range="a number of seconds above 0")


@dataclass(frozen=True, slots=True, repr=False)
class Plan(Generic[T]):
    """One task, ready to run. Make it with `of`."""

    model: Model
    output: Output[T]
    constraint: Constraint | None
    sampling: Sampling
    bounds: Bounds
    examples: tuple[tuple[str, str], ...] = ()
    filling: Filling | None = None

    @classmethod
    def of(
        cls,
        model: Model,
        output: Output[T],
        *,
        sampling: Sampling | None = None,
        bounds: Bounds | None = None,
        examples: Iterable[Example] = (),
        copy_from_source: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> Plan[T]:
        """Compile the output's grammar for the model's vocabulary and check the examples.

        copy_from_source: hold strings with `x-source` to copies from the documents of a run.
        Raises GrammarError, SchemaError, BudgetError (BUDGET_TOO_SMALL where max_tokens is too few for any output),
        InputError, SamplingError, VocabularyError.
        """
        bounds = bounds or Bounds()
        constraint = None if output.grammar is None else constraint_of(output.grammar, model.vocabulary, limits)
        filling = Filling.of(output, model.vocabulary, copies=copy_from_source, limits=limits)
        plan = cls(
            model,
            output,
            constraint,
            Sampling() if sampling is None else sampling,
            replace(bounds, complete=_completes(bounds, constraint, filling)),
            checked_examples(examples, output, constraint),
            filling,
        )
        plan._sampler(None)  # refuses what does not fit the vocabulary, before any run
        if constraint is not None and plan.bounds.complete:
            require_budget(constraint.tokens_needed(plan.sampling.forbidden), plan.bounds.max_tokens)
        return plan

    def run(
        self,
        messages: Sequence[ChatMessage],
        *,
        seed: int | bytes | None = None,
        documents: Mapping[str, str] | None = None,
        run: Run | None = None,
        evidence: Evidence | None = None,
    ) -> Stream[T]:
        """Begin to generate the turn after `messages`.

        seed: of the random numbers; greedy choice needs none. documents: the sources of `x-source`. run: a handle.
        evidence: where the run is recorded when it is over.
        Raises ModelError (CONTEXT_OVERFLOW, CONTEXT_CONTROL_TOKEN), SamplingError, and InputError for a document that
        cannot be a source.
        """
        ids = encode_chat(self.model, messages, examples=self.examples)
        return self.run_ids(ids, seed=seed, documents=documents, run=run, evidence=evidence)

    def run_ids(
        self,
        ids: Sequence[int],
        *,
        seed: int | bytes | None = None,
        documents: Mapping[str, str] | None = None,
        run: Run | None = None,
        evidence: Evidence | None = None,
        kind: OutputKind | None = None,
    ) -> Stream[T]:
        """`run` behind a prompt that is token ids already; the plan's examples are not put before it.

        kind: what the events call the output; by default what it is.
        """
        sources = read_sources(documents)
        matcher = self._matcher(len(ids), sources)
        vocabulary = self.model.vocabulary
        watch = None if evidence is None else self._watch(evidence)
        sampler = self._sampler(seed)
        clock = None if matcher is None else (MaskClock if watch is None else watch.masks)(matcher)
        handle = Run() if run is None else run
        events = decode(
            self.model if watch is None else watch.model(self.model),
            ids,
            clock,
            sampler if watch is None else watch.sampler(sampler),
            vocabulary=vocabulary,
            max_tokens=self.bounds.max_tokens,
            stop=self.bounds.stop,
            time_limit=self.bounds.time_limit,
            jump_forward=self.bounds.jump_forward,
            kind=kind or ("json" if self.output.is_json else "text"),
            composition_sha256=None if self.constraint is None else self.constraint.source_sha256,
            run=handle,
        )
        return Stream(events, handle, clock, vocabulary, lambda text: self.output.check(text, sources), watch)

    def _watch(self, evidence: Evidence) -> Observation:
        from .observation import Observation

        return Observation(evidence, self)

    def _matcher(self, prompt_tokens: int, sources: Mapping[str, Source]) -> Matcher | None:
        """The matcher of one run. What the context still holds bounds the output as `max_tokens` does."""
        constraint, forbidden = self.constraint, self.sampling.forbidden
        closing = constraint if self.bounds.complete else None
        need = 1 if closing is None else max(1, closing.tokens_needed(forbidden))
        room = self.model.context_size - prompt_tokens
        if room < need:
            raise ModelError("CONTEXT_OVERFLOW", need=prompt_tokens + need, have=self.model.context_size)
        if self.filling is not None:
            return self.filling.matcher(sources)
        if closing is None:
            return None if constraint is None else constraint.matcher()
        return closing.matcher(token_budget=min(self.bounds.max_tokens, room), forbidden=forbidden)

    def _sampler(self, seed: int | bytes | None) -> Sampler:
        vocabulary = self.model.vocabulary
        return Sampler(self.sampling, logits_width=vocabulary.logits_width, vocabulary_size=vocabulary.size, seed=seed)


def _completes(bounds: Bounds, constraint: Constraint | None, filling: Filling | None) -> bool:
    """Whether outputs are to be finished in time. Raises InputError where that is asked for and cannot be done."""
    if bounds.complete is False:
        return False
    if filling is None and (constraint is None or constraint.is_whole):
        return True
    if bounds.complete:
        kind = "copied and computed strings"
        if filling is None:
            kind = "items that must differ, or of a schema that is too large as a whole,"
        raise InputError("INPUT_FORMAT", name="complete", what=f"the tokens of {kind} cannot be counted; leave it out")
    return False


class _Key:
    """A grammar and a vocabulary as a cache key, equal by digest; a grammar itself has no hash."""

    __slots__ = ("digest", "grammar", "limits", "vocabulary")

    def __init__(self, grammar: Grammar, vocabulary: Vocabulary, limits: Limits) -> None:
        self.grammar, self.vocabulary, self.limits = grammar, vocabulary, limits
        self.digest = (grammar.source_sha256, vocabulary.fingerprint, limits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


@lru_cache(maxsize=16)
def _compiled(key: _Key) -> Constraint:
    return compile(key.grammar, key.vocabulary, limits=key.limits)


def constraint_of(grammar: Grammar, vocabulary: Vocabulary, limits: Limits = DEFAULT_LIMITS) -> Constraint:
    """The compiled grammar; the last few are kept, so that calling `generate` in a loop compiles once."""
    return _compiled(_Key(grammar, vocabulary, limits))
