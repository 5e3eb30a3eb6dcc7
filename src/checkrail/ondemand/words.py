"""Listed words, made on demand: a trie over the sorted list, a state being the stretch of words that agree so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ..limits import Limits
from .language import LONGEST_TOKEN, KeyedLanguage

__all__ = ["WordLanguage", "byte_classes"]

_Stretch = tuple[int, int, int]


def byte_classes(values: Iterable[int]) -> tuple[bytes, int]:
    """A class map that tells these bytes apart, and the number of its classes; the last one is for all other bytes."""
    found = sorted(set(values))
    classes = bytearray([len(found)]) * 256
    for number, value in enumerate(found):
        classes[value] = number
    return bytes(classes), len(found) + 1


class WordLanguage(KeyedLanguage):
    """Some words, none of them empty. A key is (first, last, depth): words `first` to `last` agree up to `depth`."""

    def __init__(self, words: Iterable[bytes], limits: Limits) -> None:
        self._words = sorted(set(words))
        class_map, width = byte_classes(b"".join(self._words))
        super().__init__(class_map, width, limits, (0, len(self._words), 0))

    def accepting(self, state: int) -> bool:
        first, _, depth = self._key(state)
        return len(self._words[first]) == depth

    def _key(self, state: int) -> _Stretch:
        key = self._keys[state]
        assert isinstance(key, tuple)
        return key

    def _made(self, key: Hashable) -> list[int]:
        assert isinstance(key, tuple)
        first, last, depth = key
        words, class_map = self._words, self.class_map
        row = [-1] * self.width
        if last - first == 1:
            if len(words[first]) > depth:
                row[class_map[words[first][depth]]] = self._number((first, last, depth + 1))
            return row
        i = first + (len(words[first]) == depth)
        while i < last:
            byte = words[i][depth]
            end = i + 1
            if words[last - 1][depth] == byte:
                end = last
            while end < last and words[end][depth] == byte:
                end += 1
            row[class_map[byte]] = self._number((i, end, depth + 1))
            i = end
        return row

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        first, last, depth = self._key(state)
        if last - first == 1:
            return "word", self._words[first][depth:]
        return self.name, state
