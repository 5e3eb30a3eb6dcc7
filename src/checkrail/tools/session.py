"""`Session`: a conversation in which a local model may use tools.

    session = Session(model, [calculate, write_note], confirm=TerminalConfirmer(), roots={"notebook": folder})
    answer = session.run("What is 17 * 23? Write it down.")

The boundary's session (`gate`) says which tools there are and what may run; this one adds the model that proposes. A
step of the model is an answer or a call, under one grammar. A call is stamped, checked, decided upon, perhaps asked
for, run, checked again, and its result put in front of the model as text of others, with a line that says where it is
from. Nothing is repaired and nothing is tried again: a call that fails is told to the model, which may propose another.

After a call that was not allowed, the model may only answer in this turn: who said no is not asked again at once. A
turn that does not come to an answer leaves no trace in the conversation; what its tools did is done.

You need it to build an assistant. For a call without a model use `boundary.calls.carry`.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NoReturn

from .. import __version__
from ..boundary.authority import Authority, OnTaint
from ..boundary.calls.budgets import SessionLimits
from ..boundary.calls.carry import Runner
from ..boundary.calls.composition import Composition
from ..boundary.canon import dumps
from ..boundary.confirm import Confirmer
from ..boundary.reinsert import (
    BOUNDARY_NOTICE,
    ReinsertKey,
    Template,
    Trusted,
    Turn,
    UserText,
    adapt,
    fitting_template,
)
from ..boundary.session import HiddenText
from ..boundary.session import Session as Gate
from ..boundary.tools.tool import Tool
from ..boundary.validate import validate
from ..decoding.sampling import Sampling
from ..errors import InputError
from ..generation.output import Output
from ..generation.plan import Bounds, Plan
from ..models.protocol import Model
from .answer import Answer
from .example import Example, nearest
from .turn import TurnStream
from .writing import ANSWER_ONLY, answer_text, call_text, step_schema

if TYPE_CHECKING:
    from ..boundary.evidence.file import Evidence

__all__ = ["SYSTEM", "Session"]

SYSTEM = "Answer, or call a tool that helps to answer."
_LONGEST_NAME, _LONGEST_BACKEND = 128, 32


class Session:
    """One conversation of one model; one turn at a time.

    model: from `load_model`. tools, confirm, authority, lockfile, roots, on_taint, limits, hidden: as in the boundary's
    session. system: the developer's words before the conversation. examples: see `Example`; shown_examples: put so many
    of them before each prompt, those that show the next step best, and not all of them before the first. memory: how
    many turns of the conversation the model sees again; by default all, until its context is full (CONTEXT_OVERFLOW).
    sampling: greedy by default. max_tokens, time_limit (seconds): of one step. template: how turns are marked; by
    default the built-in one that fits the model. evidence: gets one record for each turn. runner: what runs tools that
    get a process of their own.

    Raises what the boundary's session raises; SchemaError where a tool's schema cannot be held by a mask; InputError
    for an example that is none; and what `Plan.of` raises.
    """

    def __init__(
        self,
        model: Model,
        tools: Iterable[Tool],
        *,
        confirm: Confirmer | None = None,
        authority: Authority = Authority.AUTO_PURE,
        lockfile: str | os.PathLike[str] | None = None,
        roots: Mapping[str, str | os.PathLike[str]] | None = None,
        on_taint: OnTaint | None = None,
        limits: SessionLimits | None = None,
        hidden: HiddenText = "refuse",
        system: str = SYSTEM,
        examples: Sequence[Example] = (),
        shown_examples: int | None = None,
        memory: int | None = None,
        sampling: Sampling | None = None,
        max_tokens: int = 512,
        time_limit: float | None = None,
        template: Template | None = None,
        evidence: Evidence | None = None,
        runner: Runner | None = None,
    ) -> None:
        if evidence is not None:
            evidence.require_open()
        self.model = model
        self.evidence = evidence
        self.runner = runner
        self.tokenizer = adapt(model)
        self.template: Template = fitting_template(self.tokenizer) if template is None else template
        self.key = ReinsertKey.new()
        self.history: deque[tuple[Turn, ...]] = deque(maxlen=memory)  # the turns that came to an answer
        self.shown: set[str] = set()  # the lines of provenance that were told
        self.gate = Gate(
            tools,
            composition=self._composed,
            authority=authority,
            confirm=confirm,
            lockfile=lockfile,
            roots=roots,
            on_taint=on_taint,
            limits=limits,
            hidden=hidden,
        )
        schemas = {name: pinned.tool.manifest.input_schema for name, pinned in self.gate.tools.items()}
        bounds = Bounds(max_tokens, time_limit)
        self.plan = Plan.of(model, Output.of(step_schema(schemas)), sampling=sampling, bounds=bounds)
        self.answer_plan = Plan.of(model, Output.of(ANSWER_ONLY), sampling=sampling, bounds=bounds)
        self.input_schemas = {name: pinned.ref.input_schema_sha256 for name, pinned in self.gate.tools.items()}
        self._examples = {example: self._rehearsed(example) for example in examples}
        self._shown_examples = shown_examples
        self._system = Turn.of("system", Trusted(f"{system}\n{BOUNDARY_NOTICE}"))
        self._busy = threading.Lock()

    def run(
        self, prompt: str, *, documents: Mapping[str, str] | None = None, seed: int | bytes | None = None
    ) -> Answer:
        """One turn, to its end. The arguments and errors are those of `stream`."""
        with self.stream(prompt, documents=documents, seed=seed) as turn:
            return turn.answer()

    def stream(
        self, prompt: str, *, documents: Mapping[str, str] | None = None, seed: int | bytes | None = None
    ) -> TurnStream:
        """Begin one turn, and give its events as they come.

        prompt: what the user says. It is data: whatever it spells, no control token comes of it. documents: text of
        others that belongs to it, by ids (ASCII letters, digits, `_.@-`); from then on the session is tainted.
        seed: of the random numbers, where sampling has any.

        A turn works when it is read; in asyncio read it through `decoding.event_queue.EventQueue`. Raises `InputError`
        INPUT_FORMAT: a bad prompt or document, a turn that is not over yet, a session that is closed. Whatever goes
        wrong later is in the answer.
        """
        return TurnStream(self, prompt, documents or {}, seed)

    def before(self, prompt: str, called: str | None) -> list[Turn]:
        """What stands in front of this prompt: the system's words, the examples, the conversation.

        called: the tool that was called last in this turn, if one was.
        """
        history = [turn for turns in self.history for turn in turns]
        if self._shown_examples is None:
            return [self._system, *(turn for turns in self._examples.values() for turn in turns), *history]
        known = list(self._examples)
        if called is None:
            turns = [self._examples[n][:2] for n in nearest(known, prompt, self._shown_examples)]
        else:
            whole = [n for n in known if n.tool == called and n.result is not None]
            turns = [self._examples[n] for n in nearest(whole, prompt, self._shown_examples)]
        return [self._system, *history, *(turn for each in turns for turn in each)]

    def close(self) -> None:
        """The end: nothing that was asked or approved counts any more, and nothing new is."""
        self.gate.close()

    def begin(self) -> None:
        """Take the session for one turn; for `TurnStream`. Raises `InputError`."""
        if self.gate.is_closed:
            raise InputError("INPUT_FORMAT", name="The session", what="is closed")
        if not self._busy.acquire(blocking=False):
            raise InputError("INPUT_FORMAT", name="The session", what="has a turn that is not over")
        self.gate.begin_turn()

    def end(self, turns: Sequence[Turn]) -> None:
        """Give the session back, with what the turn adds to the conversation; for `TurnStream`."""
        if turns:
            self.history.append(tuple(turns))
        self._busy.release()

    def _composed(self) -> Composition:
        """What calls come from, looked at anew for each call."""
        model = self.model
        return Composition(
            model_id=_ascii(model.name, _LONGEST_NAME),
            model_sha256=getattr(model, "sha256", None),
            tokenizer_sha256=model.vocabulary.fingerprint,
            template_sha256=self.template.sha256,
            grammar_sha256=self.grammar_sha256,
            sampling_sha256=_digest(self.plan.sampling),
            backend=_ascii(type(model).__name__, _LONGEST_BACKEND),
            compiler=f"checkrail {__version__}",
        )

    @property
    def grammar_sha256(self) -> str:
        """Of what the model may write."""
        assert self.plan.constraint is not None
        return self.plan.constraint.sha256

    def _rehearsed(self, example: Example) -> list[Turn]:
        """The turns of an example. Raises `InputError` INPUT_FORMAT if it is not what the model may do."""
        turns = [Turn.of("user", UserText(example.prompt))]
        if example.tool is not None:
            pinned = self.gate.tools.get(example.tool)
            if pinned is None:
                _refuse(example, "names a tool that the session does not have")
            manifest = pinned.tool.manifest
            _check(example, "arguments", dict(example.arguments), manifest.input_schema)
            turns.append(self._said(example, call_text(example.tool, example.arguments)))
            if example.result is not None:
                _check(example, "result", example.result, manifest.output_schema)
                turns.append(Turn.of("user", UserText(dumps(example.result).decode())))
        if example.answer is not None:
            turns.append(self._said(example, answer_text(example.answer)))
        return turns

    def _said(self, example: Example, text: str) -> Turn:
        assert self.plan.constraint is not None
        if self.plan.constraint.matcher().explain(text.encode("utf-8", "surrogatepass")) is not None:
            _refuse(example, "has a step that the grammar does not allow")
        return Turn.of("assistant", UserText(text))

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Session {len(self.history)} turns in memory, {self.gate!r}>"


def _check(example: Example, what: str, value: Any, schema: Mapping[str, Any]) -> None:
    report = validate(value, dict(schema), limit=1)
    if not report.ok:
        _refuse(example, f"has {what} with a fault: {report.faults[0]}".rstrip("."))


def _refuse(example: Example, what: str) -> NoReturn:
    raise InputError("INPUT_FORMAT", name=f"The example {example.prompt[:40]!r}", what=what)


def _ascii(text: str, longest: int) -> str:
    """A name for the composition; what is not ASCII is escaped."""
    kept = "".join(c if " " <= c <= "~" else f"\\u{{{ord(c):X}}}" for c in text)
    return kept[:longest] or "unknown"


def _digest(sampling: Sampling) -> str:
    plain: dict[str, Any] = {f.name: getattr(sampling, f.name) for f in fields(sampling)}
    return hashlib.sha256(dumps({**plain, "forbidden": sorted(sampling.forbidden)}, max_bytes=2**26)).hexdigest()
