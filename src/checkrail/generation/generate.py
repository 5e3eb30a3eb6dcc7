"""`generate` and `stream`: one prompt, one output of the type that was asked for.

    result = checkrail.generate(model, "Invoice: Acme Ltd, 41.50 EUR.", Invoice)
    if result.ok:
        result.value  # an Invoice

The model writes through the mask, so the text has the output's shape; it is then parsed strictly and checked. What
is cut off or has faults has no `value`. Nothing is repaired, and nothing is tried a second time.

For many documents use `extract`, which prepares once. For a loop of your own use `compile` and `Matcher`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, overload

from ..decoding.run import Run
from ..decoding.sampling import Sampling
from ..grammar.grammar import Grammar
from ..limits import DEFAULT_LIMITS, Limits
from ..models.protocol import Model
from .output import Output, Schema
from .plan import Bounds, Plan
from .prompt import Example, Prompt, turns
from .result import Result
from .stream import Stream

if TYPE_CHECKING:
    from ..boundary.evidence.file import Evidence

__all__ = ["Result", "Stream", "generate", "stream"]

T = TypeVar("T")


class Options(TypedDict, total=False):
    """The keyword arguments of `generate` and `stream`, for the overloads; `generate` says what they mean."""

    examples: Iterable[Example]
    system: str | None
    sampling: Sampling | None
    max_tokens: int
    seed: int | bytes | None
    time_limit: float | None
    stop: Iterable[str]
    documents: Mapping[str, str] | None
    complete: bool | None
    copy_from_source: bool
    jump_forward: bool
    limits: Limits
    run: Run | None
    evidence: Evidence | None


@overload
def stream(model: Model, prompt: Prompt, output: None = None, **options: Unpack[Options]) -> Stream[str]: ...
@overload
def stream(model: Model, prompt: Prompt, output: Output[T], **options: Unpack[Options]) -> Stream[T]: ...
@overload
def stream(model: Model, prompt: Prompt, output: Grammar, **options: Unpack[Options]) -> Stream[str]: ...
@overload
def stream(model: Model, prompt: Prompt, output: Schema, **options: Unpack[Options]) -> Stream[Any]: ...
@overload
def stream(model: Model, prompt: Prompt, output: type[T], **options: Unpack[Options]) -> Stream[T]: ...
@overload
def stream(model: Model, prompt: Prompt, output: object, **options: Unpack[Options]) -> Stream[Any]: ...
def stream(
    model: Model,
    prompt: Prompt,
    output: Any = None,
    *,
    examples: Iterable[Example] = (),
    system: str | None = None,
    sampling: Sampling | None = None,
    max_tokens: int = 512,
    seed: int | bytes | None = None,
    time_limit: float | None = None,
    stop: Iterable[str] = (),
    documents: Mapping[str, str] | None = None,
    complete: bool | None = None,
    copy_from_source: bool = False,
    jump_forward: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    run: Run | None = None,
    evidence: Evidence | None = None,
) -> Stream[Any]:
    """Begin a generation, and give its events as they come.

    The arguments and the errors are those of `generate`. `Stream.result()` is the result at the end; it reads what
    has not been read. Closing the stream stops the model.
    """
    target: Output[Any] = Output.of(output, limits=limits)
    bounds = Bounds(max_tokens, time_limit, tuple(stop), complete, jump_forward)
    plan = Plan.of(
        model,
        target,
        sampling=sampling,
        bounds=bounds,
        examples=examples,
        copy_from_source=copy_from_source,
        limits=limits,
    )
    return plan.run(turns(prompt, system), seed=seed, documents=documents, run=run, evidence=evidence)


@overload
def generate(model: Model, prompt: Prompt, output: None = None, **options: Unpack[Options]) -> Result[str]: ...
@overload
def generate(model: Model, prompt: Prompt, output: Output[T], **options: Unpack[Options]) -> Result[T]: ...
@overload
def generate(model: Model, prompt: Prompt, output: Grammar, **options: Unpack[Options]) -> Result[str]: ...
@overload
def generate(model: Model, prompt: Prompt, output: Schema, **options: Unpack[Options]) -> Result[Any]: ...
@overload
def generate(model: Model, prompt: Prompt, output: type[T], **options: Unpack[Options]) -> Result[T]: ...
@overload
def generate(model: Model, prompt: Prompt, output: object, **options: Unpack[Options]) -> Result[Any]: ...
def generate(
    model: Model,
    prompt: Prompt,
    output: Any = None,
    *,
    examples: Iterable[Example] = (),
    system: str | None = None,
    sampling: Sampling | None = None,
    max_tokens: int = 512,
    seed: int | bytes | None = None,
    time_limit: float | None = None,
    stop: Iterable[str] = (),
    documents: Mapping[str, str] | None = None,
    complete: bool | None = None,
    copy_from_source: bool = False,
    jump_forward: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    run: Run | None = None,
    evidence: Evidence | None = None,
) -> Result[Any]:
    """Generate one output and wait for it.

    model: from `load_model`, or any `models.protocol.Model`; one generation at a time. prompt: a text, which becomes
    one user turn, or the turns of a conversation. output: a type that Pydantic understands, a JSON Schema, a
    `Grammar`, None for free text, or an `Output` for the grammar's options. examples: pairs of a document and its
    answer, put before the prompt as turns. system: a first turn by the system. sampling: greedy by default. seed:
    replays the random choices of another sampling. max_tokens, time_limit (seconds): bounds; an output that they
    cut is incomplete. stop: strings that end free text. documents: sources by id, for `x-source`. run: a handle to
    cancel it by. evidence: records how the run ended, without a word of what was asked or written.

    complete: under a grammar, `max_tokens` never cuts the output. Towards the end the mask keeps to what can be
    finished in time, so a text may end sooner than the model meant; `usage.forced_close` counts the masks that were
    narrowed. Fewer tokens than any output needs are refused at once. None: so, but not where strings are copied or
    computed (`copy_from_source`, `CalcEquation`) or any items must differ (`uniqueItems` in the open profile), whose
    tokens cannot be counted. copy_from_source: strings with
    `x-source` are copies from `documents` already in the mask; see `extract`. jump_forward: write what the grammar
    forces without asking the model how it would cut it into tokens; faster, but what follows may differ.

    Raises what is wrong beforehand: GrammarError, SchemaError, BudgetError, InputError, SamplingError,
    VocabularyError, ModelError. What goes wrong during the run is in the result, as `error`. Evidence that cannot be
    written raises InputError OUTPUT_WRITE; a `stream` still gives the result then.
    """
    return stream(
        model,
        prompt,
        output,
        examples=examples,
        system=system,
        sampling=sampling,
        max_tokens=max_tokens,
        seed=seed,
        time_limit=time_limit,
        stop=stop,
        documents=documents,
        complete=complete,
        copy_from_source=copy_from_source,
        jump_forward=jump_forward,
        limits=limits,
        run=run,
        evidence=evidence,
    ).result()
