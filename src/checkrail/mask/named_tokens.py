"""The tokens that a grammar names, by id or by text: `<[1234]>`, `<think>`, and `!<think>` for any other one.

An edge names one token, so what it takes is one bit of a mask, or a row that all negated edges of a vocabulary share
but for one bit. A grammar may name each token of a large vocabulary without taking more memory than its edges do.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from ..automaton.modules import TokenEdge
from ..errors import VocabularyError
from ..vocabulary.vocabulary import Vocabulary
from .bitmask import words_for
from .kernel import Kernel

__all__ = ["NamedTokens"]


@dataclass(frozen=True, slots=True)
class _Others(Collection[int]):
    """The ids below `end`, but one and the end tokens."""

    end: int
    named: int
    eos: tuple[int, ...]

    def __contains__(self, token: object) -> bool:
        return isinstance(token, int) and 0 <= token < self.end and token != self.named and token not in self.eos

    def __iter__(self) -> Iterator[int]:
        return (token for token in range(self.end) if token in self)

    def __len__(self) -> int:
        return self.end - len({self.named, *self.eos})


class NamedTokens:
    """The token edges of one automaton over one vocabulary."""

    def __init__(self, edges: Iterable[TokenEdge], vocabulary: Vocabulary, kernel: Kernel) -> None:
        """Raises VocabularyError GRAMMAR_TOKEN for an edge whose token the vocabulary does not have."""
        self._vocabulary = vocabulary
        self._kernel = kernel.walker
        self._named: dict[TokenEdge, int] = {}
        for edge in edges:
            named = vocabulary.find(edge.token) if isinstance(edge.token, str) else edge.token
            if named is None or not 0 <= named < len(vocabulary):
                raise VocabularyError("GRAMMAR_TOKEN", token=edge.token)
            self._named[edge] = named
        self._all = array("I", [0]) * words_for(len(vocabulary))  # all but the end tokens
        if any(edge.negated for edge in self._named):
            for token in _Others(len(vocabulary), -1, vocabulary.eos):
                self._all[token >> 5] |= 1 << (token & 31)

    def __len__(self) -> int:
        return len(self._named)

    def ids(self) -> dict[TokenEdge, Collection[int]]:
        """For each edge the ids that it takes."""
        vocabulary = self._vocabulary
        return {
            edge: _Others(len(vocabulary), named, vocabulary.eos) if edge.negated else (named,)
            for edge, named in self._named.items()
        }

    def add(self, row: memoryview, edge: TokenEdge) -> None:
        """Allow what an edge takes, in a row of unsigned words."""
        named = self._named[edge]
        word, bit = named >> 5, 1 << (named & 31)
        if not edge.negated:
            row[word] |= bit
            return
        before = row[word] & bit
        self._kernel.or_dense(row, self._all, len(self._all))
        row[word] = row[word] & ~bit | before
