"""`TurnStream`: one turn of a session under way. It is the loop: write, call, read what came back, until an answer.

    for event in session.stream("What is 17 * 23?"):
        ...

The model writes when the stream is read. A call is carried in a thread of its own, so that its states can be told while
a person is being asked or a tool runs. `cancel` works at any point and from any thread: the model stops after its
present step, an open question is void, a tool that runs is killed; what it had done by then is done.

You need it to show a turn as it goes. `Session.run` reads one to its end.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from ..boundary.calls.call import Call
from ..boundary.calls.proposal import Proposal
from ..boundary.calls.states import CallState
from ..boundary.reinsert import OwnTokens, Prompt, ToolOutput, Turn, Untrusted, UserText, build
from ..decoding.finish import Final
from ..decoding.run import Run
from ..errors import Error, StreamError
from ..generation.plan import Plan
from .answer import Answer, TurnStop
from .carrying import carried
from .events import CallChanged, Finished, Inserted, TurnEvent
from .record import TurnNotes
from .writing import answer_of

if TYPE_CHECKING:
    from .session import Session

__all__ = ["TurnStream"]

_NOT_ALLOWED = (CallState.DENIED, CallState.EXPIRED)


class TurnStream:
    """The events of one turn. Reading it to the end, or closing it, gives the session back."""

    def __init__(self, session: Session, prompt: str, documents: Mapping[str, str], seed: int | bytes | None) -> None:
        inputs = [Untrusted(text, f"doc:{name}") for name, text in documents.items()]
        self._session = session
        self._asked = Turn.of("user", UserText(prompt), *inputs)
        self._prompt_text = prompt
        self._called: str | None = None
        self._added: list[Turn] = [self._asked]
        self._seed = seed
        self._lock = threading.Lock()
        self._current: Run | Call | None = None
        self._cancelled = self._over = False
        self._notes = TurnNotes(session)
        self._answer: Answer | None = None
        session.begin()
        for part in inputs:
            session.gate.taint.add(part.source, part.text)
        self._events = self._work()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> TurnEvent:
        return next(self._events)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def cancel(self) -> bool:
        """Stop the turn; from any thread. False if it was over already."""
        with self._lock:
            if self._over:
                return False
            self._cancelled, current = True, self._current
        if current is not None:
            current.cancel()
        return True

    def close(self) -> None:
        """Read no further: what is under way is cancelled, and waited for."""
        if self._answer is None:
            self.cancel()
            for _ in self._events:  # nothing new begins; the end is written down
                pass

    def answer(self) -> Answer:
        """How it ended; reads the rest of the stream first."""
        for _ in self._events:
            pass
        assert self._answer is not None
        return self._answer

    # -- the loop -----------------------------------------------------------------------------------------

    def _work(self) -> Generator[TurnEvent, None, None]:
        text, error = None, None
        try:
            text = yield from self._until_answer()
        except Error as failure:
            error = failure
        except BaseException:
            self._conclude(None, StreamError("STREAM_CLOSED"))
            raise
        yield Finished(self._conclude(text, error))

    def _until_answer(self) -> Generator[TurnEvent, None, str]:
        session, may_call = self._session, True
        while True:
            may_call = may_call and session.gate.budgets.calls_left > 0
            written = yield from self._write(session.plan if may_call else session.answer_plan)
            answer = answer_of(written.text)
            if answer is not None:
                return answer
            call = yield from self._carry(written)
            if call.result is None:  # it never became a request, so there is nothing to tell the model
                raise call.error or Error("INTERNAL", what="a call without an end")
            assert call.pinned is not None
            output = ToolOutput(call.result, max_tokens=call.pinned.registered.limits.result_tokens)
            self._added.append(Turn.of("tool", output))
            self._called = call.pinned.ref.name
            may_call = call.state not in _NOT_ALLOWED

    def _write(self, plan: Plan[Any]) -> Generator[TurnEvent, None, Final[str]]:
        """One step of the model. Raises `Error` unless it is whole."""
        prompt = self._prompt(plan)
        yield from self._inserted(prompt)
        run = Run()
        self._enter(run)
        stream = plan.run_ids(prompt.ids, seed=self._seed, run=run, kind="tool_call")
        try:
            yield from stream
        finally:
            stream.close()
            if run.end is not None:
                self._notes.wrote(run.end)
        result = stream.result()
        if run.end is None or not result.complete:
            raise result.error or StreamError("STREAM_CLOSED")
        self._added.append(Turn.of("assistant", OwnTokens(result.token_ids)))
        return Final(result.text, run.end, str)

    def _prompt(self, plan: Plan[Any]) -> Prompt:
        session = self._session
        assert plan.constraint is not None
        room = session.model.context_size - max(1, plan.constraint.tokens_needed(plan.sampling.forbidden))
        turns = [*session.before(self._prompt_text, self._called), *self._added]
        return build(session.tokenizer, turns, template=session.template, key=session.key, max_tokens=room)

    def _inserted(self, prompt: Prompt) -> Iterator[Inserted]:
        """What the model reads of others for the first time."""
        fresh = [span for span in prompt.spans if span.header and span.header not in self._session.shown]
        self._session.shown.update(span.header for span in fresh)
        self._notes.prompted(fresh)
        for span in fresh:
            data = self._session.tokenizer.decode_bytes(prompt.ids[span.start : span.end])
            text = data.decode("utf-8", "replace")
            yield Inserted(span.source, span.header, text, span.end - span.start, span.truncated)

    def _carry(self, written: Final[str]) -> Generator[CallChanged, None, Call]:
        """One call, to its end."""
        session = self._session
        hashes = session.input_schemas
        proposal = Proposal.of_output(written, grammar_sha256=session.grammar_sha256, input_schemas=hashes)
        return (yield from carried(session.gate, proposal, runner=session.runner, begun=self._begun))

    def _begun(self, call: Call) -> None:
        self._notes.calls.append(call)
        self._enter(call)

    # -- the end ------------------------------------------------------------------------------------------

    def _enter(self, current: Run | Call) -> None:
        """What `cancel` has to stop from now on."""
        with self._lock:
            self._current, cancelled = current, self._cancelled
        if cancelled:
            current.cancel()

    def _conclude(self, text: str | None, error: Error | None) -> Answer:
        with self._lock:
            self._over, cancelled = True, self._cancelled
        if cancelled:
            text, error = None, error or StreamError("CANCELLED", tokens=self._notes.tokens)
        stop: TurnStop = "answered" if text is not None else "cancelled" if cancelled else "failed"
        self._answer = Answer(stop, error, tuple(self._notes.calls), tuple(self._notes.usage), text)
        self._session.end(self._added if text is not None else ())
        self._notes.emit(self._answer)
        return self._answer
