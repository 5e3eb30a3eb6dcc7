"""A watch over work that may take long: how much was done, whether its time is over, whether it was cancelled.

Reading a schema and compiling a grammar are bounded by `Limits` in size, but how long the bounds take depends on the
machine. So each such call has one watch, which goes down through its phases. Their loops `spend` steps on it: one for
a node, a state or a move, about a microsecond each. Every `EVERY` steps the watch looks at the clock and asks whether
the work was cancelled; between them a step costs an addition.

The steps are the same on every machine, so tests bound them where they would otherwise measure time.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from .errors import BudgetError, StreamError

__all__ = ["EVERY", "UNWATCHED", "Watch"]

EVERY = 4_096


class Watch:
    """The watch of one call. One thread spends on it; any may ask for `steps`.

    seconds: how long the work may take, from now on (`Limits.compile_seconds`). cancelled: asked now and then whether
    to stop, from the thread that works. clock: seconds that pass.
    """

    __slots__ = ("_cancelled", "_clock", "_deadline", "_look_at", "_seconds", "steps")

    def __init__(
        self, seconds: float, cancelled: Callable[[], bool] | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._seconds = seconds
        self._cancelled = cancelled
        self._clock = clock
        self._deadline = clock() + seconds
        self._look_at = EVERY
        self.steps = 0

    def __repr__(self) -> str:
        return f"<Watch {self.steps} steps, at most {self._seconds:g} s>"

    def spend(self, steps: int = 1) -> None:
        """Count work. Raises BudgetError GRAMMAR_BUDGET_TIME and StreamError CANCELLED when it is to stop."""
        self.steps += steps
        if self.steps >= self._look_at:
            self._look_at = self.steps + EVERY
            self.look()

    def look(self) -> None:
        """Raise as `spend` does if the time is over or the work was cancelled."""
        if self._cancelled is not None and self._cancelled():
            raise StreamError("CANCELLED", tokens=0)
        if self._clock() > self._deadline:
            raise BudgetError("GRAMMAR_BUDGET_TIME", limit=f"{self._seconds:g}")


class _Unwatched(Watch):
    """For work that is small, or that someone else watches."""

    def spend(self, steps: int = 1) -> None:
        """Nothing."""

    look = spend


UNWATCHED: Watch = _Unwatched(0)
