"""Sets of strings: regular languages over decoded characters, and finite sets listed one by one.

Enumerations, constants and keys are finite, and deciding about those one by one is much cheaper than building an
automaton, so a set is either a list of members or a shape (an expression) without some members. Combinations of
shapes stay symbolic (`Intersection`, `Complement`); an automaton is made only to decide membership or emptiness,
within `decision` states, and emptiness that cannot be decided counts as "may have members", which is always safe.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import BudgetError, GrammarError
from ...grammar.codepoints import intersect as intersect_ranges
from ...grammar.expression import (
    ANY_CHARACTER,
    NOTHING,
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    Literal,
    Repeat,
)
from ...grammar.traverse import walk
from ...limits import Limits
from ...regular.compile import compile_regular
from ...regular.dfa import Dfa
from ..combine import alt

__all__ = ["ALL_TEXTS", "NO_TEXTS", "TextAlgebra", "Texts", "needs_no_escapes"]

_ANY_TEXT = Repeat(ANY_CHARACTER, 0, None)
_ESCAPED = ((0x0, 0x1F), (0x22, 0x22), (0x5C, 0x5C))


@dataclass(frozen=True, slots=True)
class Texts:
    """members: all of them, where they are listed; else None, and the set is `shape` without the texts `without`.

    plain: no member holds a character that JSON must escape.
    """

    members: tuple[str, ...] | None
    shape: Expression = NOTHING
    without: tuple[str, ...] = ()
    plain: bool = False

    def __repr__(self) -> str:
        if self.members is not None:
            return f"<Texts {list(self.members)}>"
        return f"<Texts {self.shape!r:.60}{f' but {list(self.without)}' if self.without else ''}>"

    @property
    def expression(self) -> Expression:
        """The set as one expression over decoded characters."""
        if self.members is not None:
            return Choice(tuple(map(Literal, self.members)))
        if not self.without:
            return self.shape
        others = Complement(Choice(tuple(map(Literal, self.without))))
        return others if self.shape == _ANY_TEXT else Intersection((*_factors(self.shape), others))


ALL_TEXTS = Texts(None, _ANY_TEXT)
NO_TEXTS = Texts(())


class TextAlgebra:
    """The operations on sets of strings, with the automata they needed so far."""

    def __init__(self, limits: Limits) -> None:
        self._limits = replace(limits, states=min(limits.states, limits.decided_states))
        self._automata: dict[Expression, Dfa | None] = {}
        self._empty: dict[Texts, bool] = {}

    def contains(self, texts: Texts, text: str, pointer: str) -> bool:
        """Whether a text is a member. Raises BudgetError where that cannot be decided."""
        if texts.members is not None:
            return text in texts.members
        if text in texts.without:
            return False
        if texts.shape == _ANY_TEXT:
            return True
        automaton = self._automaton(texts.shape)
        if automaton is None:
            limit = self._limits.states
            what = "states to decide about a text"
            raise BudgetError("SCHEMA_BUDGET", pointer=pointer, limit=limit, what=what, name="decided_states")
        return automaton.accepts(text)

    def is_empty(self, texts: Texts) -> bool:
        """True only if there is no member."""
        if texts.members is not None:
            return not texts.members
        if texts.shape == _ANY_TEXT:
            return False
        if texts not in self._empty:
            automaton = self._automaton(texts.expression)
            self._empty[texts] = automaton is not None and automaton.is_empty()
        return self._empty[texts]

    def intersect(self, a: Texts, b: Texts, pointer: str = "") -> Texts:
        """What both hold."""
        if a.members is not None:
            return Texts(tuple(text for text in a.members if self.contains(b, text, pointer)))
        if b.members is not None:
            return Texts(tuple(text for text in b.members if self.contains(a, text, pointer)))
        without = tuple(sorted({*a.without, *b.without}))
        factors = dict.fromkeys(factor for texts in (a, b) for factor in _factors(texts.shape) if factor != _ANY_TEXT)
        if any(Complement(factor) in factors for factor in factors):
            return NO_TEXTS
        shapes = tuple(factors) or (_ANY_TEXT,)
        shape = shapes[0] if len(shapes) == 1 else Intersection(shapes)
        return Texts(None, shape, without, a.plain or b.plain)

    def union(self, a: Texts, b: Texts, pointer: str = "") -> Texts:
        """What either holds."""
        if a == b or ALL_TEXTS in (a, b):
            return a if a == b else ALL_TEXTS
        if a.members is not None and b.members is not None:
            return Texts(tuple(dict.fromkeys((*a.members, *b.members))))
        if a.members is not None or b.members is not None:
            listed, shaped = (a, b) if a.members is not None else (b, a)
            members = listed.members or ()
            bare = replace(shaped, without=())
            outside = [text for text in members if not self.contains(bare, text, pointer)]
            without = tuple(text for text in shaped.without if text not in members)
            return Texts(None, alt(shaped.shape, *outside) if outside else shaped.shape, without)
        return Texts(None, alt(a.expression, b.expression), (), a.plain and b.plain)

    def complement(self, texts: Texts) -> Texts:
        """All other texts."""
        if texts.members is not None:
            return Texts(None, _ANY_TEXT, tuple(sorted(texts.members)))
        if texts.shape == _ANY_TEXT:
            return Texts(texts.without)
        shape = texts.shape
        opposite = shape.item if isinstance(shape, Complement) else Complement(shape)
        return Texts(None, alt(opposite, *texts.without)) if texts.without else Texts(None, opposite)

    def minus(self, texts: Texts, removed: tuple[str, ...]) -> Texts:
        """The set without some texts."""
        if texts.members is not None:
            return Texts(tuple(text for text in texts.members if text not in removed))
        return replace(texts, without=tuple(sorted({*texts.without, *removed})))

    def lengths(self, shape: Expression) -> tuple[int, int | None] | None:
        """The fewest and the most characters of the texts of a shape (None: no end); None where that is not known."""
        automaton = self._automaton(shape)
        return None if automaton is None or automaton.is_empty() else _lengths(automaton)

    def size(self, shape: Expression) -> int | None:
        """How many states the shape's automaton has; None where it is too large to tell."""
        automaton = self._automaton(shape)
        return None if automaton is None else len(automaton)

    def _automaton(self, expression: Expression) -> Dfa | None:
        """The minimal automaton; None where it is too large to decide with."""
        if expression not in self._automata:
            try:
                self._automata[expression] = compile_regular(expression, limits=self._limits)
            except BudgetError:
                self._automata[expression] = None
            except GrammarError as error:
                if error.code != "GRAMMAR_BUDGET_DEPTH":
                    raise
                self._automata[expression] = None
        return self._automata[expression]


def _factors(shape: Expression) -> tuple[Expression, ...]:
    return shape.items if isinstance(shape, Intersection) else (shape,)


def needs_no_escapes(texts: Texts) -> bool:
    """Whether it is seen without an automaton that every member is its own spelling in JSON."""
    return texts.plain or any(_is_plain(factor) for factor in _factors(texts.shape))


def _is_plain(shape: Expression) -> bool:
    for node in walk(shape):
        match node:
            case Literal(text) if any(char in '"\\' or char < " " for char in text):
                return False
            case CharacterClass(ranges) if intersect_ranges(ranges, _ESCAPED):
                return False
            case Complement() | Intersection():
                return False
    return True


def _lengths(automaton: Dfa) -> tuple[int, int | None]:
    """The lengths of the shortest and the longest word, by layers of states; O(states * transitions) at worst."""
    shortest: int | None = None
    layer = {0}
    for length in range(len(automaton) + 1):
        if shortest is None and any(automaton.accepting[state] for state in layer):
            shortest = length
        following = {target for state in layer for target in automaton.moves[state].values()}
        if not following:
            return shortest or 0, length
        layer = following
    return shortest or 0, None
