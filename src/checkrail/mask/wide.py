"""The local masks of wide states, made when the kernel asks for one and kept.

A state from which a walk visits many nodes of the trie is wide. Its mask is found once, on an unknown stack: the
tokens that stay in the module, and, for those that leave it, a trie of what is left of them to be walked from the
return state. One `WideMasks` belongs to the machines that were made with it; `memory` counts what it holds.

Where nothing but the module itself decides (it calls no other), the mask serves every grammar that has the same
module: `SharedMasks` keeps it with the vocabulary. The JSON string, for one, is walked once for all schemas.
"""

from __future__ import annotations

from array import array
from threading import RLock
from typing import Any

from ..automaton.pushdown import PushdownAutomaton
from .kernel import Kernel
from .plain import PlainRuns
from .token_tables import TokenTables
from .token_tries import TokenTrie

__all__ = ["WideMasks"]

_DENSE_SHARE = 4  # a mask with more than 1/4 of its words set is kept dense
_MANY_REMAINDERS = 8192  # nodes
_WALK, _BY_DEPTH = -2, -3  # as in the kernel


class WideMasks:
    """slots: for each state where its mask is, as the kernel reads it. masks: kept masks. by_depth: state and depth ->
    index, where the mask depends on the depth. memory: bytes of masks and tries."""

    def __init__(
        self, automaton: PushdownAutomaton, tables: TokenTables, exits: array[int], lock: RLock, kernel: Kernel
    ) -> None:
        self.slots = array("i", [-1]) * len(automaton)
        self.masks: list[Any] = []
        self.by_depth: dict[int, int] = {}
        self.memory = 0
        self._automaton = automaton
        self._tables = tables
        self._runs = PlainRuns(automaton, tables.trie.max_depth)
        self._exits = exits
        self._lock = lock
        self._kernel = kernel
        self._scratch = array("I", [0]) * tables.word_count
        self._digests: dict[int, bytes | None] = {}
        self._rests: dict[tuple[int, bytes], TokenTrie] = {}

    def find(self, machine: Any, state: int, depth: int) -> None:
        """Make a wide state's local mask and enter it where the kernel looks (called by the kernel)."""
        place = state * (self._automaton.nesting + 1) + depth
        with self._lock:
            if self.slots[state] >= 0 or place in self.by_depth:
                return  # another thread was faster
            name = self._name(state)
            known = self._tables.shared.get(name) if name else None
            if known is not None:
                self.masks.append(known)
                self.slots[state] = len(self.masks) - 1
                return
            made = self._make(machine, state, depth)
            if made is None:
                self.slots[state] = _WALK
                return
            mask, depth_matters, memory = made
            self.masks.append(mask)
            self.memory += memory
            if depth_matters:
                self.by_depth[place] = len(self.masks) - 1
                self.slots[state] = _BY_DEPTH
                return
            self.slots[state] = len(self.masks) - 1
            if name:
                self._tables.shared.put(name, mask, memory)

    def _name(self, state: int) -> tuple[bytes, int] | None:
        """What names the rest of a state's module in every grammar that has it; None where others take part."""
        module = self._automaton.module_of[state]
        if module not in self._digests:
            self._digests[module] = self._automaton.digest_of(module)
        digest = self._digests[module]
        return None if digest is None else (digest, state - self._automaton.starts[module])

    def _make(self, machine: Any, state: int, depth: int) -> tuple[Any, bool, int] | None:
        """A local mask, whether it holds for this depth only, and its bytes.

        None where most of what is visited lies behind an exit (blanks before a value): the caller decides there, so
        a walk with the caller at hand costs less than a trie of all that is left.
        """
        run = self._runs.length(state)
        walked = self._tables.others if run > 0 else self._tables.tokens
        count, depth_matters = machine.local(walked.kernel_trie, state, depth, self._scratch)
        if sum(walked.nodes[3 * node + 1] - node for node in self._exits[:count]) > _MANY_REMAINDERS:
            return None
        plain = self._tables.plain.up_to(run) if run > 0 else None
        words = self._kernel.walker
        if plain is not None:
            words.or_dense(self._scratch, plain, len(plain))
        rest = self._rest(walked, self._exits[:count])
        size = len(self._scratch)
        places, values = array("i", [0]) * size, array("I", [0]) * size
        found = words.take_sparse(self._scratch, places, values, size)
        places, values = places[:found], values[:found]
        if found * _DENSE_SHARE > size:
            dense = array("I", [0]) * size
            words.or_sparse(dense, places, values, found)
            places, values = array("i"), dense
        mask = self._kernel.machine.LocalMask(places, values, rest.kernel_trie)
        return mask, depth_matters, 4 * (len(places) + len(values)) + rest.memory

    def _rest(self, walked: TokenTrie, exits: array[int]) -> TokenTrie:
        """The trie of what is left of the tokens at the exits; most states of one string share it."""
        name = (id(walked), exits.tobytes())
        rest = self._rests.get(name)
        if rest is None:
            rest = self._rests[name] = TokenTrie.of_texts(walked.remainders(exits), self._kernel)
        return rest
