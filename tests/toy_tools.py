"""Tools, a session, and a runner that only notes what it was given: for tests of the boundary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypedDict

from checkrail.boundary.authority import Authority
from checkrail.boundary.calls.composition import Composition
from checkrail.boundary.calls.envelopes import Origin, Standing, ToolRef, ToolRequest
from checkrail.boundary.canon import dumps
from checkrail.boundary.confirm import ConfirmationRequest, Confirmations, Confirmer, Signer
from checkrail.boundary.confirmation.confirmers import ScriptedConfirmer
from checkrail.boundary.confirmation.view import Argument, ConfirmationView
from checkrail.boundary.session import Session
from checkrail.boundary.tools.limits import EffectiveLimits, ToolLimits
from checkrail.boundary.tools.tool import RegisteredTool, Tool, ToolFailure, tool
from checkrail.boundary.tools.types import Len
from checkrail.boundary.worker.isolation import Isolation
from checkrail.boundary.worker.run_outcome import RunOutcome

NOTHING = hashlib.sha256(b"").hexdigest()


class Line(TypedDict):
    """A line of the notebook."""

    line: int


@tool(name="notes.append", version="1.0.0", capability="write", effect="Adds a line to the notebook.", writes=["notes"])
def append(text: Annotated[str, Len(1, 30_000)], pin: bool = False) -> Line:
    """Add a line to the notebook."""
    return {"line": len(text)}


@tool(name="notes.read", version="1.0.0", capability="read", effect="Reads a line of the notebook.", reads=["notes"])
def read(line: int) -> str:
    """Read a line."""
    return f"line {line}"


@tool(
    name="clock",
    version="1.0.0",
    capability="read",
    sensitivity="public",
    effect="Reads the clock.",
    isolation="process",
)
def clock() -> int:
    """Tell the time."""
    return 12


@tool(
    name="double", version="1.0.0", capability="pure", effect="Doubles a number.", isolation="none",
    errors={"TOO_LARGE": "Only numbers below {limit} are doubled, on {day:mon|tue}."},
)  # fmt: skip
def double(number: int) -> int:
    """Double a number."""
    if number == 13:
        raise ToolFailure("TOO_LARGE", limit=13, day="mon")
    if number == 14:
        raise ToolFailure("UNKNOWN_CODE", secret=14)
    if number == 15:
        raise RuntimeError("/home/somebody/password")
    return number * 2


ALL: tuple[Tool, ...] = (append, read, clock, double)
RESULTS: dict[str, Any] = {"notes.append": {"line": 1}, "notes.read": "buy milk and eggs", "clock": 12}


def composition(**changes: Any) -> Composition:
    """What calls come from."""
    fields: dict[str, Any] = dict.fromkeys(
        ("model_sha256", "tokenizer_sha256", "template_sha256", "grammar_sha256", "sampling_sha256"), NOTHING
    )
    return Composition(**{"model_id": "toy", **fields, **changes})


class Now:
    """A clock that is set by hand."""

    def __init__(self, milliseconds: int = 1_000_000) -> None:
        self.milliseconds = milliseconds

    def __call__(self) -> int:
        return self.milliseconds


@dataclass
class Runner:
    """Runs nothing: notes the calls, and answers with what the tool would say. before: is called while it "runs"."""

    ran: list[tuple[str, bytes]] = field(default_factory=list)
    before: Callable[[], object] = lambda: None
    outcome: RunOutcome | None = None

    def __call__(
        self, tool: RegisteredTool, canonical_arguments: bytes, *, limits: EffectiveLimits, cancel: Callable[[], bool]
    ) -> RunOutcome:
        self.ran.append((tool.name, canonical_arguments))
        self.before()
        if self.outcome is not None:
            return self.outcome
        effects = "completed" if tool.capability == "write" else "none"
        return RunOutcome("done", effects, dumps(RESULTS[tool.name]), isolation=Isolation(rlimits=True), run_ms=7)

    @property
    def writes(self) -> int:
        """How many calls of a tool that writes were run."""
        return sum(name == "notes.append" for name, _ in self.ran)


def session(
    folder: Path,
    *answers: Any,
    confirm: Confirmer | None = None,
    tools: Iterable[Tool] = ALL,
    authority: Authority = Authority.AUTO_PURE,
    **options: Any,
) -> Session:
    """A session whose person gives these answers, or with another confirmer."""
    person = confirm if confirm is not None else ScriptedConfirmer(*answers)
    options.setdefault("composition", composition())
    return Session(tools, authority=authority, confirm=person, roots={"notes": folder}, **options)


ARGUMENTS = dumps({"text": "buy milk"})
_COMPOSITION = composition()
REQUEST = ToolRequest(
    request_id="tr_" + "0" * 26,
    session_id="ts_" + "0" * 26,
    sequence=1,
    turn=0,
    tool=ToolRef("notes.append", "1.0.0", "3" * 64, "2" * 64),
    capability="write",
    arguments={"text": "buy milk"},
    arguments_sha256=hashlib.sha256(ARGUMENTS).hexdigest(),
    composition=_COMPOSITION,
    composition_sha256=_COMPOSITION.sha256,
    authority=Standing("auto_pure", False),
    origin=Origin("api"),
    limits=ToolLimits().effective("write"),
    created_unix_ms=1_800_000_000_000,
    expires_unix_ms=1_800_000_120_000,
)


def view(**arguments: Any) -> ConfirmationView:
    """What a person is shown of a call with these arguments."""
    shown = tuple(Argument(name, value) for name, value in arguments.items())
    return ConfirmationView("notes.append", "1.0.0", "Append", "Adds a line.", "write", {}, shown, (), (), ())


def ask(
    ledger: Confirmations, milliseconds: int = 5_000, shown: ConfirmationView | None = None
) -> tuple[ConfirmationRequest, Signer]:
    """An open question about `REQUEST`."""
    return ledger.ask(REQUEST, ARGUMENTS, shown or view(text="buy milk"), milliseconds)


def call_text(name: str, /, **arguments: Any) -> str:
    """The text of a call, as a model would write it."""
    return json.dumps({"tool": name, "arguments": arguments})
