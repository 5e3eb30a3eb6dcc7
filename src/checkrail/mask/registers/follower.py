"""What the kernel asks of registers: the register after a step, and the tokens that it takes out of a mask."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any, Literal

from ...ondemand.noted import Unit
from .harmless import Harmless
from .plain_keys import plain_suspects, read_plain
from .register import Context, Note, NotedSource, Register, chain, read
from .runs import Digits
from .search import Search
from .suspects import doomed, is_hot, suspects
from .token_index import TokenIndex

__all__ = ["Follower"]


class Follower:
    """That of one source over one vocabulary. Cursors of the kernel call it.

    doubles: tokens that may write something twice by themselves. A cursor's mode is 0 where a step must leave some end,
    and 1 where it must only repeat nothing, which is for looking for an end.
    """

    def __init__(self, source: NotedSource, index: TokenIndex) -> None:
        self._source = source
        self._index = index
        self._digits = Digits(source)
        self._search = Search(source, self._digits)
        self._context = Context(source, index)
        self.doubles: list[int] = [*index.key_doubles, *index.far_key_crossing]
        source.call_for_units(self._meet)

    def _meet(self, unit: Unit) -> None:
        index = self._index
        more = index.doubles if unit.kind == "items" else () if unit.is_roomy else index.key_crossing
        if more:
            self.doubles = list(dict.fromkeys((*self.doubles, *more)))

    def follow(
        self, cursor: Any, after: Any, data: bytes, notes: tuple[Note, ...], low: int
    ) -> Register | Literal[False] | None:
        """The register after a step, False where it may not be taken. after: a cursor behind it."""
        simply = read_plain(cursor.register, data, notes, low, self._context)
        if simply is not True:
            return simply
        register = read(cursor.register, data, notes, low, self._context)
        if register is False or cursor.mode:
            return register
        after.register = register
        if not self._search.has_end(after):
            return False
        hot = False
        for here in reversed(chain(register)):
            hot = here.hot = hot or is_hot(here)
        return register

    def few(self, cursor: Any) -> list[int] | None:
        """The tokens that are to be tried; None where the mask must be looked at to tell, by `banned`."""
        register: Register | None = cursor.register
        if register is None:
            return self.doubles
        if not register.is_plain:
            return None
        found = plain_suspects(register, cursor.state, self._index, self._source)
        return None if found is None else self.doubles + found

    def banned(self, cursor: Any, row: array[int]) -> Iterator[int]:
        """The tokens of a mask that may not be taken."""
        found = dict.fromkeys(doomed(cursor, self._index))
        harmless = Harmless(cursor, self._source)
        tokens = self._index.tokens
        for token in found:
            if row[token >> 5] >> (token & 31) & 1:
                yield token
        for token in dict.fromkeys((*self.doubles, *suspects(cursor, row, self._index, self._source, self._digits))):
            if not row[token >> 5] >> (token & 31) & 1 or token in found:
                continue
            if not harmless.includes(tokens[token] or b"") and not cursor.probe(0).accept_token(token):
                yield token
