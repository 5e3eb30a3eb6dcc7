"""Trying texts: whether a text is a member of a combination of patterns, and whether a few texts show that it has any.

A text is in an intersection if it is in each factor, so membership needs automata of the patterns alone, and those only
as far as the text leads. And whether `^x-` has texts that are not in `^[a-z]+$` could be found by exploring both
automata together; trying the first texts of `^x-` is much faster, and an answer as good where it is yes.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ...grammar.expression import ANY_CHARACTER, Choice, Complement, Expression, Intersection, Literal, Repeat
from ...limits import Limits
from ...regular.texts import TextAutomaton, text_automaton
from .conjunctions import is_length

__all__ = ["Tried"]

_OTHERS = ("", "a", "0", "~", "a a", "\x00", "Zz-9_.\ufffd\ufffd")  # likely to be in the complement of a pattern
_MOST_STATES = 64
_MOST_TEXTS = 8
_ROUNDS = 3


class Tried:
    """Patterns without combinations, by identity: equal ones are mostly one object, and to hash one takes as long as to
    read a text."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._automata: dict[int, tuple[Expression, TextAutomaton | None]] = {}
        self._samples: dict[int, list[str]] = {}

    def holds(self, shape: Expression, text: str) -> bool:
        """Whether a text is a member. Raises BudgetError where that takes too many states."""
        match shape:
            case Literal():
                return text == shape.text
            case Intersection():
                return all(self.holds(item, text) for item in shape.items)
            case Complement():
                return not self.holds(shape.item, text)
            case Choice() if _is_combined(shape):
                return any(self.holds(option, text) for option in shape.options)
            case Repeat() if shape.item == ANY_CHARACTER:
                return shape.minimum <= len(text) and (shape.maximum is None or len(text) <= shape.maximum)
        automaton = self._automaton(shape)
        return automaton is not None and automaton.accepts(text)

    def find(self, factors: Sequence[Expression], without: Container[str]) -> bool:
        """Whether one of a few texts is in all factors, and none of `without`. Raises as `holds`."""
        patterns = [f for f in factors if not _is_combined(f) and not is_length(f)]
        texts = list(self._texts_of(patterns[0]) if patterns else _OTHERS)
        if len(patterns) > 1:  # most patterns are searches, so what holds one of each may be in all
            texts.append("".join(found[0] for found in map(self._texts_of, patterns) if found))
        return any(text not in without and all(self.holds(factor, text) for factor in factors) for text in texts)

    def _automaton(self, pattern: Expression) -> TextAutomaton | None:
        known = self._automata.get(id(pattern))
        if known is None:
            known = self._automata[id(pattern)] = pattern, text_automaton(pattern, (), self._limits)
        return known[1]

    def _texts_of(self, pattern: Expression) -> list[str]:
        automaton = self._automaton(pattern)
        known = self._samples.get(id(pattern))
        if known is None:
            known = self._samples[id(pattern)] = [] if automaton is None else _short_texts(automaton)
        return known


def _is_combined(shape: Expression) -> bool:
    options = shape.options if isinstance(shape, Choice) else (shape,)
    return any(isinstance(option, (Complement, Intersection)) for option in options)


def _short_texts(automaton: TextAutomaton) -> list[str]:
    """Some short members, breadth first, where there are any near the start; each state is gone through a few times."""
    letters = [chr(ranges[0][0]) for ranges in automaton.partition.ranges_by_letter()]
    characters = automaton.characters
    found: list[str] = []
    visits = {characters.start: 1}
    pending = [(characters.start, "")]
    for state, text in pending:
        if characters.accepting(state):
            found.append(text)
            if len(found) == _MOST_TEXTS:
                break
        if len(pending) > _MOST_STATES:
            continue
        after: dict[int, str] = {}
        for letter, target in enumerate(characters.row(state)):
            if target >= 0:
                after[target] = letters[letter]
        for target, char in after.items():
            if visits.get(target, 0) < _ROUNDS:
                visits[target] = visits.get(target, 0) + 1
                pending.append((target, text + char))
    return found
