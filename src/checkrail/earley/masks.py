"""Masks three times over, each derived from the one before and equal to it: what the fast one is checked against.

- `mask_by_tokens` tries every token: right by definition, tokens x bytes steps
- `mask_by_trie` shares the prefixes of tokens: save, push a byte, go down, restore
- `mask_by_flat_trie` is the same walk as one loop over the arrays of `Trie`, where a byte that is not possible skips
  its whole subtree

Special tokens and end tokens are no bytes; the engine adds them. Read these to understand `walker`, which runs the last
one in the kernel, and use them in tests.
"""

from __future__ import annotations

from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .recognizer import Recognizer

__all__ = ["mask_by_flat_trie", "mask_by_tokens", "mask_by_trie"]


def mask_by_tokens(recognizer: Recognizer, vocabulary: Vocabulary) -> set[int]:
    """The ids whose bytes may come next."""
    allowed: set[int] = set()
    mark = recognizer.save()
    for token, data in enumerate(vocabulary.tokens):
        if data and recognizer.push_bytes(data):
            allowed.add(token)
        recognizer.restore(mark)
    return allowed


def mask_by_trie(recognizer: Recognizer, trie: Trie) -> set[int]:
    """The same by a depth-first walk. The list holds nodes to visit, and the place to go back to before each."""
    allowed: set[int] = set()
    mark = recognizer.save()
    pending = [(node, mark) for node in trie.children(0)]
    while pending:
        node, place = pending.pop()
        recognizer.restore(place)
        if recognizer.push_byte(trie.byte[node]):
            allowed.update(trie.ids(node))
            here = recognizer.save()
            pending += [(child, here) for child in trie.children(node)]
    recognizer.restore(mark)
    return allowed


def mask_by_flat_trie(recognizer: Recognizer, trie: Trie) -> set[int]:
    """The same as one loop. Behind the last node of a subtree the walk is back where the subtree began."""
    allowed: set[int] = set()
    mark = recognizer.save()
    open_subtrees = [(trie.nodes, mark)]  # where each ends, and the place to go on from inside it
    node = 1
    while node < trie.nodes:
        while node >= open_subtrees[-1][0]:
            open_subtrees.pop()
        recognizer.restore(open_subtrees[-1][1])
        if recognizer.push_byte(trie.byte[node]):
            allowed.update(trie.ids(node))
            open_subtrees.append((trie.end[node], recognizer.save()))
            node += 1
        else:
            node = trie.end[node]
    recognizer.restore(mark)
    return allowed
