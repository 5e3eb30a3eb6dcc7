"""The local masks of wide states, made when the kernel asks for one and kept.

A state from which a walk visits many nodes of the trie is wide. Its mask is found once, on an unknown stack: the
tokens that stay in the module, and, for those that leave it, a trie of what is left of them to be walked from the
return state. One `WideMasks` belongs to the machines that were made with it; `memory` counts what it holds.

Where nothing but the module itself decides (it calls no other), the mask serves every grammar that has the same
module: `SharedMasks` keeps it with the vocabulary. The JSON string, for one, is walked once for all schemas.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock, RLock
from typing import Any

from ..automaton.pushdown import PushdownAutomaton
from ..vocabulary.trie import Trie
from .kernel import Kernel

__all__ = ["SharedMasks", "WideMasks"]

_DENSE_SHARE = 4  # a mask with more than 1/4 of its words set is kept dense
_BY_DEPTH = -3  # as in the kernel
_SHARED_BYTES = 32 * 1024 * 1024  # of masks that a vocabulary keeps for all its constraints


class SharedMasks:
    """Local masks by what may follow a state, for all constraints of one vocabulary; the oldest go first."""

    def __init__(self) -> None:
        self._masks: OrderedDict[bytes, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self.memory = 0

    def get(self, name: bytes) -> Any:
        """The mask of a residual (see `PushdownAutomaton.residual`), or None."""
        with self._lock:
            found = self._masks.get(name)
            if found is None:
                return None
            self._masks.move_to_end(name)
            return found[0]

    def put(self, name: bytes, mask: Any, memory: int) -> None:
        """Keep a mask of `memory` bytes."""
        with self._lock:
            if name not in self._masks:
                self._masks[name] = mask, memory
                self.memory += memory
            while self.memory > _SHARED_BYTES:
                self.memory -= self._masks.popitem(last=False)[1][1]


class WideMasks:
    """slots: for each state where its mask is, as the kernel reads it. masks: kept masks. by_depth: state and depth ->
    index, where the mask depends on the depth. memory: bytes of masks and tries."""

    def __init__(
        self,
        automaton: PushdownAutomaton,
        trie: Trie,
        exits: array[int],
        lock: RLock,
        kernel: Kernel,
        shared: SharedMasks,
    ) -> None:
        self.slots = array("i", [-1]) * len(automaton)
        self.masks: list[Any] = []
        self.by_depth: dict[int, int] = {}
        self.memory = 0
        self._automaton = automaton
        self._nesting = automaton.nesting
        self._shared = shared
        self._trie = trie
        self._exits = exits
        self._lock = lock
        self._kernel = kernel.machine
        self._words = kernel.walker
        self._scratch = array("I", [0]) * ((len(trie.same) + 31) // 32)

    def find(self, machine: Any, state: int, depth: int) -> None:
        """Make a wide state's local mask and enter it where the kernel looks (called by the kernel)."""
        place = state * (self._nesting + 1) + depth
        with self._lock:
            if self.slots[state] >= 0 or place in self.by_depth:
                return  # another thread was faster
            name = self._automaton.residual(state)
            known = self._shared.get(name) if name else None
            if known is not None:
                self.masks.append(known)
                self.slots[state] = len(self.masks) - 1
                return
            before = self.memory
            exits, depth_matters = machine.local(state, depth, self._scratch)
            found = self._keep(exits)
            if depth_matters:
                self.by_depth[place] = found
                self.slots[state] = _BY_DEPTH
                return
            self.slots[state] = found
            if name:
                self._shared.put(name, self.masks[found], self.memory - before)

    def _keep(self, exits: int) -> int:
        """Keep the mask in `_scratch`, emptying it, with the first `exits` of `_exits`; the mask's index."""
        count = len(self._scratch)
        places, words = array("i", [0]) * count, array("I", [0]) * count
        found = self._words.take_sparse(self._scratch, places, words, count)
        rest = self._remainders(self._exits[:exits])
        places, words = places[:found], words[:found]
        if found * _DENSE_SHARE > count:
            dense = array("I", [0]) * count
            self._words.or_sparse(dense, places, words, found)
            places, words = array("i"), dense
        self.masks.append(self._kernel.LocalMask(places, words, rest))
        self.memory += 4 * (len(places) + len(words))
        return len(self.masks) - 1

    def _remainders(self, nodes: Iterable[int]) -> Any:
        """The trie of what is left of the tokens below the nodes, the bytes on the edges into them included."""
        trie = self._trie
        texts: dict[bytes, list[int]] = {}
        for node in nodes:
            path = bytearray()
            ends: list[int] = []
            for i in range(node, trie.end[node]):
                while ends and ends[-1] <= i:
                    ends.pop()
                    path.pop()
                path.append(trie.byte[i])
                ends.append(trie.end[i])
                token = trie.token[i]
                while token >= 0:
                    texts.setdefault(bytes(path), []).append(token)
                    token = trie.same[token]
        arrays = _build(texts)
        self.memory += sum(4 * len(a) for a in arrays)
        return self._kernel.TokenTrie(*arrays)


def _build(texts: dict[bytes, list[int]]) -> tuple[array[int], array[int], array[int]]:
    """The trie of texts, each with its tokens, in the kernel's layout: nodes, tokens, and no children of the root."""
    edge, end, first, tokens = array("i", [0]), array("i", [0]), array("i", [0]), array("i")
    open_nodes: list[int] = [0]
    before = b""
    for text in sorted(texts):
        shared = 0
        while shared < len(before) and shared < len(text) and before[shared] == text[shared]:
            shared += 1
        for node in open_nodes[shared + 1 :]:
            end[node] = len(edge)
        del open_nodes[shared + 1 :]
        for byte in text[shared:]:
            open_nodes.append(len(edge))
            edge.append(byte)
            end.append(0)
            first.append(len(tokens))
        tokens.extend(texts[text])
        before = text
    for node in open_nodes:
        end[node] = len(edge)
    nodes = array("i", [field for record in zip(edge, end, first, strict=True) for field in record])
    nodes.extend((0, len(edge), len(tokens)))
    return nodes, tokens or array("i", [0]), array("i", [-1])
