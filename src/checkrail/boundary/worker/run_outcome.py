"""How a tool's run ended: the one value that the runner gives back.

You need it wherever the outcome of a call is judged: the session's state machine, the envelope of the result. Its
result was written canonically, belongs to these arguments and fits its bounds; whether it is what the tool declares is
the caller's to check (`validate`). Its `repr` shows sizes and codes, never content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...errors import Error
from .isolation import Isolation

__all__ = ["Effects", "RunOutcome", "RunState"]

RunState: TypeAlias = Literal["done", "failed", "timed_out", "cancelled"]
Effects: TypeAlias = Literal["none", "completed", "unknown"]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """state: how it ended. effects: of a tool that writes: none before it was given the call, unknown when it was and
    did not say that it is done.

    result: canonical JSON, where done. error: why, where not done. failure: the code and parameters that the tool
    declared, where it failed with one (TOOL_FAILED). isolation: what the worker ran under, None if it never came so
    far. start_ms: until the worker was ready; run_ms: from the call to the end. swept: it is proven that no process of
    the worker is left; always so on Linux, unless the system cannot kill one within seconds.
    """

    state: RunState
    effects: Effects
    result: bytes | None = None
    error: Error | None = None
    failure: tuple[str, dict[str, int | str]] | None = None
    isolation: Isolation | None = None
    start_ms: int = 0
    run_ms: int = 0
    swept: bool = True

    def __repr__(self) -> str:
        what = f"{len(self.result)} bytes" if self.result is not None else self.error.code if self.error else "nothing"
        level = self.isolation.level if self.isolation else "no worker"
        return f"<RunOutcome {self.state}: {what}, {level}, {self.run_ms} ms>"
