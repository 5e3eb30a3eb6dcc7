"""Patterns as sets of strings, remembered: the same pattern mostly stands at several places, and in other schemas.

A pattern that a few texts satisfy, such as `^(a|b)$`, is these texts: combining lists takes no automata.
"""

from __future__ import annotations

from typing import NamedTuple

from ...grammar.expression import CharacterClass, Choice, Expression, Literal, Repeat, Sequence
from ...grammar.regex import search_expression
from ...grammar.traverse import fold
from ...limits import DEFAULT_LIMITS, Limits
from ...regular.remembered import Remembered
from .texts import Texts

__all__ = ["pattern_texts"]


_MOST_LISTED = 32
_MOST_CHARACTERS = 256


class _Read(NamedTuple):
    texts: Texts
    characters: int


_READ: Remembered[_Read] = Remembered(2**17, lambda read: read.characters)


def pattern_texts(pattern: str, *, limits: Limits = DEFAULT_LIMITS, pointer: str) -> Texts:
    """The texts in which a pattern finds a match. Raises GrammarError and BudgetError at `pointer`."""

    def read() -> _Read:
        shape = search_expression(pattern, limits=limits, pointer=pointer)
        words = fold(shape, _listed)
        return _Read(Texts(None, shape) if words is None else Texts(words), len(pattern))

    return _READ.get((pattern, limits), read).texts


def _listed(node: Expression, parts: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """The words of an expression; None where they are many."""
    match node:
        case Literal(text):
            return (text,)
        case CharacterClass(ranges):
            most = sum(high - low + 1 for low, high in ranges) <= _MOST_LISTED
            return tuple(chr(code) for low, high in ranges for code in range(low, high + 1)) if most else None
        case Sequence():
            return _joined(parts)
        case Choice():
            found = {word: None for part in parts if part is not None for word in part}
            return tuple(found) if None not in parts and len(found) <= _MOST_LISTED else None
        case Repeat(_, minimum, maximum) if maximum is not None and maximum <= _MOST_LISTED:
            rounds = [_joined([parts[0]] * n) for n in range(minimum, maximum + 1)]
            return _listed(Choice(()), rounds)
    return None


def _joined(parts: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    words: tuple[str, ...] = ("",)
    for part in parts:
        if part is None or len(words) * len(part) > _MOST_LISTED:
            return None
        words = tuple(dict.fromkeys(word + end for word in words for end in part))
        if words and len(words[0]) > _MOST_CHARACTERS:
            return None
    return words
