"""Whether a set of strings has any members, and of which lengths, as far as that is seen from its expressions alone.

Most sets are seen to have some: what is written without intersection and complement has words if its parts have, of
lengths that follow from theirs, and complements mostly hold the empty word. What is not seen here is decided by an
automaton, which takes several times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple, TypeAlias

from ...grammar.expression import (
    ANY_CHARACTER,
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    Literal,
    Repeat,
)
from ...grammar.expression import Sequence as SequenceOf
from ...grammar.nullable import is_nullable
from ...grammar.traverse import fold

__all__ = ["Known", "is_inhabited", "lengths_of"]

_MOST_SEEN = 64  # nodes
_MOST_DEEP = 4


class _Words(NamedTuple):
    """What is seen of an expression's words: the lengths of the shortest and the longest (inf: none is; low above
    high: no word is seen), and whether there are words of all lengths between. all: there are no others."""

    low: float
    high: float
    even: bool = True
    all: bool = True

    @property
    def none(self) -> bool:
        """Whether no word is seen."""
        return self.low > self.high


Known: TypeAlias = dict[int, tuple[Expression, _Words]]
"""What was seen of patterns, by identity, for who asks again."""

_NOTHING = _Words(1, 0)
_UNSEEN = _Words(1, 0, all=False)
_EVERYTHING = _Words(0, inf)


def is_inhabited(factors: Sequence[Expression], without: tuple[str, ...], known: Known | None = None) -> bool | None:
    """Whether a text that is in all factors is none of `without`; None where that is not seen."""
    if len(factors) == 1 and not without and _has_word(factors[0]):
        return True
    least, most = 0, inf
    others: list[Expression] = []
    for factor in factors:
        if isinstance(factor, Repeat) and factor.item == ANY_CHARACTER:
            least = max(least, factor.minimum)
            most = most if factor.maximum is None else min(most, factor.maximum)
        else:
            others.append(factor)
    words = _words_of(others[0], known) if len(others) == 1 else _UNSEEN if others else _EVERYTHING
    low, high = max(words.low, least), min(words.high, most)
    if least > most or (words.all and (words.none or low > high)) or _begin_apart(others):
        return False
    if not words.none and _lengths(words, low, high) > len({len(name) for name in without}):
        return True  # there is a word of a length that no name has
    return True if not least and "" not in without and all(map(_takes_nothing, others)) else None


def _takes_nothing(node: Expression, depth: int = 0) -> bool:
    """`is_nullable`, which looks at no more than it has to. Nodes may be shared and deep, so only near the root."""
    if depth > _MOST_DEEP:
        return is_nullable(node)
    match node:
        case Complement(item):
            return not _takes_nothing(item, depth + 1)
        case SequenceOf(items) | Intersection(items):
            return all(_takes_nothing(item, depth + 1) for item in items)
        case Choice(options):
            return any(_takes_nothing(option, depth + 1) for option in options)
        case Repeat(item, minimum):
            return not minimum or _takes_nothing(item, depth + 1)
    return is_nullable(node)


def _words_of(pattern: Expression, known: Known | None = None) -> _Words:
    if isinstance(pattern, (Complement, Intersection)):
        return _UNSEEN
    if known is None:
        return fold(pattern, _words)
    found = known.get(id(pattern))
    if found is None:
        found = known[id(pattern)] = pattern, fold(pattern, _words)
    return found[1]


def _has_word(expression: Expression) -> bool:
    """Whether one word is seen at once: of the first option of each choice, as often as it must be there."""
    pending = [expression]
    for node in pending:
        match node:
            case SequenceOf(items) if len(pending) < _MOST_SEEN:  # nodes may be shared: the tree may be endless
                pending += items
            case Choice(options) if options:
                pending.append(options[0])
            case Repeat(item, minimum):
                if minimum:
                    pending.append(item)
            case CharacterClass(ranges) if ranges:
                pass
            case Literal():
                pass
            case _:
                return False
    return True


def _begin_apart(patterns: Sequence[Expression]) -> bool:
    """Whether two of the patterns are seen to begin with different characters."""
    if len(patterns) < 2:
        return False
    beginnings = sorted(_beginning(pattern)[0] for pattern in patterns)
    return any(not b.startswith(a) for a, b in pairwise(beginnings))


def _beginning(pattern: Expression) -> tuple[str, bool]:
    """Characters that all words begin with, and whether there are no others."""
    match pattern:
        case Literal(text):
            return text, True
        case CharacterClass(((low, high),)) if low == high:
            return chr(low), True
        case SequenceOf(items):
            text = ""
            for item in items:
                more, whole = _beginning(item)
                text += more
                if not whole:
                    return text, False
            return text, True
        case Choice(options) if options:
            return _common([_beginning(option)[0] for option in options]), False
        case Repeat(item, minimum) if minimum:
            return _beginning(item)[0], False
    return "", False


def _common(texts: list[str]) -> str:
    first, last = min(texts), max(texts)
    end = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:end]


def lengths_of(factors: Sequence[Expression], known: Known | None = None) -> tuple[float, float]:
    """Lengths that no text in all factors is below or above, as far as that is seen; inf: no end."""
    found = [words for words in (_words_of(factor, known) for factor in factors) if words.all and not words.none]
    return max((words.low for words in found), default=0), min((words.high for words in found), default=inf)


def _lengths(words: _Words, low: float, high: float) -> float:
    """How many lengths from `low` to `high` it is seen that there are words of, at least."""
    if low > high:
        return 0
    if words.even or high == inf:
        return high - low + 1
    return 1 if low == words.low or high == words.high else 0


def _words(node: Expression, parts: list[_Words]) -> _Words:
    match node:
        case Literal(text):
            return _Words(len(text), len(text))
        case CharacterClass(ranges):
            return _Words(1, 1) if ranges else _NOTHING
        case SequenceOf():
            if any(part.none for part in parts):
                return _NOTHING if _NOTHING in parts else _UNSEEN
            low, high = sum(part.low for part in parts), sum(part.high for part in parts)
            return _Words(low, high, all(part.even for part in parts), all(part.all for part in parts))
        case Choice():
            return _either(parts)
        case Repeat(_, minimum, maximum):
            return _repeated(parts[0], minimum, inf if maximum is None else maximum)
    return _UNSEEN


def _either(parts: list[_Words]) -> _Words:
    everything = all(part.all for part in parts)
    seen = sorted(part for part in parts if not part.none)
    if not seen:
        return _NOTHING if everything else _UNSEEN
    reach, even = seen[0].high, seen[0].even
    for part in seen[1:]:
        even = even and part.even and part.low <= reach + 1
        reach = max(reach, part.high)
    return _Words(seen[0].low, reach, even, everything)


def _repeated(item: _Words, minimum: int, maximum: float) -> _Words:
    if not maximum:
        return _Words(0, 0)
    if item.none:
        return item if minimum else _Words(0, 0, all=item.all)
    if not item.high:
        return item
    even = item.even and (item.low <= 1 or minimum == maximum)
    return _Words(minimum * item.low, maximum * item.high, even, item.all)
