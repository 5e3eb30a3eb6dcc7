"""A flat trie of a vocabulary's tokens, in depth-first order: what a mask walks.

Three parallel arrays describe it: the byte on the edge into each node, the token that ends there, and the index
just past the node's subtree. A walk is a loop that goes to `i + 1` when byte `byte[i]` is possible and jumps to
`end[i]` when it is not, so a rejected edge skips its whole subtree without a stack. The layout is that of
llguidance's toktrie, reduced to its three columns.

Building sorts the tokens by their bytes and lays them down in one pass, opening the nodes past the prefix shared
with the token before: O(bytes + n log n), about a second for 262,144 tokens in pure Python.

You need this to compute masks or to look up prefixes. To turn ids into bytes, `Vocabulary` is enough.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .vocabulary import Vocabulary

__all__ = ["Trie"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trie:
    """All tokens with at least one byte. Node 0 is the root; children are sorted by byte.

    Empty tokens are in no node: they make no progress, so a mask never allows them.
    The arrays hold 32-bit integers and must not be changed.

    byte: `byte[i]` is on the edge into node i (0 for the root).
    token: the least id of the tokens that end at node i, or -1.
    end: the index just past the subtree of node i; `end[0]` is the number of nodes.
    same: by token id, the next greater id with the same bytes, or -1; as long as the vocabulary.
    max_depth: bytes in the longest token.
    """

    byte: bytes
    token: array[int]
    end: array[int]
    same: array[int]
    max_depth: int

    @classmethod
    def build(cls, vocabulary: Vocabulary) -> Trie:
        """The trie of a vocabulary; its size is bounded by what `Vocabulary` admits."""
        tokens = vocabulary.tokens
        texts = {i: t for i, t in enumerate(tokens) if t}
        same = array("i", [-1]) * len(tokens)
        byte = bytearray(1)
        token = array("i", [-1])
        end = array("i", [0])
        path = [0]  # nodes from the root to the token before; path[k] is reached by its first k bytes
        previous, first = b"", -1
        unset = array("i", [-1])
        for identifier in sorted(texts, key=texts.__getitem__):  # stable: equal tokens stay in order of id
            text = texts[identifier]
            if text == previous:
                same[first] = identifier
                first = identifier
                continue
            shared = _common_prefix(previous, text)
            nodes = len(byte)
            for node in path[shared + 1 :]:
                end[node] = nodes
            del path[shared + 1 :]
            fresh = len(text) - shared
            path.extend(range(nodes, nodes + fresh))
            byte += text[shared:]
            token.extend(unset * fresh)
            end.extend(unset * fresh)
            token[-1] = identifier
            previous, first = text, identifier
        for node in path:
            end[node] = len(byte)
        depth = max(map(len, texts.values()), default=0)
        return cls(bytes(byte), token, end, same, depth)

    @property
    def nodes(self) -> int:
        """The number of nodes, the root included."""
        return len(self.byte)

    def children(self, node: int) -> Iterator[int]:
        """The child nodes of `node`, by ascending byte."""
        child, stop = node + 1, self.end[node]
        while child < stop:
            yield child
            child = self.end[child]

    def find(self, prefix: bytes) -> int | None:
        """The node that `prefix` leads to, or None where no token starts with it."""
        node = 0
        for value in prefix:
            for child in self.children(node):
                if self.byte[child] == value:
                    node = child
                    break
            else:
                return None
        return node

    def ids(self, node: int) -> Iterator[int]:
        """The tokens that end exactly at `node`, by ascending id."""
        identifier = self.token[node]
        while identifier >= 0:
            yield identifier
            identifier = self.same[identifier]

    def __repr__(self) -> str:
        return f"<Trie {self.nodes} nodes, depth {self.max_depth}>"


def _common_prefix(a: bytes, b: bytes) -> int:
    length = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        length += 1
    return length
