"""Strings of several sets that together hold all strings: one language, whose ends say which sets a string is in.

What `regular.sorting` is for characters, spelled as JSON. Where sets do not hold all strings, or are not told by
patterns alone, their languages run side by side (`languages`).
"""

from __future__ import annotations

from collections.abc import Hashable

from ..json_schema.algebra.conjunctions import told_by
from ..json_schema.algebra.texts import Texts, needs_no_escapes
from ..limits import Limits
from ..regular.sorting import ANYTHING, Sorting
from .alphabet import Spelling
from .formats import FORMATS
from .kept import Kept
from .language import LONGEST_TOKEN, UNKNOWN_RUN, KeyedLanguage, Language
from .module import Outcomes
from .strings import SpelledLanguage

__all__ = ["SortedLanguage", "sorted_strings"]

_FREE, _PASSED, _END = range(3)
_BACKSLASH = 0x5C

_KEPT = Kept(2**15)


def sorted_strings(parts: tuple[Texts, ...], limits: Limits, *, as_rest: bool) -> SortedLanguage | None:
    """The language of some sets; None where there are strings in none of them, or that is not seen at once.

    as_rest: behind the opening quote, each in one spelling.
    """
    language = _KEPT.get((parts, as_rest, limits), lambda: _made(parts, limits, as_rest))
    assert language is None or isinstance(language, SortedLanguage)
    return language


def _made(parts: tuple[Texts, ...], limits: Limits, as_rest: bool) -> Language | None:
    if any(part.members is not None or part.without or FORMATS.texts_of(part.shape) for part in parts):
        return None  # of formats the languages and masks are kept
    told = told_by([part.shape for part in parts])
    if told is None:
        return None
    outcomes = Outcomes(len(parts))
    raw = [not as_rest and needs_no_escapes(part) for part in parts]
    sorting = Sorting(*told, outcomes.number, limits, raw)
    return SortedLanguage(sorting, outcomes, limits, as_rest=as_rest, mixed=any(raw))


class SortedLanguage(KeyedLanguage):
    """The JSON spellings of all texts. outcomes: the sets that they may be in, together.

    A state is a place of `_free`, which spells all texts, or of `_passed`, which spells those of the sets that have
    escapes: an escape leads out of the others. Keys: (which, its state), or (_END, outcome); behind the start come the
    ends, in order.
    """

    def __init__(self, sorting: Sorting, outcomes: Outcomes, limits: Limits, *, as_rest: bool, mixed: bool) -> None:
        spelling = Spelling.ONE if as_rest else Spelling.ANY
        self._free = SpelledLanguage(sorting.texts(sorting.start), spelling, limits, opened=as_rest)
        self._passed: SpelledLanguage | None = None
        passed = sorting.passed(sorting.start) if mixed else -1
        if passed >= 0:
            self._passed = SpelledLanguage(sorting.texts(passed), spelling, limits, opened=as_rest)
        super().__init__(self._free.class_map, self._free.width, limits, (_FREE, 0))
        self.outcomes = outcomes
        self._sorting = sorting
        self._mixed = mixed
        for outcome in range(outcomes.most):
            self._number((_END, outcome))

    @property
    def is_large(self) -> bool:
        """Whether it, or what it is made of, has so many states that the next to use it should begin with none."""
        return super().is_large or self._free.is_large

    def accepting(self, state: int) -> bool:
        return self.ends_as(state) >= 0

    def ends_as(self, state: int) -> int:
        """The outcome with which a string ends here, -1 where it does not."""
        return state - 1 if 0 < state <= self.outcomes.most else -1

    def _at(self, key: Hashable) -> tuple[SpelledLanguage, int]:
        assert isinstance(key, tuple)
        which, place = key
        language = self._free if which == _FREE else self._passed
        assert language is not None
        return language, place

    def _made(self, key: Hashable) -> list[int]:
        assert isinstance(key, tuple)
        which = key[0]
        if which == _END:
            return [-1] * self.width
        language, place = self._at(key)
        spelled = language.row(place)
        numbers = {-1: -1}
        for target in dict.fromkeys(spelled):
            if target >= 0 and not language.accepting(target):
                numbers[target] = self._number((which, target))
            elif target >= 0:
                (texts,) = language.texts_at(place)
                numbers[target] = self._number((_END, self._sorting.ends_as(texts)))
        row = [numbers[target] for target in spelled]
        if self._mixed and which == _FREE:
            self._pass(row, place)
        return row

    def _pass(self, row: list[int], place: int) -> None:
        """Let the escapes of a place before a character lead on without the sets that have none."""
        texts = self._free.texts_at(place)
        if len(texts) != 1 or not self._free.begins_character(place):
            return
        passed = self._sorting.passed(texts[0])
        backslash = self.class_map[_BACKSLASH]
        target = -1
        if passed >= 0 and self._passed is not None:
            target = self._passed.row(self._passed.before(passed))[backslash]
        row[backslash] = self._number((_PASSED, target)) if target >= 0 else -1

    def plain_run(self, state: int) -> int:
        if self.ends_as(state) >= 0:
            return UNKNOWN_RUN
        language, place = self._at(self._keys[state])
        with self._lock:
            return language.plain_run(place)

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        """That of the place in any string, and the outcome, where all that a token can end ends alike."""
        if self.ends_as(state) >= 0:
            return self.name, state
        language, place = self._at(self._keys[state])
        with self._lock:
            name = language.name_of(place, longest)
            decided = {self._sorting.decided(texts, longest) for texts in language.texts_at(place)}
        if name is None or len(decided) != 1 or -1 in decided:
            return name
        (number,) = decided
        alike: tuple[Hashable, ...] = name[0], ANYTHING
        if len(name) == 3:
            _, shape, texts = name
            assert isinstance(texts, tuple)
            alike = name[0], shape, (ANYTHING,) * len(texts)
        return (alike, number) if number else alike
