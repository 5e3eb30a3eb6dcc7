"""Tries in the kernel's layout: that of a vocabulary, of some of its tokens, or of what is left of tokens.

A node is a record of three: the byte on the edge into it, the index after its subtree, the index of its first token
in `tokens`; one more record closes the token list. Nodes stand in depth-first order, so the tokens of a subtree are
one stretch of the list.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..vocabulary.trie import Trie
from .kernel import Kernel

__all__ = ["TokenTrie"]


class TokenTrie:
    """nodes, tokens: as above. kernel_trie: what the kernel walks. memory: bytes of the arrays."""

    def __init__(self, nodes: array[int], tokens: array[int], kernel: Kernel) -> None:
        self.nodes = nodes
        self.tokens = tokens
        child = array("i", [-1]) * 256
        node = 1
        while node < nodes[1]:
            child[nodes[3 * node]] = node
            node = nodes[3 * node + 1]
        self.memory = 4 * (len(nodes) + len(tokens) + len(child))
        self.kernel_trie: Any = kernel.machine.TokenTrie(nodes, tokens or array("i", [0]), child)

    def __repr__(self) -> str:
        return f"<TokenTrie {self.nodes[1]} nodes, {len(self.tokens)} tokens>"

    @classmethod
    def of_vocabulary(cls, trie: Trie, kernel: Kernel) -> TokenTrie:
        """All tokens of a vocabulary, nodes numbered as in its `Trie`."""
        nodes, tokens = array("i"), array("i")
        for i in range(len(trie.end)):
            nodes.extend((trie.byte[i], trie.end[i], len(tokens)))
            token = trie.token[i]
            while token >= 0:
                tokens.append(token)
                token = trie.same[token]
        nodes.extend((0, len(trie.end), len(tokens)))
        return cls(nodes, tokens, kernel)

    @classmethod
    def of_texts(cls, texts: Mapping[bytes, Sequence[int]], kernel: Kernel) -> TokenTrie:
        """Texts that are not empty, each with its tokens."""
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
        return cls(nodes, tokens, kernel)

    def remainders(self, exits: Iterable[int]) -> dict[bytes, list[int]]:
        """What is left of the tokens below some nodes, the bytes on the edges into these included."""
        nodes = self.nodes
        texts: dict[bytes, list[int]] = {}
        for node in exits:
            path = bytearray()
            ends: list[int] = []
            for i in range(node, nodes[3 * node + 1]):
                while ends and ends[-1] <= i:
                    ends.pop()
                    path.pop()
                path.append(nodes[3 * i])
                ends.append(nodes[3 * i + 1])
                tokens = self.tokens[nodes[3 * i + 2] : nodes[3 * i + 5]]
                if tokens:
                    texts.setdefault(bytes(path), []).extend(tokens)
        return texts
