"""How much a session may do: calls and questions, for each turn and in all.

You need `SessionLimits` to allow more or less than the defaults. They keep a model from calling in circles, and keep
questions rare enough to be read: whoever is asked thirty times says yes the thirty-first time.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields

from ...errors import AuthorityError, InputError

__all__ = ["Budgets", "SessionLimits"]

_MAXIMA = {
    "calls_per_turn": 64,
    "calls_per_session": 4_096,
    "confirmations_per_turn": 16,
    "request_ms": 600_000,
}


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Bounds of a session, positive integers. request_ms: the life of a call, from its proposal to its start.

    Raises `InputError` INPUT_FORMAT.
    """

    calls_per_turn: int = 8
    calls_per_session: int = 256
    confirmations_per_turn: int = 3
    request_ms: int = 120_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value, most = getattr(self, field.name), _MAXIMA[field.name]
            if type(value) is not int or not 1 <= value <= most:
                what = f"must be an integer from 1 to {most}"
                raise InputError("INPUT_FORMAT", name=f"SessionLimits.{field.name}", what=what)


class Budgets:
    """What is left. A turn is what happens between two inputs of the user."""

    def __init__(self, limits: SessionLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self.turn = 0
        self.calls = 0
        self._calls_this_turn = 0
        self._confirmations_this_turn = 0

    def begin_turn(self) -> int:
        """The user said something: the bounds of a turn begin anew. Returns its number."""
        with self._lock:
            self.turn += 1
            self._calls_this_turn = self._confirmations_this_turn = 0
            return self.turn

    def take_call(self) -> int:
        """The number of the next call in the session, from 1. Raises `AuthorityError` BUDGET_CALLS."""
        with self._lock:
            for used, most, unit in (
                (self.calls, self._limits.calls_per_session, "session"),
                (self._calls_this_turn, self._limits.calls_per_turn, "turn"),
            ):
                if used >= most:
                    raise AuthorityError("BUDGET_CALLS", count=used, unit=unit)
            self.calls += 1
            self._calls_this_turn += 1
            return self.calls

    @property
    def calls_left(self) -> int:
        """How many calls there may still be in this turn."""
        in_session = self._limits.calls_per_session - self.calls
        return max(0, min(in_session, self._limits.calls_per_turn - self._calls_this_turn))

    def take_confirmation(self) -> None:
        """A person is about to be asked. Raises `AuthorityError` BUDGET_CONFIRMATIONS."""
        with self._lock:
            if self._confirmations_this_turn >= self._limits.confirmations_per_turn:
                raise AuthorityError("BUDGET_CONFIRMATIONS", count=self._confirmations_this_turn)
            self._confirmations_this_turn += 1
