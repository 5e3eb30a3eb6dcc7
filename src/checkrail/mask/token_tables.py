"""What a vocabulary contributes to masks, in the kernel's layout; made once and shared by all its constraints."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import Any

from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for
from .kernel import Kernel
from .plain import PlainTokens, split_plain
from .token_tries import TokenTrie

__all__ = ["SharedMasks", "TokenTables", "token_tables"]

_SHARED_BYTES = 32 * 1024 * 1024  # of masks that a vocabulary keeps for all its constraints


class TokenTables:
    """tokens: the trie of all tokens. plain: those of whole plain characters. others: the trie of the rest.

    token_bytes, token_starts: the bytes of all tokens in one string, and where each begins. ends: the end tokens.
    shared: local masks that serve all constraints.
    """

    def __init__(self, vocabulary: Vocabulary, trie: Trie, kernel: Kernel) -> None:
        self.trie = trie
        self.word_count = words_for(len(vocabulary))
        self.tokens = TokenTrie.of_vocabulary(trie, kernel)
        self.ends = array("i", vocabulary.eos)
        self.shared = SharedMasks()
        self.token_starts = array("i", [0])
        data = bytearray()
        for text in vocabulary.tokens:
            data += text or b""
            self.token_starts.append(len(data))
        self.token_bytes = bytes(data) or b"\0"
        plain, others = split_plain(vocabulary)
        self.plain = PlainTokens(plain, len(vocabulary))
        self.others = TokenTrie.of_texts(others, kernel)


@lru_cache(maxsize=8)
def token_tables(vocabulary: Vocabulary, trie: Trie, kernel: Kernel) -> TokenTables:
    """The tables of a vocabulary, made once."""
    return TokenTables(vocabulary, trie, kernel)


class SharedMasks:
    """Local masks by what may follow a state, for all constraints of one vocabulary; the oldest go first."""

    def __init__(self) -> None:
        self._masks: OrderedDict[tuple[bytes, int], tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self.memory = 0

    def get(self, name: tuple[bytes, int]) -> Any:
        """The mask of a place in a module (see `PushdownAutomaton.digest_of`), or None."""
        with self._lock:
            found = self._masks.get(name)
            if found is None:
                return None
            self._masks.move_to_end(name)
            return found[0]

    def put(self, name: tuple[bytes, int], mask: Any, memory: int) -> None:
        """Keep a mask of `memory` bytes."""
        with self._lock:
            if name not in self._masks:
                self._masks[name] = mask, memory
                self.memory += memory
            while self.memory > _SHARED_BYTES:
                self.memory -= self._masks.popitem(last=False)[1][1]
