"""What registers ask of an automaton's states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from .reading import Reading

__all__ = ["Digits", "Runs"]

_DIGITS = b"0123456789"
_OPEN_RUN = 7  # ten million numbers


class Runs(Protocol):
    """What tells how many plain characters can follow in a row from a state, and its tables (`visible.Source`)."""

    @property
    def states(self) -> Sequence[int]: ...

    @property
    def next_state(self) -> Sequence[int]: ...

    @property
    def class_of(self) -> Sequence[int]: ...

    def plain_run(self, state: int, /) -> int: ...


class Digits:
    """Where any digits may follow, so many that no text writes all the numbers. Those of one source."""

    def __init__(self, source: Runs) -> None:
        self._source = source
        self._known: dict[int, bool] = {}

    def may_go_on(self, reading: Reading, cursor: Any) -> bool:
        """Whether a number is read to which any seven digits may be added, and each time it is another number."""
        scalar = reading.scalar
        if not scalar or reading.in_string or not self.may_follow(cursor):
            return False
        mantissa, exponent, _ = scalar.lower().partition(b"e")
        return not exponent or bool(mantissa.strip(b"-0."))

    def may_follow(self, cursor: Any) -> bool:
        """Whether any seven digits may follow where a cursor of the kernel is; it stays there."""
        known = self._known.get(cursor.state)
        if known is None:
            known = self._known[cursor.state] = self._are_alike(cursor)
        return known

    def _are_alike(self, cursor: Any) -> bool:
        """Whether all digits lead to one state, and so on."""
        if not cursor.probe(1).accept_bytes(b"1" * _OPEN_RUN):  # this has the states made
            return False
        source, state = self._source, int(cursor.state)
        for _ in range(_OPEN_RUN):
            row, class_map = source.states[8 * state], source.states[8 * state + 1]
            after = {source.next_state[row + source.class_of[class_map + byte]] for byte in _DIGITS}
            state = after.pop()
            if after or state < 0:
                return False
        return True
