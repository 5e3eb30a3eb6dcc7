"""The local masks of wide states, made when the kernel asks for one and kept.

A state from which a walk visits many nodes of the trie is wide. Its mask is found once, on an unknown stack: the
tokens that stay in the module, and, for those that leave it, a trie of what is left of them to be walked from the
return state. One `WideMasks` belongs to the machines that were made with it; `memory` counts what it holds.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from threading import RLock
from typing import Any

from ..vocabulary.trie import Trie
from .kernel import Kernel

__all__ = ["WideMasks"]

_DENSE_SHARE = 4  # a mask with more than 1/4 of its words set is kept dense
_BY_DEPTH = -3  # as in the kernel


class WideMasks:
    """slots: for each state where its mask is, as the kernel reads it. masks: kept masks. by_depth: state and depth ->
    index, where the mask depends on the depth. memory: bytes of masks and tries."""

    def __init__(self, states: int, nesting: int, trie: Trie, exits: array[int], lock: RLock, kernel: Kernel) -> None:
        self.slots = array("i", [-1]) * states
        self.masks: list[Any] = []
        self.by_depth: dict[int, int] = {}
        self.memory = 0
        self._nesting = nesting
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
            exits, depth_matters = machine.local(state, depth, self._scratch)
            found = self._keep(exits)
            if depth_matters:
                self.by_depth[place] = found
                self.slots[state] = _BY_DEPTH
            else:
                self.slots[state] = found

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
