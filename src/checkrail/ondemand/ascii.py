"""Languages of ASCII expressions, such as the syntax of numbers, made on demand from partial derivatives."""

from __future__ import annotations

from collections.abc import Hashable

from ..grammar.expression import Expression
from ..limits import Limits
from ..regular.derivatives import Derivatives
from ..regular.subsets import subsets_of
from .language import KeyedLanguage

__all__ = ["AsciiLanguage"]


class AsciiLanguage(KeyedLanguage):
    """The words of an expression without characters beyond ASCII. Keys are the states of its subset automaton."""

    def __init__(self, expression: Expression, limits: Limits) -> None:
        derivatives = Derivatives([expression], limits)
        self._subsets = subsets_of(derivatives)
        partition, width = derivatives.partition, derivatives.width
        letters = [partition.letter(byte) for byte in range(128)]
        class_map = bytes([letter if letter >= 0 else width for letter in letters]) + bytes([width]) * 128
        super().__init__(class_map, width + 1, limits, self._subsets.start(derivatives.node(expression)))

    def accepting(self, state: int) -> bool:
        key = self._keys[state]
        assert isinstance(key, int)
        with self._lock:
            return self._subsets.accepting(key)

    def _made(self, key: Hashable) -> list[int]:
        assert isinstance(key, int)
        return [self._number(t) if t >= 0 else -1 for t in (*self._subsets.row(key), -1)]
