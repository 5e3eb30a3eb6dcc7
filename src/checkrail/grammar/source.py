"""A source text with its line table: positions and errors for the hand-written parsers.

`Position.at` counts lines from the start, which is linear. A parser that records a position for each of a
hundred thousand names needs this table instead: one split, then a binary search for each position. Positions on
one line share the line's text, so they cost no memory of their own.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from operator import add
from typing import Any

from ..errors import BudgetError, GrammarError, Position
from ..limits import Limits

__all__ = ["Source"]


class Source:
    """A text being parsed. `pointer` is the JSON pointer of the schema keyword that holds it, if any."""

    __slots__ = ("_lines", "_starts", "pointer", "text")

    def __init__(self, text: str, limits: Limits, pointer: str | None = None) -> None:
        # A code point takes at least one byte, so a long text is refused before it is encoded.
        size = len(text)
        if size <= limits.grammar_bytes:
            size = len(text.encode("utf-8", "surrogatepass"))
        if size > limits.grammar_bytes:
            raise BudgetError("GRAMMAR_BUDGET_BYTES", pointer=pointer, reached=size, limit=limits.grammar_bytes)
        self.text = text
        self.pointer = pointer
        self._lines = text.split("\n")
        before = accumulate(map(len, self._lines), initial=0)  # without line ends, of which there is one a line
        self._starts = array("i", map(add, before, range(len(self._lines))))

    def position(self, offset: int) -> Position:
        """The position of code point `offset` (0 to len(text)); equal to `Position.at(text, offset)`."""
        line = bisect_right(self._starts, offset) - 1
        return Position(offset, line + 1, offset - self._starts[line] + 1, self._lines[line])

    def syntax(self, offset: int, what: str, expected: Iterable[str] = ()) -> GrammarError:
        """A GRAMMAR_SYNTAX error at a place."""
        return GrammarError(
            "GRAMMAR_SYNTAX", position=self.position(offset), pointer=self.pointer, expected=expected, what=what
        )

    def unsupported(self, offset: int, what: str) -> GrammarError:
        """A GRAMMAR_UNSUPPORTED error at a place."""
        return GrammarError("GRAMMAR_UNSUPPORTED", position=self.position(offset), pointer=self.pointer, what=what)

    def budget(self, code: str, offset: int, **params: Any) -> BudgetError:
        """A GRAMMAR_BUDGET_* error at a place."""
        return BudgetError(code, position=self.position(offset), pointer=self.pointer, **params)
