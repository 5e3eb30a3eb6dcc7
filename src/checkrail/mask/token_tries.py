"""Tries in the kernel's layout: that of a vocabulary, of some of its tokens, or of what is left of tokens.

A node is a record of three: the byte on the edge into it, the index after its subtree, the index of its first token
in `tokens`; one more record closes the token list. Nodes stand in depth-first order, so the tokens of a subtree are
one stretch of the list.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any

from ..vocabulary.trie import Trie, lay_out
from .kernel import Kernel

__all__ = ["LAYOUT", "TokenTrie", "records_of_texts", "records_of_vocabulary"]

LAYOUT = 1
"""The version of these records and of the kernel's `LocalMask`. Files that hold another one are made again."""


class TokenTrie:
    """nodes, tokens: as above. child: the root's child on each byte, or -1. kernel_trie: what the kernel walks.

    memory: bytes of the arrays.
    """

    def __init__(self, nodes: array[int], tokens: array[int], kernel: Kernel) -> None:
        self.nodes = nodes
        self.tokens = tokens
        child = array("i", [-1]) * 256
        node = 1
        while node < nodes[1]:
            child[nodes[3 * node]] = node
            node = nodes[3 * node + 1]
        self.child = child
        self.memory = 4 * (len(nodes) + len(tokens) + len(child))
        self.kernel_trie: Any = kernel.machine.TokenTrie(nodes, tokens or array("i", [0]), child)

    def __repr__(self) -> str:
        return f"<TokenTrie {self.nodes[1]} nodes, {len(self.tokens)} tokens>"


def records_of_vocabulary(trie: Trie) -> tuple[array[int], array[int]]:
    """The nodes, numbered as in the `Trie`, and the tokens of a vocabulary."""
    first, tokens = array("i"), array("i")
    for token in trie.token:
        first.append(len(tokens))
        while token >= 0:
            tokens.append(token)
            token = trie.same[token]
    return _records(trie.byte, trie.end, first, len(tokens)), tokens


def records_of_texts(texts: Mapping[bytes, Sequence[int]]) -> tuple[array[int], array[int]]:
    """The nodes and tokens of texts that are not empty, each with its tokens."""
    ordered = sorted(texts)
    byte, end, places = lay_out(ordered)
    first, tokens = array("i", [0]), array("i")
    for text, place in zip(ordered, places, strict=True):
        first.extend(repeat(len(tokens), place + 1 - len(first)))
        tokens.extend(texts[text])
    return _records(byte, end, first, len(tokens)), tokens


def _records(byte: bytes, end: array[int], first: array[int], count: int) -> array[int]:
    """The columns of a trie as records, with the closing one; `count` is the number of tokens."""
    nodes = array("i", bytes(12 * (len(byte) + 1)))
    nodes[0::3] = array("i", [*byte, 0])
    nodes[1::3] = end + array("i", [len(byte)])
    nodes[2::3] = first + array("i", [count])
    return nodes
