"""Free text with an end: up to the first of some strings, or without any of them.

A model writes prose until it begins a tool call. As a regular language: `text_until("<call>")` is every text after
which `<call>` completes no earlier than at its own end, so that the first `<call>` is where the structure begins.
Expressions say this with a complement; determinized it is the automaton of Aho and Corasick (1975), or of Knuth, Morris
and Pratt (1977) for one string, with a state for each prefix.

The size is linear in the strings, but for the overlaps of one with another, which are found by comparing all pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .expression import ANY_CHARACTER, NOTHING, Complement, Expression, Literal, Repeat, Sequence
from .simplify import choice_of

__all__ = ["ANY_TEXT", "anything_but", "text_until", "text_without"]

ANY_TEXT = Repeat(ANY_CHARACTER, 0, None)


def text_without(strings: Iterable[str]) -> Expression:
    """All texts in which none of the strings (not empty) occurs."""
    bad = [Sequence((ANY_TEXT, Literal(string), ANY_TEXT)) for string in dict.fromkeys(strings)]
    return Complement(choice_of(bad)) if bad else ANY_TEXT


def text_until(stop: str, others: Iterable[str] = ()) -> Expression:
    """All texts w such that in w + `stop` neither `stop` nor one of the others completes before the very end.

    The text itself, without `stop`. Strings are not empty.
    """
    strings = dict.fromkeys((stop, *others))
    if any(string in stop[:-1] for string in strings):
        return NOTHING
    bad: list[Expression] = [Sequence((ANY_TEXT, Literal(string), ANY_TEXT)) for string in strings]
    bad += [Sequence((ANY_TEXT, Literal(begun))) for begun in dict.fromkeys(_early_beginnings(stop, strings))]
    return Complement(choice_of(bad))


def anything_but(strings: Iterable[str]) -> Expression:
    """All texts but these."""
    return Complement(choice_of(Literal(string) for string in dict.fromkeys(strings)))


def _early_beginnings(stop: str, strings: Iterable[str]) -> Iterator[str]:
    """What must not stand before `stop`, because with a part of `stop` it is one of the strings."""
    for string in strings:
        for size in range(1, len(string)):
            rest = string[size:]
            if len(rest) < len(stop) and stop.startswith(rest):
                yield string[:size]
