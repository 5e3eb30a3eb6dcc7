"""Sets of strings: regular languages over decoded characters, and finite sets listed one by one.

Enumerations, constants and keys are finite, and deciding about those one by one is much cheaper than building an
automaton, so a set is either a list of members or a shape (an expression) without some members. Combinations of
shapes stay symbolic (`Intersection`, `Complement`); an automaton is made, on demand, only to decide membership, or
emptiness where there is no quicker answer. Emptiness that cannot be decided within `Limits.states` counts as "may have
members", which is always safe; such a set is refused where it comes to the mask (`check`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ...errors import BudgetError
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
from ...grammar.traverse import children, walk
from ...limits import Limits
from ...regular.texts import has_texts
from ...watch import UNWATCHED, Watch
from ..combine import alt
from .conjunctions import alternatives, both, factors_of, is_length, opposite
from .inhabited import Known, is_inhabited, lengths_of
from .tried import Tried

__all__ = ["ALL_TEXTS", "NO_TEXTS", "TextAlgebra", "Texts", "needs_no_escapes"]

_ANY_TEXT = Repeat(ANY_CHARACTER, 0, None)
_MOST_UNDECIDED = 2
_LONG_TEXT = Repeat(ANY_CHARACTER, 1, None)
_ESCAPED = re.compile(r'[\x00-\x1f"\\]')


@dataclass(slots=True, eq=False)
class Texts:
    """members: all of them, where they are listed; else None, and the set is `shape` without the texts `without`.

    plain: no member holds a character that JSON must escape.
    """

    members: tuple[str, ...] | None
    shape: Expression = NOTHING
    without: tuple[str, ...] = ()
    plain: bool = False
    _hash: int = field(default=0, init=False, repr=False)
    _explored: bool | None = field(default=None, init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Texts):
            return NotImplemented
        return (
            self.members == other.members
            and self.plain is other.plain
            and self.without == other.without
            and (self.shape is other.shape or self.shape == other.shape)
        )

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash((self.members, self.shape, self.without))
        return self._hash

    @property
    def is_explored(self) -> bool:
        """Whether an automaton has to be explored to know whether there are any members."""
        if self._explored is None:
            self._explored = self.members is None and _is_explored(self.shape)
        return self._explored

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
        return others if self.shape == _ANY_TEXT else Intersection((*factors_of(self.shape), others))


ALL_TEXTS = Texts(None, _ANY_TEXT)
NO_TEXTS = Texts(())


class TextAlgebra:
    """The operations on sets of strings, with the automata they needed so far.

    watch: that of whoever works on the schema now, be it on texts or on what they stand in.
    """

    def __init__(self, limits: Limits, watch: Watch = UNWATCHED) -> None:
        self.watch = watch
        self._limits = limits
        self._tried = Tried(limits)
        self._decided: dict[Texts, bool | BudgetError] = {}
        self._undecided = 0
        self._seen: Known = {}
        self._empty: dict[Texts, bool] = {}

    def contains(self, texts: Texts, text: str, pointer: str) -> bool:
        """Whether a text is a member. Raises BudgetError where that cannot be decided."""
        if texts.members is not None:
            return text in texts.members
        if text in texts.without:
            return False
        if texts.shape is _ANY_TEXT or texts.shape == _ANY_TEXT:
            return True
        try:
            return self._tried.holds(texts.shape, text)
        except BudgetError as error:
            raise BudgetError(error.code, pointer=pointer, **error.params) from None

    def is_empty(self, texts: Texts) -> bool:
        """True only if there is no member."""
        if texts.members is not None:
            return not texts.members
        if texts.shape is _ANY_TEXT or texts.shape == _ANY_TEXT:
            return False
        known = self._empty.get(texts)
        if known is None:
            known = self._empty[texts] = not self._is_inhabited(texts)
        return known

    def _is_inhabited(self, texts: Texts) -> bool:
        """The quick answers first; True also where it cannot be decided."""
        self.watch.spend()
        options = [factors_of(option) for option in alternatives(texts.shape)]
        seen = [is_inhabited(factors, texts.without, self._seen) for factors in options]
        if None not in seen or True in seen:
            return True in seen
        if texts.without and self.is_empty(replace(texts, without=())):
            return False
        try:
            if any(self._tried.find(factors, texts.without) for factors in options):
                return True
        except BudgetError:
            pass
        return self._decide(texts) is not False

    def check(self, texts: Texts, pointer: str) -> None:
        """Raise BudgetError, at the pointer, where the set combines patterns that are too large together for a mask."""
        if not texts.is_explored:
            return
        verdict = self._decide(replace(texts, without=()) if texts.without else texts)
        if isinstance(verdict, BudgetError):
            raise BudgetError(verdict.code, pointer=pointer, **verdict.params)

    def intersect(self, a: Texts, b: Texts, pointer: str = "") -> Texts:
        """What both hold."""
        if a.members == () or b.members == ():
            return NO_TEXTS
        if a.members is not None and b.members is not None:
            also = frozenset(b.members)
            return Texts(tuple([text for text in a.members if text in also]))
        if a.members is not None:
            return self._listed(a, a.members, b, pointer)
        if b.members is not None:
            return self._listed(b, b.members, a, pointer)
        if a == ALL_TEXTS or b == ALL_TEXTS:
            return b if a == ALL_TEXTS else a
        shape = both(a.shape, b.shape)
        if shape == NOTHING:
            return NO_TEXTS
        return Texts(None, shape, tuple(sorted({*a.without, *b.without})), a.plain or b.plain)

    def _listed(self, listed: Texts, members: tuple[str, ...], shaped: Texts, pointer: str) -> Texts:
        if shaped.shape == _ANY_TEXT:
            without = shaped.without if len(shaped.without) < 8 else frozenset(shaped.without)
            kept = tuple([text for text in members if text not in without])
        else:
            kept = tuple([text for text in members if self.contains(shaped, text, pointer)])
        return listed if len(kept) == len(members) else Texts(kept)

    def split(self, texts: Texts, by: Texts, pointer: str = "") -> tuple[Texts, Texts]:
        """Those that are also in `by`, and the others. What is not split stays as it is written."""
        inside = self.intersect(texts, by, pointer)
        if self.is_empty(inside):
            return NO_TEXTS, texts
        outside = self.intersect(texts, self.complement(by), pointer)
        return (texts, NO_TEXTS) if self.is_empty(outside) else (inside, outside)

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

    def counted(self, texts: Texts, low: int, high: int | None, pointer: str) -> Texts:
        """Those texts that have `low` to `high` characters (None: no end). Bounds that all keep anyway are left out."""
        if high == 0:
            return self.intersect(texts, Texts(("",)), pointer)
        if texts.members is None:
            least, most = lengths_of(factors_of(texts.shape), self._seen)
            low, high = 0 if low <= least else low, None if high is not None and most <= high else high
        if not low and high is None:
            return texts
        return self.intersect(texts, Texts(None, Repeat(ANY_CHARACTER, low, high)), pointer)

    def complement(self, texts: Texts) -> Texts:
        """All other texts."""
        if texts.members is not None:
            return Texts(None, _ANY_TEXT, tuple(sorted(texts.members)))
        if texts.shape == _ANY_TEXT:
            return Texts(texts.without)
        if texts.shape == _LONG_TEXT:
            return Texts(tuple(sorted({"", *texts.without})))
        shape = opposite(texts.shape)
        return Texts(None, alt(shape, *texts.without) if texts.without else shape)

    def have_common_ones(self, a: Texts, b: Texts, but: tuple[str, ...]) -> bool:
        """Whether some text is in both and none of `but`. True also where that cannot be decided."""
        if a.members is b.members is None and a.shape == b.shape == _ANY_TEXT:
            return True
        return not self.is_empty(self.intersect(a, self.minus(b, but)))

    def minus(self, texts: Texts, removed: tuple[str, ...]) -> Texts:
        """The set without some texts."""
        if texts.members is not None:
            return Texts(tuple(text for text in texts.members if text not in removed))
        return Texts(None, texts.shape, tuple(sorted({*texts.without, *removed})), texts.plain)

    def _decide(self, texts: Texts) -> bool | BudgetError:
        """Whether there are members, by an automaton, which is then ready for the mask; the error where it is too
        large. After some that were, no more are tried: each takes a while."""
        known = self._decided.get(texts)
        if known is None:
            self.watch.look()
            try:
                if self._undecided >= _MOST_UNDECIDED:
                    limit = self._limits.states
                    raise BudgetError("GRAMMAR_BUDGET_STATES", limit=limit, reached=limit)
                known = has_texts(texts.shape, texts.without, self._limits)
            except BudgetError as error:
                self._undecided += 1
                known = error.with_traceback(None)
            self._decided[texts] = known
        return known


def _is_explored(shape: Expression) -> bool:
    """The same for a shape: not for one pattern that may have a shortest or a longest length."""
    options = alternatives(shape)
    if len(options) > 1:
        return any(map(_is_explored, options))
    lengths = others = 0
    for factor in factors_of(shape):
        if is_length(factor):
            lengths |= (factor.minimum > 0) + 2 * (factor.maximum is not None)
        else:
            others += 1
            if any(isinstance(node, (Complement, Intersection)) for node in walk(factor)):
                return True
    return others > 1 or (others == 1 and lengths == 3)


def needs_no_escapes(texts: Texts) -> bool:
    """Whether it is seen without an automaton that every member is its own spelling in JSON."""
    return texts.plain or all(any(map(_is_plain, factors_of(option))) for option in alternatives(texts.shape))


def _is_plain(shape: Expression) -> bool:
    stack = [shape]
    while stack:
        node = stack.pop()
        if isinstance(node, CharacterClass):
            for low, high in node.ranges:
                if low < 0x20 or low <= 0x22 <= high or low <= 0x5C <= high:
                    return False
        elif isinstance(node, Literal):
            if _ESCAPED.search(node.text):
                return False
        elif isinstance(node, (Complement, Intersection)):
            return False
        else:
            stack += children(node)
    return True
