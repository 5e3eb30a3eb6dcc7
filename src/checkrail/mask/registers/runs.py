"""What registers ask of an automaton's states."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Runs"]


class Runs(Protocol):
    """What tells how many plain characters can follow in a row from a state."""

    def plain_run(self, state: int, /) -> int: ...
