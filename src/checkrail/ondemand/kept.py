"""A bounded memory of languages that grow while they are used: what was used longest ago goes first.

`regular.remembered` counts an automaton's states once; here they are counted again whenever room is made.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock

from .language import Language, OnDemandLanguage

__all__ = ["Kept"]

_EACH = 16  # what a language costs besides its states
_LEAST_BETWEEN_COUNTS = 64  # new languages
_COUNTED_SHARE = 8  # of those kept, one in so many is new when all are counted again


class Kept:
    """Languages with at most `bound` states in all, as far as it has counted. Threads may share it."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._languages: dict[Hashable, Language | None] = {}  # what was used last is last
        self._lock = Lock()
        self._uncounted = 0

    def __repr__(self) -> str:
        return f"<Kept {len(self._languages)} languages>"

    def __len__(self) -> int:
        return len(self._languages)

    def get(self, key: Hashable, make: Callable[[], Language | None]) -> Language | None:
        """The language of a key, made where it is not kept. Two threads may make it at once; one is kept.

        One that has come near its bound of states is made anew: its users keep theirs, and what they add to it must
        not become the next one's error.
        """
        with self._lock:
            try:
                known = self._languages.pop(key)
            except KeyError:
                pass
            else:
                if known is None or not known.is_large:
                    self._languages[key] = known
                    return known
        made = make()
        with self._lock:
            language = self._languages.setdefault(key, made)
            self._uncounted += 1
            if self._uncounted >= max(_LEAST_BETWEEN_COUNTS, len(self._languages) // _COUNTED_SHARE):
                self._uncounted = 0
                self._make_room()
        return language

    def _make_room(self) -> None:
        kept = list(self._languages.items())
        sizes = [_EACH + (len(language) if isinstance(language, OnDemandLanguage) else 0) for _, language in kept]
        total = sum(sizes)
        for (key, _), size in zip(kept, sizes, strict=True):
            if total <= self._bound:
                return
            total -= size
            del self._languages[key]
