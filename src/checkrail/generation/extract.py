"""`extract`: many documents, one row of output for each.

    for row in checkrail.extract(["Acme Ltd, 41.50 EUR"], Invoice, model=model):
        if row.ok:
            print(row.value)

The grammar is compiled once and the examples stay in the model's cache, so a document costs its own tokens and its
answer's. Every document gives exactly one row: with a value if the output is complete and free of faults, otherwise
with the reason why it has none. A row that fails does not stop the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, Unpack, overload

from ..boundary.validation.report import Fault, Span
from ..decoding.sampling import Sampling
from ..decoding.stream import Event, StopReason, Usage
from ..errors import Error
from ..grammar.grammar import Grammar
from ..limits import DEFAULT_LIMITS, Limits
from ..models.protocol import Model
from .documents import InputRow
from .output import Output, Schema
from .plan import Bounds, Plan
from .prompt import Example, turns
from .result import SCHEMA_VERSION, Result

if TYPE_CHECKING:
    from ..boundary.evidence.file import Evidence

__all__ = ["INSTRUCTIONS", "Row", "extract"]

T = TypeVar("T")
INSTRUCTIONS = "Read the document and write what it says as JSON."
OnEvent = Callable[[InputRow, Event], None]


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """What became of one document. id: the document's. sha256: of its UTF-8 text. error: why there was no run."""

    id: str
    sha256: str
    result: Result[T] | None = None
    error: Error | None = None

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.result is not None and self.result.ok

    @property
    def complete(self) -> bool:
        """Whether the output is whole."""
        return self.result is not None and self.result.complete

    @property
    def value(self) -> T | None:
        """The value, or None: an output that is cut off or has faults is not offered."""
        return self.result.value if self.result is not None and self.result.ok else None

    @property
    def text(self) -> str:
        """All that was generated."""
        return "" if self.result is None else self.result.text

    @property
    def stop(self) -> StopReason | None:
        """Why the run ended; None if there was none."""
        return None if self.result is None else self.result.stop

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What the check found."""
        return () if self.result is None else self.result.faults

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where values stand in the document."""
        return () if self.result is None else self.result.spans

    @property
    def usage(self) -> Usage | None:
        """Counts and times of the run."""
        return None if self.result is None else self.result.usage

    def to_json(self) -> dict[str, Any]:
        """The row as plain data, for one line of JSON. value: null unless `ok`; raw: what was generated."""
        head = {"schema_version": SCHEMA_VERSION, "row": self.id, "sha256": self.sha256}
        if self.result is None:
            error = None if self.error is None else self.error.to_json()
            nothing: dict[str, Any] = {"value": None, "raw": "", "faults": [], "spans": [], "usage": None}
            return {**head, "complete": False, "ok": False, "stop": None, "error": error, **nothing}
        data = self.result.to_json()
        names = ("complete", "ok", "stop", "error", "value")
        rest = {"raw": data["text"], "faults": data["faults"], "spans": data["spans"], "usage": data["usage"]}
        return {**head, **{name: data[name] for name in names}, **rest}

    def __repr__(self) -> str:
        state = "ok" if self.ok else "no value"
        return f"<Row {self.id} {state}>"


class Options(TypedDict, total=False):
    """The keyword arguments of `extract` beside the model, for the overloads; `extract` says what they mean."""

    instructions: str | None
    examples: Iterable[Example]
    sampling: Sampling | None
    max_tokens: int
    seed: int | None
    time_limit: float | None
    complete: bool | None
    copy_from_source: bool
    limits: Limits
    on_event: OnEvent | None
    evidence: Evidence | None


Rows = Iterable[InputRow | str]


@overload
def extract(rows: Rows, output: Output[T], *, model: Model, **options: Unpack[Options]) -> Iterator[Row[T]]: ...
@overload
def extract(rows: Rows, output: Grammar, *, model: Model, **options: Unpack[Options]) -> Iterator[Row[str]]: ...
@overload
def extract(rows: Rows, output: Schema, *, model: Model, **options: Unpack[Options]) -> Iterator[Row[Any]]: ...
@overload
def extract(rows: Rows, output: type[T], *, model: Model, **options: Unpack[Options]) -> Iterator[Row[T]]: ...
@overload
def extract(rows: Rows, output: object, *, model: Model, **options: Unpack[Options]) -> Iterator[Row[Any]]: ...
def extract(
    rows: Rows,
    output: Any,
    *,
    model: Model,
    instructions: str | None = INSTRUCTIONS,
    examples: Iterable[Example] = (),
    sampling: Sampling | None = None,
    max_tokens: int = 512,
    seed: int | None = None,
    time_limit: float | None = None,
    complete: bool | None = False,
    copy_from_source: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    on_event: OnEvent | None = None,
    evidence: Evidence | None = None,
) -> Iterator[Row[Any]]:
    """One row for each document, as they are read.

    rows: documents as texts, or as `documents.read_rows` gives them. output: as in `generate`, but not free text.
    instructions: the system's turn; None for none. examples: pairs of a document and its answer. seed: with it, a
    document's random choices depend on the seed and its text alone, whatever stands around it. max_tokens,
    time_limit (seconds): for each document. complete: as in `generate`, but off by default, since a row that was cut
    is told apart more easily than a value that was shortened. on_event: is told each event of each run, to show
    progress.

    In the check, `x-source` finds the text of the row as the document "document". copy_from_source: strings with
    `x-source` are copies from it already in the mask, so that the model cannot write one that the document does not
    have; they keep to `minLength`, `maxLength`, `pattern`, `format` and `enum` beside it. A row whose document has no
    text for a value that the schema asks for gets the error COPY_NOTHING. `complete` cannot be had then.

    Raises at once what concerns all rows (GrammarError, SchemaError, InputError, SamplingError), and what `rows`
    raises when it is reached. What concerns one row is in the row.
    """
    if evidence is not None:
        evidence.require_open()
    bounds = Bounds(max_tokens, time_limit, complete=complete)
    plan: Plan[Any] = Plan.of(
        model,
        Output.of(output, limits=limits).required_grammar(),
        sampling=sampling,
        bounds=bounds,
        examples=examples,
        copy_from_source=copy_from_source,
        limits=limits,
    )
    return (
        _extract_row(plan, row, number, instructions, seed, on_event, evidence) for number, row in enumerate(rows, 1)
    )


def _extract_row(
    plan: Plan[Any],
    row: InputRow | str,
    number: int,
    instructions: str | None,
    seed: int | None,
    on_event: OnEvent | None,
    evidence: Evidence | None,
) -> Row[Any]:
    document = InputRow(str(number), row) if isinstance(row, str) else row
    digest = sha256(document.text.encode("utf-8", "surrogatepass"))
    if document.error is not None:
        return Row(document.id, digest.hexdigest(), error=document.error)
    own_seed = None if seed is None else f"{seed}/{digest.hexdigest()}".encode()
    try:
        run = plan.run(
            turns(document.text, instructions),
            seed=own_seed,
            documents={"document": document.text},
            evidence=evidence,
        )
    except Error as error:
        return Row(document.id, digest.hexdigest(), error=error)
    with run:
        for event in run:
            if on_event is not None:
                on_event(document, event)
        result = run.result()
    return Row(document.id, digest.hexdigest(), result, result.error)
