"""The handle of one run: cancel it from anywhere, and look at what it did.

A run ends once. `cancel` and the end of the output race for a lock, and who comes first decides: `cancel`
returns True when it won, and then no delta follows and the `End` says "cancelled"; False when the run was over.
"""

from __future__ import annotations

import threading
import uuid
from typing import TYPE_CHECKING, Literal

from ..errors import SamplingError

if TYPE_CHECKING:
    from .stream import End

__all__ = ["Run"]

_State = Literal["open", "cancelled", "finished"]


class Run:
    """One run of the decode loop. Give it to `decode` and keep it.

    run_id: names the run in its events; random by default.
    token_ids: the generated ids so far, the end token excluded. Their bytes are exactly what was generated.
    end: the `End`, once there is one; also when the reader closed the stream and never saw it.
    exception: what a backend raised, for debugging. Never part of an event.
    """

    __slots__ = ("_claimed", "_lock", "_state", "end", "exception", "run_id", "token_ids")

    def __init__(self, run_id: str | None = None) -> None:
        self.run_id = uuid.uuid4().hex if run_id is None else run_id
        self.token_ids: list[int] = []
        self.end: End | None = None
        self.exception: BaseException | None = None
        self._lock = threading.Lock()
        self._state: _State = "open"
        self._claimed = False

    def cancel(self) -> bool:
        """Stop the run. Thread-safe and idempotent: True if it ends cancelled, False if it was over before.

        The step that the model is in is finished, its token is not used. A delta that the reader's thread is
        taking out of the stream at this very moment counts as taken before.
        """
        with self._lock:
            if self._state == "open":
                self._state = "cancelled"
            return self._state == "cancelled"

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` won."""
        return self._state == "cancelled"

    def claim(self) -> None:
        """Tie the handle to a decode loop; called by it. A handle serves one run."""
        with self._lock:
            if self._claimed:
                raise SamplingError("SAMPLING_PARAM", name="run", range="a fresh Run")
            self._claimed = True

    def finish(self) -> bool:
        """Fix the outcome; called by the decode loop. False if `cancel` came first."""
        with self._lock:
            if self._state == "cancelled":
                return False
            self._state = "finished"
            return True

    def __repr__(self) -> str:
        return f"<Run {self.run_id[:8]} {self._state} {len(self.token_ids)} tokens>"
