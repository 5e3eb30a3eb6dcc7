"""Masks made before a text asks for them: those behind the opening quotes of strings.

A string that a pattern or a format describes is at its beginning when a text first comes to it, and the mask there
takes 20 to 200 us to find: among the longest waits of a text. Over real schemas, texts ask for four in five of these;
of those behind the first characters, whichever are followed, for one in four, so they are left to texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..errors import BudgetError

if TYPE_CHECKING:
    from .kernel import Kernel

__all__ = ["make_first_masks"]

_WIDE = 10  # bytes that can be read; where these are fewer, a text that comes there waits no longer than a walk


def make_first_masks(kernel: Kernel, machine: Any, strings: Iterable[int], words: int, most: int) -> None:
    """Have the kernel make and keep the masks behind the opening quotes of so many strings at most.

    strings: the states before the quotes. words: of a row. Where a bound on the automaton's size is met, the rest is
    left to texts, which may never come there. What the schema's watch raises, that is raised.
    """
    row = memoryview(bytearray(4 * words)).cast("i", (1, words))
    for start in islice(strings, most):
        cursor = kernel.machine.VisibleCursor(machine, start)
        try:
            if cursor.accept_bytes(b'"') and len(cursor.reads()) >= _WIDE:
                cursor.fill(row, 0)
        except BudgetError as error:
            if error.code == "GRAMMAR_BUDGET_TIME":
                raise
            return
