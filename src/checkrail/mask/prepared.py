"""What is prepared for a vocabulary before any grammar: arrays, independent of the twin of the kernel that reads them.

`build` makes them, which takes a third of a second for 128,000 tokens. `cache.prepare` makes them once.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import accumulate

from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .plain import PlainTokens, split_plain
from .token_tries import records_of_texts, records_of_vocabulary

__all__ = ["Prepared", "build"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Prepared:
    """The arrays of one vocabulary; they must not be changed.

    trie: all tokens. nodes, tokens: the same in the kernel's layout (`token_tries`). token_bytes, token_starts: the
    bytes of all tokens one after the other, and where each begins, with the end of the last. plain: the tokens of whole
    plain characters. other_nodes, other_tokens: the trie of the rest, in the kernel's layout.
    """

    trie: Trie
    nodes: array[int]
    tokens: array[int]
    token_bytes: bytes
    token_starts: array[int]
    plain: PlainTokens
    other_nodes: array[int]
    other_tokens: array[int]

    def __repr__(self) -> str:
        return f"<Prepared {len(self.token_starts) - 1} tokens, {self.trie.nodes} nodes>"


def build(vocabulary: Vocabulary) -> Prepared:
    """Prepare a vocabulary: O(bytes + n log n)."""
    trie = Trie.build(vocabulary)
    texts = [text or b"" for text in vocabulary.tokens]
    plain, others = split_plain(vocabulary)
    return Prepared(
        trie,
        *records_of_vocabulary(trie),
        b"".join(texts),
        array("i", accumulate(map(len, texts), initial=0)),
        PlainTokens.of(plain, len(vocabulary)),
        *records_of_texts(others),
    )
