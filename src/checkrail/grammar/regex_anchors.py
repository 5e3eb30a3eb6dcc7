r"""What `^` and `$` mean, resolved on the syntax tree.

A part of a pattern matches a text under up to two demands: that the match begins where the input begins (a `^`
was passed) and that it ends where the input ends (a `$` was passed). `Anchored` therefore keeps four languages,
one for each pair of demands, and combines them as patterns combine: after a part with a `$` only the empty
string may follow, and before a part with a `^` only the empty string may stand. At the end

    search = .* free .*  |  starting .*  |  .* ending  |  both        whole match = any of the four

where `.` is every character, line ends included. Nothing is lost: repeated anchored parts are resolved by cases,
so every pattern without lookahead has its exact language. `$` is ECMA-262's without the `m` flag, the very end.

One pass over the tree. The result shares parts and is not flattened; `simplify` does that once, at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import BudgetError
from .expression import EMPTY, NOTHING, Choice, Expression, Repeat, Sequence
from .nullable import is_nullable
from .regex_syntax import END, START, Anchor, Pattern
from .simplify import repeat_of
from .traverse import MAXIMUM_HEIGHT, fold

__all__ = ["EPSILON", "NONE", "Anchored", "Language", "anchored_at_ends", "resolve", "then", "union"]


@dataclass(frozen=True, slots=True)
class Language:
    """An expression, and whether the empty string is in it (kept, because it is asked for at every step)."""

    expression: Expression
    empty: bool

    @property
    def only_empty(self) -> Language:
        """The empty string if it is a member, else nothing."""
        return EPSILON if self.empty else NONE


EPSILON = Language(EMPTY, True)
NONE = Language(NOTHING, False)


def union(*languages: Language) -> Language:
    """Any of them."""
    kept = [language for language in languages if language is not NONE]
    if len(kept) < 2:
        return kept[0] if kept else NONE
    return Language(Choice(tuple(language.expression for language in kept)), any(language.empty for language in kept))


def then(*languages: Language) -> Language:
    """One after the other."""
    if any(language is NONE for language in languages):
        return NONE
    kept = [language for language in languages if language is not EPSILON]
    if len(kept) < 2:
        return kept[0] if kept else EPSILON
    return Language(Sequence(tuple(language.expression for language in kept)), all(language.empty for language in kept))


def _repeated(language: Language, minimum: int, maximum: int | None) -> Language:
    expression = repeat_of(language.expression, minimum, maximum)
    if expression is EMPTY:
        return EPSILON
    return NONE if expression is NOTHING else Language(expression, minimum == 0 or language.empty)


@dataclass(frozen=True, slots=True)
class Anchored:
    """Four languages: matches with no demand, at the start only, at the end only, and from start to end."""

    free: Language = NONE
    starting: Language = NONE
    ending: Language = NONE
    both: Language = NONE

    @property
    def is_free(self) -> bool:
        """Is there no anchor in it?"""
        return self.starting is NONE and self.ending is NONE and self.both is NONE


Cases = tuple[list[Expression], list[Expression], list[Expression], list[Expression]]
"""Options that are free, starting, ending, and both, without their anchors."""


def anchored_at_ends(pattern: Pattern) -> Cases | None:
    """The options of a pattern whose anchors all stand at the ends of its options; None for other patterns."""
    tree, left = pattern.tree, pattern.anchors
    cases: Cases = ([], [], [], [])
    for option in tree.options if left and isinstance(tree, Choice) else (tree,):
        items = option.items if isinstance(option, Sequence) else (option,)
        begin = 1 if items and items[0] == START else 0
        end = len(items) - 1 if len(items) > begin and items[-1] == END else len(items)
        anchors = begin + len(items) - end
        left -= anchors
        case = cases[begin + 2 * (anchors - begin)]
        case.append(pattern.build.sequence(items[begin:end]) if anchors else option)
    return cases if left == 0 else None


def resolve(tree: Expression, pointer: str | None = None) -> Anchored:
    """The four languages of a pattern's tree that has no lookahead in it.

    Raises BudgetError (with `pointer`) where one sequence has more than 200 anchored parts.
    """
    return fold(tree, lambda node, parts: _combine(node, parts, pointer))


def _combine(node: Expression, parts: list[Anchored], pointer: str | None) -> Anchored:
    if isinstance(node, Anchor):
        return Anchored(ending=EPSILON) if node.end else Anchored(starting=EPSILON)
    if isinstance(node, Choice):
        return _choice(parts)
    if isinstance(node, Sequence):
        return _sequence(parts, pointer)
    if isinstance(node, Repeat):
        return _repeat(parts[0], node.minimum, node.maximum)
    return Anchored(Language(node, is_nullable(node)))


def _choice(parts: list[Anchored]) -> Anchored:
    return Anchored(
        union(*(part.free for part in parts)),
        union(*(part.starting for part in parts)),
        union(*(part.ending for part in parts)),
        union(*(part.both for part in parts)),
    )


def _sequence(parts: Iterable[Anchored], pointer: str | None) -> Anchored:
    """Runs without anchors are joined first, so that only the anchored parts cost a case distinction."""
    result = Anchored(EPSILON)
    run: list[Language] = []
    anchored = 0
    for part in parts:
        if part.is_free:
            run.append(part.free)
            continue
        anchored += 1
        if anchored > MAXIMUM_HEIGHT:  # each one nests the cases of those before it
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer=pointer, limit=MAXIMUM_HEIGHT)
        result = _follow(_follow(result, Anchored(then(*run))), part)
        run = []
    return _follow(result, Anchored(then(*run)))


def _follow(left: Anchored, right: Anchored) -> Anchored:
    """`left` and then `right`: a `^` on the right empties the left, a `$` on the left empties the right."""
    before = union(left.free, left.starting).only_empty  # what may stand before a ^ of right
    after = union(right.free, right.ending).only_empty  # what may follow a $ of left
    between = then(union(left.ending, left.both).only_empty, union(right.starting, right.both).only_empty)
    return Anchored(
        then(left.free, right.free),
        union(then(left.starting, right.free), then(before, right.starting)),
        union(then(left.free, right.ending), then(left.ending, after)),
        union(then(left.starting, right.ending), then(left.both, after), then(before, right.both), between),
    )


def _repeat(part: Anchored, minimum: int, maximum: int | None) -> Anchored:
    """`part` repeated. Rounds before one with a `^`, and after one with a `$`, match the empty string.

    Where such empty rounds exist they count towards the minimum, which is then met without text.
    """
    free = part.free
    if part.is_free or maximum == 0:
        return Anchored(_repeated(free, minimum, maximum))
    before = free.empty or part.starting.empty
    after = free.empty or part.ending.empty

    def others(count: int, padded: bool) -> Language:
        """The free rounds where `count` of the rounds are spoken for."""
        if maximum is not None and maximum < count:
            return NONE
        return _repeated(free, 0 if padded else max(0, minimum - count), None if maximum is None else maximum - count)

    around = then(part.starting, others(2, before or after), part.ending)
    alone = part.both if minimum <= 1 or before or after else NONE
    empty = NONE
    if others(2, True) is not NONE:
        empty = then(union(part.starting, part.both).only_empty, union(part.ending, part.both).only_empty)
    return Anchored(
        _repeated(free, minimum, maximum),
        then(part.starting, others(1, before)),
        then(others(1, after), part.ending),
        union(around, alone, empty),
    )
