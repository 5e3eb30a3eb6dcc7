"""Tries in which bytes of one kind are one byte: a first walk of a wide state in a twelfth of the steps.

Patterns and formats rarely tell one small letter from another, or one digit. With letters of one case, digits, and
bytes that UTF-8 does not tell apart taken for one another, the trie of a vocabulary of 128,000 tokens has 22,000 nodes
and not 275,000. A walk of it does the work for all tokens of a node at once. Where a state does tell bytes of a kind
apart, or calls a module, the nodes that a node stands for are left to the walk byte by byte; so nothing is asked of
the automaton. llguidance's slicer has the same purpose; it asks whether a whole set of tokens, given beforehand, is
allowed.

Below each of the root's children with many nodes a state often comes back to itself on most kinds of bytes. There the
tokens of these kinds alone are a row of words, kept for the next such state, and only nodes are looked at by which a
token leaves the loop.
"""

from __future__ import annotations

import string
from array import array
from collections import OrderedDict
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from .kernel import Kernel

if TYPE_CHECKING:
    from .token_tries import TokenTrie
    from .visible import Source

__all__ = ["KindTrie"]

_LARGE = 500  # nodes below one of the root's children
_KEPT = 128  # rows
# Bytes beyond ASCII that UTF-8 does not tell apart, but for the leading ones of characters that are blanks to patterns.
_BEYOND = (
    range(0x80, 0x90),
    range(0x90, 0xA0),
    range(0xA0, 0xC0),
    (0xC0, 0xC1, *range(0xF5, 0x100)),
    range(0xC3, 0xE0),
    (*range(0xE4, 0xED), 0xEE),
    range(0xF1, 0xF4),
)


def _kinds() -> bytes:
    """The kind of each byte."""
    blanks = " \t\n\r"
    controls = [byte for byte in range(0x20) if chr(byte) not in blanks]
    groups = [string.ascii_lowercase.encode(), string.ascii_uppercase.encode(), string.digits.encode()]
    kinds = [-1] * 256
    numbers = count()
    for group in (*groups, controls, *_BEYOND):
        number = next(numbers)
        for byte in group:
            kinds[byte] = number
    return bytes(next(numbers) if kind < 0 else kind for kind in kinds)


_KINDS = _kinds()


class KindTrie:
    """That of a trie of tokens. width: kinds of bytes.

    A node's children stand side by side, and behind those of the node before it. kinds: of the bytes into a node.
    children, members, token_starts: where its children begin, the nodes of the trie that it stands for in
    `member_nodes` (the bytes into these are in `member_bytes`), and its tokens in `tokens`; all end where those of the
    next node begin. lists: those of `list_by_kinds`.
    """

    def __init__(self, trie: TokenTrie, depth: int, word_count: int, kernel: Kernel) -> None:
        """depth: bytes of the trie's longest token. word_count: words of a row."""
        made = kernel.kinds.merge_kinds(trie.nodes, trie.tokens, _KINDS, depth)
        self.kinds, self.children, self.members, self.member_nodes, self.member_bytes = made[:5]
        self.token_starts, self.tokens = made[5:]
        self.width = max(_KINDS) + 1
        self.lists = kernel.kinds.list_by_kinds(self.kinds, self.children, self.width, _LARGE)
        self._trie = trie
        self._kernel = kernel.kinds
        self._word_count = word_count
        self._rows: OrderedDict[tuple[int, int], array[int]] = OrderedDict()
        self._lock = Lock()
        self._walks: list[Any] = [self._make_walk()]  # those that nobody uses just now

    def __repr__(self) -> str:
        return f"<KindTrie {len(self.kinds)} nodes for {self._trie.nodes[1]}>"

    @property
    def memory(self) -> int:
        """Bytes of the arrays, of the rows that are kept, and of work space that nobody uses just now."""
        parts = self.kinds, self.children, self.members, self.member_nodes, self.member_bytes, self.token_starts
        rows = 4 * self._word_count * len(self._rows)
        walks = (12 * len(self.kinds) + 33 * self._trie.nodes[1] // 8) * len(self._walks)
        return sum(memoryview(part).nbytes for part in (*parts, self.tokens, *self.lists)) + rows + walks

    def local(
        self, machine: Any, source: Source, state: int, depth: int, words: array[int], exits: array[int]
    ) -> tuple[int, bool]:
        """What the kernel's `local` finds by a walk of all nodes."""
        try:
            walk = self._walks.pop()
        except IndexError:
            walk = self._make_walk()
        count, begins = walk.walk(machine, source, state, words, exits)
        self._walks.append(walk)
        if not begins:
            return count, False
        total, depth_matters = machine.local(self._trie.kernel_trie, state, depth, words, exits, count, begins)
        if total > count:
            self._kernel.put_in_order(exits, count, total)
        return total, depth_matters

    def _make_walk(self) -> Any:
        return self._kernel.KindWalk(self, self._trie.nodes, _KINDS)

    def row_of(self, node: int, kinds: int) -> array[int]:
        """The tokens below one of the root's children that go on with bytes of these kinds alone."""
        with self._lock:
            known = self._rows.get((node, kinds))
            if known is None:
                known = self._rows[node, kinds] = array("I", bytes(4 * self._word_count))
                self._kernel.add_of_kinds(self, node, kinds, known)
                if len(self._rows) > _KEPT:
                    self._rows.popitem(last=False)
            else:
                self._rows.move_to_end((node, kinds))
            return known
