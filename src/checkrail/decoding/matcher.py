"""`Matcher`: one sequence on its way through a constraint. The one object here that moves.

A matcher keeps its position after each step, so rolling back drops the last ones and forking copies the list. It
belongs to one thread; the engine below it may be shared. Bools, never a sticky error state: a token that is not
allowed changes nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from ..errors import MaskError
from ..mask.bitmask import allowed_tokens, bitmask_row
from ..mask.configuration import Configuration
from ..mask.engine import Engine
from ..mask.token_costs import INFINITE
from .forced import forced_bytes, forced_tokens

__all__ = ["Matcher", "Rejection"]

_M = TypeVar("_M", bound="Matcher")


@dataclass(frozen=True, slots=True)
class Rejection:
    """Where and why bytes do not match.

    offset: index of the first byte that is not possible; len(data) where all are but the text is not complete.
    byte: that byte, or None. expected: the bytes that could stand there. rules: pending rules, innermost first,
    for each way to read what stands before; in the open profile, pointers to the pending subschemas. complete: the
    text could end there. readings: of the Earley engine, the rows and lexer states that stand before the place, a line
    each.
    """

    offset: int
    byte: int | None
    expected: bytes
    rules: tuple[tuple[str, ...], ...]
    complete: bool
    readings: tuple[str, ...] = ()


class Matcher:
    """The state of one generation. `Constraint.matcher()` makes it.

    A step is one accepted token or one accepted run of bytes; `rollback` counts steps.
    """

    __slots__ = ("_cursor", "_ended", "_ends", "_engine", "_taken")

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._cursor = engine.cursor()
        self._ends = frozenset(engine.vocabulary.eos)
        self._taken: list[int | bytes] = []
        self._ended = False

    def __repr__(self) -> str:
        state = "terminated" if self._ended else "completed" if self.is_completed() else "open"
        return f"<Matcher {self.steps} steps, {state}>"

    @property
    def stop_token_ids(self) -> tuple[int, ...]:
        """The end tokens of the vocabulary."""
        return self._engine.vocabulary.eos

    @property
    def steps(self) -> int:
        """Steps taken."""
        return len(self._taken) + self._ended

    def names_token(self) -> bool:
        """Whether the grammar names a token, such as a special one, that may come next."""
        return not self._ended and self._engine.names_token(self._cursor, self._taken)

    def configuration(self) -> Configuration:
        """What the text so far can mean, in terms of the whole automaton.

        Raises MaskError MATCHER_ORDER in the open profile, where the text has members in an order that only the
        automaton on demand reads.
        """
        return self._engine.configuration(self._cursor, self._taken)

    def accept_token(self, token: int) -> bool:
        """Take a token. False, and no change, where it is not allowed. An end token terminates."""
        if self._ended:
            return False
        if token in self._ends and self._cursor.is_accepting():
            self._ended = True
            return True
        if not self._cursor.accept_token(token):
            return False
        self._taken.append(token)
        return True

    def accept_bytes(self, data: bytes) -> bool:
        """Take bytes as one step, whatever tokens they came in. False, and no change, where they do not fit."""
        if self._ended or not self._cursor.accept_bytes(data):
            return False
        self._taken.append(bytes(data))
        return True

    def validate_tokens(self, tokens: Iterable[int]) -> int:
        """How many of these tokens, from the first on, could be accepted in a row. Nothing moves."""
        fork = self.fork()
        count = 0
        for token in tokens:
            if not fork.accept_token(token):
                break
            count += 1
        return count

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        """Write the allowed tokens into row `index` of an int32 bitmask of shape (batch, ceil(V / 32)).

        After the end the row is all zero. Returns True: the mask always forbids something (special tokens), so
        it is to be applied. MASK_BUFFER where the buffer has no such row.
        """
        if not self._ended:
            try:
                self._cursor.fill(bitmask, index)
                return True
            except (AttributeError, BufferError, IndexError, TypeError, ValueError):
                pass  # not a two-dimensional int32 buffer with that row: look closer
        row = bitmask_row(bitmask, index, self._engine.words)
        if self._ended:
            row[:] = memoryview(bytes(row.nbytes)).cast("I")
        else:
            self._cursor.fill_row(row)
        return True

    def rollback(self, n: int = 1) -> None:
        """Undo the last `n` steps. MATCHER_ROLLBACK where fewer were taken."""
        if not 0 <= n <= self.steps:
            raise MaskError("MATCHER_ROLLBACK", asked=n, have=self.steps)
        if n and self._ended:
            self._ended = False
            n -= 1
        if n:
            self._cursor.rollback(n)
            del self._taken[-n:]

    def fork(self) -> Matcher:
        """An independent matcher in the same state."""
        return self._copy_to(Matcher.__new__(Matcher))

    def _copy_to(self, other: _M) -> _M:
        other._engine = self._engine
        other._ends = self._ends
        other._cursor = self._cursor.copy()
        other._taken = list(self._taken)
        other._ended = self._ended
        return other

    def reset(self) -> None:
        """Back to the beginning."""
        self._cursor = self._engine.cursor()
        self._taken = []
        self._ended = False

    def is_completed(self) -> bool:
        """Whether the text so far is a whole text of the grammar."""
        return self._cursor.is_accepting()

    def is_terminated(self) -> bool:
        """Whether an end token was accepted."""
        return self._ended

    def allowed(self, limit: int | None = 50) -> list[int]:
        """The ids that may come next, ascending, at most `limit`."""
        row = array("I", [0]) * self._engine.words
        self.fill_next_token_bitmask(row)
        return allowed_tokens(row)[:limit]

    def next_bytes(self) -> bytes:
        """The byte values that may come next, ascending."""
        if self._ended:
            return b""
        probe = self._cursor.copy()
        found = bytearray()
        for value in range(256):
            if probe.accept_bytes(bytes([value])):
                found.append(value)
                probe.rollback(1)
        return bytes(found)

    def find_jump_forward_bytes(self, limit: int = 4096) -> bytes:
        """The bytes that must come next: each the only one possible while the text may not end. Nothing moves."""
        return b"" if self._ended else forced_bytes(Matcher.fork(self), limit)

    def find_jump_forward_tokens(self, limit: int = 4096) -> list[int]:
        """Tokens that may be taken next without asking a model. Nothing moves.

        They spell bytes that must come next, each token the longest that does. They stop before the first place
        where an allowed token could run on beyond those bytes, so no choice of text is lost; `forced` says more.
        """
        return [] if self._ended else forced_tokens(self.fork(), self._engine, limit)

    def min_tokens_to_finish(self) -> int | None:
        """Tokens that are enough to complete the text from here, the end token not counted; None where none are.

        A sequence of that many exists. It is the least number but for sequences with a token that reaches across
        the end of a module, or that a bounded search in a large vocabulary passed over. The first call for a
        constraint counts for all states: about 0.3 ms a state in a vocabulary of 128,000 tokens.
        """
        need = self._engine.full.budget().need(self.configuration())
        return None if need >= INFINITE else need

    def explain(self, data: int | bytes) -> Rejection | None:
        """Why a token (id) cannot follow, or bytes cannot and complete the text; None where they can."""
        fork = Matcher.fork(self)  # what the grammar says, whatever a budget may say
        if isinstance(data, int):
            text = self._engine.vocabulary.token_bytes(data) or b""
            if fork.accept_token(data):
                return None
            if not text:
                return fork._rejection(0, None)
        else:
            text = data
        for offset, byte in enumerate(text):
            if not fork.accept_bytes(bytes([byte])):
                return fork._rejection(offset, byte)
        return None if fork.is_completed() else fork._rejection(len(text), None)

    def _rejection(self, offset: int, byte: int | None) -> Rejection:
        rules = self._engine.pending_rules(self._cursor, self._taken)
        return Rejection(offset, byte, self.next_bytes(), rules, self.is_completed(), self._engine.lines(self._cursor))
