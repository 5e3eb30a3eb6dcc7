"""Masks made before a text asks for them: those of the first characters of strings.

A string that a pattern or a format describes is at its beginning when a text first comes to it, and the mask there, as
those behind its first characters, takes 20 to 200 us to find: the longest waits of a text. Over real schemas, to make
them when a constraint is made takes about as long as it saves the first text; the texts after it wait for nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import BudgetError

if TYPE_CHECKING:
    from .kernel import Kernel

__all__ = ["make_first_masks"]

_MOST_OF_ONE = 8  # masks
_STATES_OF_ONE = 16  # that are looked at, of which some are narrow
_MANY = 20_000  # nodes that are walked one by one for a string's masks; beyond, the rest is left to texts
_TYPICAL = b"a0A-/:."
"""Bytes that lead on in words, numbers, names, dates, paths and addresses."""
_WIDE = 10  # bytes that can be read; where these are fewer, a text that comes there waits no longer than a walk


def make_first_masks(kernel: Kernel, machine: Any, strings: Iterable[int], words: int, most: int) -> None:
    """Have the kernel make and keep masks in the first states of strings.

    most: states that are looked at, each of which has a mask made where it is a wide one. strings: the states before
    the opening quotes. words: of a row. Where a bound on the automaton's size is met, the rest is left to texts, which
    may never come there. What the schema's watch raises, that is raised.
    """
    row = memoryview(bytearray(4 * words)).cast("i", (1, words))
    for start in strings:
        try:
            most -= _make(machine, kernel.machine.VisibleCursor(machine, start), row, min(most, _STATES_OF_ONE))
        except BudgetError as error:
            if error.code == "GRAMMAR_BUDGET_TIME":
                raise
            return
        if most <= 0:
            return


def _make(machine: Any, cursor: Any, row: memoryview, most: int) -> int:
    """Make the masks of one string, the fewest characters first; returns how many states were looked at."""
    if not cursor.accept_bytes(b'"'):
        return 0
    looked = made = 0
    known = {cursor.state}
    waiting = deque([cursor])
    enough = machine.visited + _MANY
    while waiting and looked < most and made < _MOST_OF_ONE and machine.visited < enough:
        here = waiting.popleft()
        looked += 1
        if len(here.reads()) >= _WIDE:
            here.fill(row, 0)
            made += 1
        for byte in _TYPICAL:
            after = here.copy()
            if after.accept_bytes(bytes([byte])) and after.state not in known:
                known.add(after.state)
                waiting.append(after)
    return looked
