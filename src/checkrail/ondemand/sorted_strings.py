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
from .language import LONGEST_TOKEN, Language
from .module import Outcomes
from .strings import SpelledLanguage

__all__ = ["SortedLanguage", "sorted_strings"]

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


class SortedLanguage(SpelledLanguage):
    """The JSON spellings of all texts. outcomes: the sets that they may be in, together.

    Behind the start come the ends, one for each outcome, in order. mixed: an escape leads out of the sets that have
    none.
    """

    def __init__(self, sorting: Sorting, outcomes: Outcomes, limits: Limits, *, as_rest: bool, mixed: bool) -> None:
        spelling = Spelling.ONE if as_rest else Spelling.ANY
        ends = outcomes.most, sorting.ends_as, sorting.passed if mixed else None
        super().__init__(sorting.texts, spelling, limits, opened=as_rest, ends=ends)
        self.outcomes = outcomes
        self._sorting = sorting

    def ends_as(self, state: int) -> int:
        """The outcome with which a string ends here, -1 where it does not."""
        return state - 1 if 0 < state <= self.outcomes.most else -1

    def name_of(self, state: int, longest: int = LONGEST_TOKEN) -> tuple[Hashable, ...] | None:
        """That of the place in any string, and the outcome, where all that a token can end ends alike."""
        if self.ends_as(state) >= 0:
            return self.name, state
        with self._lock:
            name = super().name_of(state, longest)
            decided = {self._sorting.decided(texts, longest) for texts in self.texts_at(state)}
        if name is None or len(decided) != 1 or -1 in decided:
            return name
        (number,) = decided
        alike: tuple[Hashable, ...] = name[0], ANYTHING
        if len(name) == 3:
            _, shape, texts = name
            assert isinstance(texts, tuple)
            alike = name[0], shape, (ANYTHING,) * len(texts)
        return (alike, number) if number else alike
