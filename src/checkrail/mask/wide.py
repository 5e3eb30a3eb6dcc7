"""The local masks of states, made when the kernel asks for one.

A state from which a walk visits many nodes of the trie is wide. Its mask is found once, on an unknown stack: the
tokens that stay in the module, and, for those that leave it, a trie of what is left of them to be walked from the
return state. The kernel keeps it; `memory` counts what was made. What other states allow the kernel finds and notes by
itself.

Where nothing but the module itself decides, the mask serves every grammar that has the same module: `SharedMasks` keeps
it with the vocabulary. The JSON string, for one, is walked once for all schemas.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from .kernel import Kernel
from .token_tables import TokenTables

if TYPE_CHECKING:
    from .visible import Source

__all__ = ["WideMasks"]

_DENSE_SHARE = 4  # a mask with more than 1/4 of its words set is kept dense
_MASK_BYTES = 1024  # of the objects of one mask, beside its arrays
_NOTHING = array("I")


class WideMasks:
    """memory: bytes of masks and tries. The kernel calls `find` and is inside the source's tables while it does."""

    def __init__(self, source: Source, tables: TokenTables, kernel: Kernel) -> None:
        self.memory = 0
        self._source = source
        self._tables = tables
        self._kernel = kernel

    def find(self, machine: Any, state: int, depth: int, is_wide: bool) -> tuple[Any, bool] | None:
        """A state's local mask, and whether it holds for this depth only; None where it should have none.

        Where it is not known to be wide, only what costs no walk, or where that would surely be a wide one.
        """
        name = self._source.name_of(state)
        known = self._tables.shared.get(name) if name else None
        if known is not None:
            return known, False
        bounded = self._source.unbounded(state)
        if bounded is not None:
            free = self.find(machine, bounded.state, depth, True)
            made = None if free is None else self._tables.bounded.make(free[0], bounded)
            if made is not None:
                self.memory += made[1]
                if name:
                    self._tables.shared.put(name, *made)
                return made[0], False
        run = self._source.plain_run(state)
        if run <= 0 and not is_wide:
            return None
        walked = self._make(machine, state, depth, run)
        if walked is None:
            return None
        mask, depth_matters, memory = walked
        self.memory += memory
        if name and not depth_matters:
            self._tables.shared.put(name, mask, memory)
        return mask, depth_matters

    def forget(self) -> None:
        """Count from zero: the kernel has dropped the masks."""
        self.memory = 0

    def _make(self, machine: Any, state: int, depth: int, run: int) -> tuple[Any, bool, int] | None:
        """A local mask, whether it holds for this depth only, and its bytes.

        None where most of what is visited lies behind an exit (blanks before a value): the caller decides there, so
        a walk with the caller at hand costs less than a trie of all that is left.
        """
        tables = self._tables
        plain = tables.plain.up_to(run) if run > 0 else None
        walked = tables.others if run > 0 else tables.tokens
        words, exits = space = self._borrow()
        try:
            kinds = tables.kinds_of(walked)
            count, depth_matters = kinds.local(machine, self._source, state, depth, words, exits)
            left = tables.remainders.find(walked, exits[: 2 * count])
            if left is None:
                return None
            places, values = self._kernel.walker.pack(words, plain or _NOTHING, _DENSE_SHARE)
        finally:
            tables.work_spaces.append(space)
        rests, numbers, memory = left
        mask = self._kernel.machine.LocalMask(places, values, rests, numbers)
        return mask, depth_matters, memory + _MASK_BYTES + 4 * (len(places) + len(values))

    def _borrow(self) -> tuple[array[int], array[int]]:
        """A row of words, and room for two numbers of each trie node, which nobody else uses meanwhile."""
        try:
            return self._tables.work_spaces.pop()
        except IndexError:
            return array("I", bytes(4 * self._tables.word_count)), array("i", bytes(8 * len(self._tables.trie.end)))
