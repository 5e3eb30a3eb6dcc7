"""Keys behind their opening quote, each in one spelling: what stands beside the declared names of an object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..json_schema.algebra.conjunctions import told_by
from ..json_schema.algebra.texts import ALL_TEXTS, Texts
from ..json_schema.literals import quote
from ..limits import Limits
from ..regular.texts import text_automaton
from .alphabet import Spelling
from .kept import Kept
from .keys import Rest, spelled
from .language import Language
from .noted import Places
from .scalars import ANY_CANONICAL
from .strings import SpelledLanguage
from .words import WordLanguage

__all__ = ["are_all", "goes_on", "key_rest", "without_names"]

_KEPT = Kept(2**15)


def key_rest(texts: Texts, limits: Limits) -> Language | None:
    """The language of some keys; None where there are none. Raises BudgetError where a shape is too large."""
    if texts == ALL_TEXTS:
        return ANY_CANONICAL
    return _KEPT.get((texts, limits), lambda: _make(texts, limits))


def _make(texts: Texts, limits: Limits) -> Language | None:
    if texts.members is not None:
        return WordLanguage([quote(text)[1:].encode() for text in texts.members], limits) if texts.members else None
    automaton = text_automaton(texts.shape, texts.without, limits)
    return None if automaton is None else SpelledLanguage(automaton, Spelling.ONE, limits, opened=True)


def goes_on(rest: Rest, names: Iterable[str]) -> bool:
    """Whether endlessly many other keys begin as a name does, at each of its letters, for all names among the keys.

    True only where it is seen at once, of each language by itself: a place leads to itself, or to one that does.
    """
    return rest.takes_all or all(_goes_on(keys, list(map(spelled, names))) for keys in rest.united())


def _goes_on(keys: Places, words: Iterable[bytes]) -> bool:
    class_map = keys.class_map
    endless: set[int] = set()
    for word in words:
        place, places = 0, []
        for byte in word:
            places.append(place)
            place = keys.row(place)[class_map[byte]]
            if place < 0:
                break
        else:
            for each in places:
                if each not in endless:
                    if not _is_endless(keys, each):
                        return False
                    endless.add(each)
    return True


def _is_endless(keys: Places, place: int) -> bool:
    """Whether a place is seen to have endless words. What most letters lead to is asked first."""
    row = keys.row(place)
    return place in row or any(after in keys.row(after) for after, _ in Counter(row).most_common() if after >= 0)


def are_all(parts: Sequence[Texts]) -> bool:
    """Whether it is seen that every key is in one of some sets."""
    if len(parts) == 1:
        return parts[0] == ALL_TEXTS
    shapes = [part.shape for part in parts if part.members is None and not part.without]
    return told_by(shapes) is not None


def without_names(texts: Texts, names: frozenset[str]) -> Texts:
    """Some keys but for these."""
    if texts.members is not None:
        return Texts(tuple(text for text in texts.members if text not in names))
    return replace(texts, without=tuple(sorted(names.union(texts.without))))
