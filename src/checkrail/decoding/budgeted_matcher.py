"""`BudgetedMatcher`: a matcher whose text is complete by the time its tokens are spent.

Its masks leave out the tokens after which the rest of the budget could not finish the text. The less is left, the
more they close in; at the end one way remains, and then only the end token. `forced_close` counts the masks that the
budget changed. End tokens are not counted, and bytes that the caller feeds in cost nothing; but bytes after which
the text could not be finished are refused like tokens.

You need it where an output must not be cut off; `Constraint.matcher(token_budget=n)` makes one. A budget that the
shortest output does not fit in is refused there, with the number that it takes.
"""

from __future__ import annotations

import sys
from array import array
from typing import Any

from ..errors import BudgetError, SamplingError, VocabularyError
from ..mask.bitmask import bitmask_row
from ..mask.budget import TokenBudget
from ..mask.engine import MaskEngine
from ..mask.token_costs import INFINITE
from .matcher import Matcher

__all__ = ["BudgetedMatcher", "require_budget"]


def require_budget(need: int, have: int) -> None:
    """Refuse a budget that cannot be kept. need: tokens of a shortest text, INFINITE where none was found."""
    if need >= INFINITE:
        raise VocabularyError("VOCAB_DEAD_END")
    if need > have:
        raise BudgetError("BUDGET_TOO_SMALL", need=need, have=have)


class BudgetedMatcher(Matcher):
    """A `Matcher` that keeps to `token_budget` tokens, of which `tokens_left` are left.

    Raises BudgetError BUDGET_TOO_SMALL, VocabularyError VOCAB_DEAD_END.
    """

    __slots__ = ("_budget", "_free", "_left", "forced_close")

    def __init__(self, engine: MaskEngine, budget: TokenBudget, token_budget: int) -> None:
        if type(token_budget) is not int or token_budget < 0:
            raise SamplingError("SAMPLING_PARAM", name="token_budget", range="an integer >= 0")
        super().__init__(engine)
        require_budget(budget.need(self.configuration()), token_budget)
        self._budget = budget
        self._left = [token_budget]
        self._free = False  # known to be unrestricted in this place
        self.forced_close = 0
        """Masks that the budget changed."""

    @property
    def tokens_left(self) -> int:
        """Tokens that may still be taken."""
        return self._left[-1]

    def _need(self) -> int:
        return self._budget.need(self.configuration())

    def accept_token(self, token: int) -> bool:
        """As in `Matcher`; False also where the budget could not be kept after the token."""
        if not super().accept_token(token):
            return False
        if not self._ended:
            if not self._free and self._need() > self._left[-1] - 1:
                super().rollback()
                return False
            self._left.append(self._left[-1] - 1)
        self._free = False
        return True

    def accept_bytes(self, data: bytes) -> bool:
        """As in `Matcher`; False also where the budget could not be kept. Costs no token."""
        if not super().accept_bytes(data):
            return False
        if self._need() > self._left[-1]:
            super().rollback()
            return False
        self._left.append(self._left[-1])
        self._free = False
        return True

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        """As in `Matcher`, without the tokens that the budget has no room for."""
        super().fill_next_token_bitmask(bitmask, index)
        if self._ended:
            return True
        here = self.configuration()
        self._free = self._budget.unrestricted(here, self._left[-1])
        if not self._free:
            kept = self._budget.allowed(here, self._left[-1])
            for end in self.stop_token_ids:
                kept |= 1 << end
            self.forced_close += _intersect(bitmask_row(bitmask, index, self._engine.words), kept)
        return True

    def rollback(self, n: int = 1) -> None:
        """As in `Matcher`; the tokens undone may be spent again."""
        spent = n - 1 if n and self._ended else n
        super().rollback(n)
        if spent:
            del self._left[-spent:]
        self._free = False

    def fork(self) -> BudgetedMatcher:
        """An independent matcher in the same state, with as many tokens left."""
        other = self._copy_to(BudgetedMatcher.__new__(BudgetedMatcher))
        other._budget = self._budget
        other._left = list(self._left)
        other._free = self._free
        other.forced_close = self.forced_close
        return other

    def reset(self) -> None:
        """Back to the beginning and the whole budget."""
        super().reset()
        del self._left[1:]
        self._free = False


def _intersect(row: memoryview, kept: int) -> bool:
    """Take out of a row what is not kept; whether that changed it."""
    words = array("I", kept.to_bytes(max(row.nbytes, kept.bit_length() // 8 + 1), "little")[: row.nbytes])
    if sys.byteorder == "big":
        words.byteswap()
    before = int.from_bytes(row, sys.byteorder)
    after = before & int.from_bytes(words, sys.byteorder)
    row.cast("B")[:] = after.to_bytes(row.nbytes, sys.byteorder)
    return after != before
