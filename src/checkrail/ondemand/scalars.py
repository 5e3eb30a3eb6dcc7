"""The languages of strings, keys, numbers and words: what a scalar may be in a set of values, as automata over bytes.

They are the languages of `json_schema.algebra.lower_scalars`, made on demand. Equal sets share one language, whatever
schema they are in; what was not used for the longest time is forgotten, counted in states.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cache

from ..grammar.expression import Intersection
from ..json_schema.algebra.conjunctions import factors_of, is_length
from ..json_schema.algebra.numbers import NumberRange
from ..json_schema.algebra.texts import ALL_TEXTS, Texts, needs_no_escapes
from ..json_schema.decimals import NUMBER
from ..json_schema.literals import quote
from ..limits import DEFAULT_LIMITS, Limits
from ..regular.texts import text_automaton
from .alphabet import Spelling
from .ascii import AsciiLanguage
from .bounded_strings import bounded
from .finished import finished
from .formats import FORMATS
from .kept import Kept
from .language import FinishedLanguage, Language
from .numbers import range_language
from .scientific import scientific_language
from .strings import SpelledLanguage
from .union import UnionLanguage
from .words import WordLanguage

__all__ = [
    "ANY_CANONICAL",
    "Language",
    "any_number",
    "any_string",
    "key_language",
    "number_language",
    "string_language",
    "word_language",
]

_KEPT = Kept(2**16)


def string_language(texts: Texts, limits: Limits) -> Language | None:
    """The strings, quotes included: listed ones in one spelling, others in all that RFC 8259 allows.

    None where there are none. Raises BudgetError where a shape is too large.
    """
    if texts == ALL_TEXTS:
        return any_string()
    language = FORMATS.get(texts, limits, lambda: _strings(texts, limits, only_one=False))
    return language or _KEPT.get(_key(texts, limits), lambda: _strings(texts, limits, only_one=False))


def key_language(texts: Texts, limits: Limits) -> Language | None:
    """The keys, quotes included. Keys beside some names have one spelling each, so that no escape can spell one of the
    names."""
    if texts.members is not None or not texts.without:
        return string_language(texts, limits)
    return _KEPT.get((True, _key(texts, limits)), lambda: _strings(texts, limits, only_one=True))


def number_language(ranges: Iterable[NumberRange], pointer: str, limits: Limits) -> Language | None:
    """The numbers: integers are digits alone, unless a fraction of zeros is allowed; other numbers plain decimals or,
    where no multiple is asked for, in scientific notation. None: no numbers.

    Raises SchemaError SCHEMA_KEYWORD_UNSUPPORTED, with the pointer, for bounds that plain decimals do not reach.
    """
    kept = tuple(ranges)
    return _KEPT.get(_key(kept, limits), lambda: _numbers(kept, pointer, limits))


def _key(values: Hashable, limits: Limits) -> Hashable:
    """What a language is kept by. The default limits are mostly the same object, and hashing them costs more."""
    return values if limits is DEFAULT_LIMITS else (values, limits)


def word_language(*words: bytes) -> Language:
    """Exactly these words, none of them empty."""
    language = _KEPT.get(("words", words), lambda: WordLanguage(words, DEFAULT_LIMITS))
    assert language is not None
    return language


@cache
def any_string() -> FinishedLanguage:
    """All strings, in all their spellings, quotes included."""
    return finished(_any_text(Spelling.ANY, opened=False))


@cache
def any_number() -> Language:
    """All numbers that a double holds, as `json_schema.decimals` has them."""
    return AsciiLanguage(NUMBER, DEFAULT_LIMITS)


def _any_text(spelling: Spelling, *, opened: bool) -> SpelledLanguage:
    automaton = text_automaton(ALL_TEXTS.shape, (), DEFAULT_LIMITS)
    assert automaton is not None
    return SpelledLanguage(automaton, spelling, DEFAULT_LIMITS, opened=opened)


# Strings


def _strings(texts: Texts, limits: Limits, *, only_one: bool) -> Language | None:
    if texts.members is not None:
        return WordLanguage([quote(text).encode() for text in texts.members], limits) if texts.members else None
    if not texts.without:
        language = _bounded(texts, limits)
        if language is not None:
            return language
    automaton = text_automaton(texts.shape, texts.without, limits)
    if automaton is None:
        return None
    spelling = Spelling.RAW if needs_no_escapes(texts) else Spelling.ONE if only_one else Spelling.ANY
    return SpelledLanguage(automaton, spelling, limits)


def _bounded(texts: Texts, limits: Limits) -> Language | None:
    """The language of a pattern or a format with a bound on its length; None for others, and for empty ones."""
    lengths = [factor for factor in factors_of(texts.shape) if is_length(factor)]
    others = [factor for factor in factors_of(texts.shape) if not is_length(factor)]
    if len(lengths) != 1 or not others:
        return None
    shape = others[0] if len(others) == 1 else Intersection(tuple(others))
    pattern = FORMATS.texts_of(shape) or Texts(None, shape, (), texts.plain)
    high = lengths[0].maximum
    return bounded(string_language(pattern, limits), lengths[0].minimum, -1 if high is None else high, limits)


# Numbers


def _numbers(ranges: tuple[NumberRange, ...], pointer: str, limits: Limits) -> Language | None:
    if len(ranges) == 1 and not _is_point(ranges[0]):
        return any_number() if ranges[0] == NumberRange() else _bounded_numbers(ranges[0], pointer, limits)
    words = [spelling.encode() for range_ in ranges for spelling in range_.spellings()]
    parts: list[Language] = [WordLanguage(words, limits)] if words else []
    for range_ in ranges:
        if not _is_point(range_):
            part = number_language((range_,), pointer, limits)
            if part is not None:
                parts.append(part)
    if len(parts) < 2:
        return parts[0] if parts else None
    return UnionLanguage(parts, limits)


def _bounded_numbers(range_: NumberRange, pointer: str, limits: Limits) -> Language | None:
    plain = range_language(range_, pointer, limits)
    if not range_.has_exponents:
        return plain
    parts = [part for part in (plain, scientific_language(range_, limits)) if part is not None]
    return UnionLanguage(parts, limits) if len(parts) > 1 else parts[0] if parts else None


def _is_point(range_: NumberRange) -> bool:
    return range_.low is not None and range_.low == range_.high


ANY_CANONICAL = finished(_any_text(Spelling.ONE, opened=True))
"""The rest of a string in the one spelling of each of its characters, closing quote included."""
