"""What is left of the tokens that leave a module, as tries: made once for all states from which the same tokens leave.

Behind the closing quote of a string these are the same few hundred tokens for most patterns, in every schema.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from .kernel import Kernel

if TYPE_CHECKING:
    from .token_tries import TokenTrie

__all__ = ["Remainders"]

_MANY = 1 << 16  # nodes
_KEPT_BYTES = 8 * 1024 * 1024
_NO_CHILDREN = array("i", [-1])  # of a root: tries of remainders are walked from their first node on

Left: TypeAlias = tuple[list[Any], "array[int]", int]
"""Tries, the number of the exit that each is for, and their bytes."""


class Remainders:
    """Those of one vocabulary; the oldest go first."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._known: OrderedDict[tuple[TokenTrie, bytes], Left | None] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<Remainders {len(self._known)} sets of exits>"

    def find(self, trie: TokenTrie, exits: array[int]) -> Left | None:
        """What is left at some exits, pairs of a node of the trie and the number of the exit at which its byte is to be
        read; None where it is so much that it is better walked with the caller at hand."""
        key = trie, exits.tobytes()
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        left = self._made(trie, exits)
        with self._lock:
            if key not in self._known:
                self._known[key] = left
                self._bytes += len(key[1]) + (left[2] if left else 0)
                while self._bytes > _KEPT_BYTES:
                    (_, gone), old = self._known.popitem(last=False)
                    self._bytes -= len(gone) + (old[2] if old else 0)
        return left

    def _made(self, trie: TokenTrie, exits: array[int]) -> Left | None:
        count = len(exits) // 2
        numbers, nodes_below = self._kernel.walker.exit_numbers(trie.nodes, exits, count)
        if nodes_below > _MANY:
            return None
        tries, memory = [], 0
        for number in numbers:
            nodes, tokens = self._kernel.walker.merge(trie.nodes, trie.tokens, exits, count, number)
            tries.append(self._kernel.machine.TokenTrie(nodes, tokens or _NO_CHILDREN, _NO_CHILDREN))
            memory += 4 * (len(nodes) + len(tokens))
        return tries, array("i", numbers), memory
