"""Keys behind their opening quote, each in one spelling: what stands beside the declared names of an object."""

from __future__ import annotations

from ..json_schema.algebra.texts import ALL_TEXTS, Texts
from ..json_schema.literals import quote
from ..limits import Limits
from ..regular.texts import text_automaton
from .alphabet import Spelling
from .kept import Kept
from .language import Language
from .scalars import ANY_CANONICAL
from .strings import SpelledLanguage
from .words import WordLanguage

__all__ = ["key_rest"]

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
