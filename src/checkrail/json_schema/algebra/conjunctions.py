"""Shapes of strings as unions of conjunctions, as far as lengths take part in them.

Lengths are counted beside a pattern and cost nothing, whatever they are, as long as they stand beside it: in a
conjunction of factors, or in each option of a union of such. Below a complement, or beside a union, they would become
states of an automaton. So a complement with lengths in it is taken apart (De Morgan), and what meets a union with
lengths meets each of its options. Patterns among themselves stay together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TypeGuard

from ...grammar.expression import ANY_CHARACTER, NOTHING, Choice, Complement, Expression, Intersection, Repeat
from ..combine import alt

__all__ = ["alternatives", "both", "factors_of", "is_length", "opposite", "told_by"]

_ANY_TEXT = Repeat(ANY_CHARACTER, 0, None)
_MOST_OPTIONS = 16
_DEEPEST = 8
_MOST_ATOMS = 8
_ALL_CASES: int = (1 << (1 << _MOST_ATOMS)) - 1
_CASES = [sum(1 << case for case in range(2**_MOST_ATOMS) if case >> atom & 1) for atom in range(_MOST_ATOMS + 1)]


def is_length(shape: Expression) -> TypeGuard[Repeat]:
    """Whether a shape is all texts of some lengths."""
    return isinstance(shape, Repeat) and shape.item == ANY_CHARACTER


def factors_of(shape: Expression) -> tuple[Expression, ...]:
    """The parts of a conjunction."""
    return shape.items if isinstance(shape, Intersection) else (shape,)


def alternatives(shape: Expression) -> tuple[Expression, ...]:
    """The options of a union that lengths take part in; any other shape alone."""
    if isinstance(shape, Choice) and 1 < len(shape.options) <= _MOST_OPTIONS and any(map(_counts, shape.options)):
        return shape.options
    return (shape,)


def _counts(shape: Expression) -> bool:
    return any(map(is_length, factors_of(shape)))


def both(a: Expression, b: Expression) -> Expression:
    """What two shapes hold; NOTHING where they are seen to exclude one another."""
    left, right = alternatives(a), alternatives(b)
    if len(left) * len(right) > _MOST_OPTIONS:
        left, right = (a,), (b,)
    return alt(*dict.fromkeys(_conjunction(x, y) for x in left for y in right))


def _conjunction(a: Expression, b: Expression) -> Expression:
    low, high = 0, None
    factors: dict[Expression, None] = {}
    excluded: dict[Expression, None] = {}
    for factor in (*factors_of(a), *factors_of(b)):
        if is_length(factor):
            low = max(low, factor.minimum)
            high = factor.maximum if high is None else high if factor.maximum is None else min(high, factor.maximum)
        elif isinstance(factor, Complement):
            excluded.update(dict.fromkeys(_options(factor.item)))
        else:
            factors[factor] = None
    if (high is not None and low > high) or _exclude(factors, excluded):
        return NOTHING
    if excluded:  # one union instead of many complements: a sum of states instead of a product
        factors[Complement(alt(*excluded))] = None
    if low or high is not None or not factors:
        factors[Repeat(ANY_CHARACTER, low, high)] = None
    return next(iter(factors)) if len(factors) == 1 else Intersection(tuple(factors))


def _exclude(factors: dict[Expression, None], excluded: dict[Expression, None]) -> bool:
    """Whether it is seen, from how they are written, that what is in all factors is among what is excluded."""

    def within(item: Expression) -> bool:
        return item in factors or (isinstance(item, Complement) and excluded.keys() >= {*_options(item.item)})

    return any(excluded.keys() >= {*_options(factor)} for factor in factors) or any(
        isinstance(shape, Intersection) and all(map(within, shape.items)) for shape in excluded
    )


def _options(shape: Expression) -> tuple[Expression, ...]:
    return shape.options if isinstance(shape, Choice) else (shape,)


def opposite(shape: Expression) -> Expression:
    """All texts that a shape does not hold."""
    if isinstance(shape, Complement):
        return shape.item
    if is_length(shape):
        shorter = [] if not shape.minimum else [Repeat(ANY_CHARACTER, 0, shape.minimum - 1)]
        longer = [] if shape.maximum is None else [Repeat(ANY_CHARACTER, shape.maximum + 1, None)]
        return alt(*shorter, *longer)
    if isinstance(shape, Intersection) and _counts(shape):
        return alt(*map(opposite, shape.items))
    options = alternatives(shape)
    if len(options) == 1:
        return Complement(shape)
    found: Expression = _ANY_TEXT
    for option in options:
        found = both(found, opposite(option))
    return found


def told_by(shapes: Sequence[Expression]) -> tuple[list[Expression], list[int]] | None:
    """Where it is seen, from how they are written, that every text is in one of some shapes: the patterns that tell
    them apart, and for each shape in which cases it holds. None where it is not.

    By a table of truth: case `c` is that in which the patterns hold whose bits are in `c`, and cases are bits, too.
    """
    atoms: list[Expression] = []
    found = [_cases(shape, atoms, 0) for shape in shapes]
    return (atoms, found) if reduce(or_, found, 0) == _ALL_CASES and len(atoms) <= _MOST_ATOMS else None


def _cases(shape: Expression, atoms: list[Expression], depth: int) -> int:
    if depth < _DEEPEST:
        found = 0
        match shape:
            case Choice(options):
                for option in options:
                    found |= _cases(option, atoms, depth + 1)
                return found
            case Intersection(items):
                for item in items:
                    found |= _ALL_CASES ^ _cases(item, atoms, depth + 1)
                return _ALL_CASES ^ found
            case Complement(item):
                return _ALL_CASES ^ _cases(item, atoms, depth + 1)
    if shape == _ANY_TEXT:
        return _ALL_CASES
    for number, atom in enumerate(atoms):
        if atom is shape or atom == shape:
            return _CASES[number]
    if len(atoms) <= _MOST_ATOMS:
        atoms.append(shape)
    return _CASES[len(atoms) - 1]
