r"""Word boundaries `\b` and `\B`, resolved by keeping apart what stands on either side of a place in the text.

A boundary is a condition on two neighbours: is one of them a word character (`\w`) and the other not? The start and
the end of the input count as none. So a place in a text is known well enough by a pair: what stands before it (the
start, a word character, another one) and what comes after it (a word character, another one, the end). Between two
such places a part of a pattern matches a language, so the pattern is a square matrix of languages over nine pairs:
alternatives are sums, sequences products, repetitions stars (Kleene's elimination), `\b`, `\B`, `^` and `$` diagonal.
What is wanted is one row of it, which is carried through the pattern from left to right; matrices are made only where
a part with a boundary in it is repeated.

    search = sum over pairs s, t of  before(s) M(s, t) after(t)

It is exact, for every pattern without lookahead; only patterns with a boundary come here, since the result is several
times as large as the pattern, and exponential in the nesting of such repetitions: steps and size are bounded.
"""

from __future__ import annotations

from typing import TypeAlias

from ..limits import Limits
from .codepoints import character_class, complement, intersect
from .expression import CharacterClass, Choice, Expression, Intersection, Literal, Repeat, Sequence
from .nullable import is_nullable
from .regex_anchors import EPSILON, NONE, Language, then, union
from .regex_classes import WORD
from .regex_lookahead import ANYTHING, SOMETHING
from .regex_syntax import Anchor, Boundary, pattern_parts
from .simplify import repeat_of
from .source import Source
from .traverse import fold

__all__ = ["boundary_match", "boundary_search"]

_START, _WORD, _OTHER, _END = "start", "word", "other", "end"
_BEFORE = (_START, _WORD, _OTHER)
_AFTER = (_WORD, _OTHER, _END)
_RANGES = {_WORD: WORD, _OTHER: complement(WORD)}
_ONE = {kind: Language(character_class(ranges), False) for kind, ranges in _RANGES.items()}
_ENDING_WITH = {kind: then(ANYTHING, one) for kind, one in _ONE.items()}
_BEGINNING_WITH = {kind: then(one, ANYTHING) for kind, one in _ONE.items()}

_MAXIMUM_DEPTH = 50  # of groups with boundaries in them; the translation recurses
_MOST_ROUNDS = 64  # of a part with a boundary in it
_MOST_STEPS = 20_000  # parts of the pattern, each as often as it is translated

_Pair: TypeAlias = tuple[str, str]
_Row: TypeAlias = dict[_Pair, Language]
"""For each pair the texts that lead to a place with it; pairs that no text leads to are left out."""


def boundary_match(tree: Expression, source: Source, limits: Limits) -> Language:
    """The texts that match as a whole."""
    row = _Translator(tree, source, limits).apply(tree, {(_START, after): EPSILON for after in _AFTER}, 0)
    return union(*(language for (_, after), language in row.items() if after == _END))


def boundary_search(tree: Expression, source: Source, limits: Limits) -> Language:
    """The texts that contain a match."""
    before = {_START: EPSILON, **_ENDING_WITH}
    start = {(kind, after): before[kind] for kind in _BEFORE for after in _AFTER}
    row = _Translator(tree, source, limits).apply(tree, start, 0)
    rest = {**_BEGINNING_WITH, _END: EPSILON}
    return union(*(then(language, rest[after]) for (_, after), language in row.items()))


class _Translator:
    """One translation: the pattern's tree, and which of its nodes depend on neighbours."""

    def __init__(self, tree: Expression, source: Source, limits: Limits) -> None:
        self._source = source
        self._depth = min(_MAXIMUM_DEPTH, limits.expression_depth)
        self._steps = 0
        self._bound: set[int] = set()

        def visit(node: Expression, below: list[bool]) -> bool:
            found = isinstance(node, (Anchor, Boundary)) or any(below)
            if found:
                self._bound.add(id(node))
            return found

        fold(tree, visit, pattern_parts)

    def apply(self, node: Expression, row: _Row, depth: int) -> _Row:
        """The row behind a part of the pattern."""
        if id(node) not in self._bound:
            return _free(node, row)
        if depth > self._depth:
            raise self._source.budget("GRAMMAR_BUDGET_DEPTH", 0, limit=self._depth)
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise self._source.budget("GRAMMAR_BUDGET_NODES", 0, limit=_MOST_STEPS)
        if isinstance(node, Anchor):
            side, kind = (1, _END) if node.end else (0, _START)
            return {pair: language for pair, language in row.items() if pair[side] == kind}
        if isinstance(node, Boundary):
            return {p: language for p, language in row.items() if ((p[0] == _WORD) != (p[1] == _WORD)) != node.negated}
        if isinstance(node, Sequence):
            return self._sequence(node, row, depth + 1)
        if isinstance(node, Choice):
            return _sum([self.apply(option, row, depth + 1) for option in node.options])
        assert isinstance(node, Repeat)  # the parser makes no other node that has parts, but for lookahead
        return self._repeat(node, row, depth + 1)

    def _sequence(self, node: Sequence, row: _Row, depth: int) -> _Row:
        """Runs that do not depend on neighbours are one part."""
        run: list[Expression] = []
        for item in node.items:
            if id(item) not in self._bound:
                run.append(item)
                continue
            row = self.apply(item, _free(Sequence(tuple(run)), row), depth)
            run = []
        return _free(Sequence(tuple(run)), row)

    def _repeat(self, node: Repeat, row: _Row, depth: int) -> _Row:
        rounds = node.minimum if node.maximum is None else node.maximum
        if rounds > _MOST_ROUNDS:
            what = f"a word boundary inside a part that is repeated more than {_MOST_ROUNDS} times"
            raise self._source.unsupported(0, what)
        for _ in range(node.minimum):
            row = self.apply(node.item, row, depth)
        if node.maximum is None:
            return self._star(node.item, row, depth)
        ends = [row]
        for _ in range(node.maximum - node.minimum):
            row = self.apply(node.item, row, depth)
            ends.append(row)
        return _sum(ends)

    def _star(self, item: Expression, row: _Row, depth: int) -> _Row:
        """Any number of rounds: the row times the star of the matrix of one round."""
        matrix: dict[_Pair, _Row] = {}
        pending = list(row)
        for pair in pending:
            if pair not in matrix:
                matrix[pair] = self.apply(item, {pair: EPSILON}, depth)
                pending += matrix[pair]
        for through in matrix:
            loop = matrix[through].get(through, NONE)
            again = Language(repeat_of(loop.expression, 0, None), True) if loop is not NONE else EPSILON
            for pair in matrix:
                way = then(matrix[pair].get(through, NONE), again)
                if way is not NONE:
                    longer = {to: then(way, language) for to, language in matrix[through].items()}
                    matrix[pair] = _sum([matrix[pair], longer])
        rows = [{to: then(language, way) for to, way in matrix[pair].items()} for pair, language in row.items()]
        return _sum([row, *rows])


def _sum(rows: list[_Row]) -> _Row:
    pairs = dict.fromkeys(pair for row in rows for pair in row)
    return {pair: union(*(row.get(pair, NONE) for row in rows)) for pair in pairs}


def _free(node: Expression, row: _Row) -> _Row:
    """The row behind a part that does not depend on its neighbours: what comes after a place is its first character,
    what stands before the next place its last one."""
    if node == Sequence(()):
        return row
    begin = {kind: union(*(language for (_, after), language in row.items() if after == kind)) for kind in _AFTER}
    found = _sum(
        [
            {(last, after): then(begin[first], language) for after in _AFTER}
            for (first, last), language in _split(node)
            if begin[first] is not NONE
        ]
    )
    return _sum([row, found]) if is_nullable(node) else found


def _split(node: Expression) -> list[tuple[_Pair, Language]]:
    """The texts of a part that are not empty, by the kinds of their first and their last character."""
    firsts, lasts = _ends(node, last=False), _ends(node, last=True)
    found = []
    for first in firsts:
        for last in lasts:
            if isinstance(node, CharacterClass):
                if first == last:
                    one = character_class(intersect(node.ranges, _RANGES[first]))
                    found.append(((first, last), Language(one, False)))
                continue
            items = [node]
            if len(firsts) > 1:
                items.append(_BEGINNING_WITH[first].expression)
            if len(lasts) > 1:
                items.append(_ENDING_WITH[last].expression)
            if len(items) == 1 and is_nullable(node):
                items.append(SOMETHING.expression)
            found.append(((first, last), Language(Intersection(tuple(items)) if len(items) > 1 else node, False)))
    return found


def _ends(node: Expression, *, last: bool) -> list[str]:
    """Of which kinds the first (or last) character of a text can be."""

    def visit(node: Expression, parts: list[tuple[set[str], bool]]) -> tuple[set[str], bool]:
        if isinstance(node, Literal):
            return (_kinds(((ord(node.text[-last]),) * 2,)), False) if node.text else (set(), True)
        if isinstance(node, CharacterClass):
            return _kinds(node.ranges), False
        if isinstance(node, Sequence):
            kinds: set[str] = set()
            for found, nullable in reversed(parts) if last else parts:
                kinds |= found
                if not nullable:
                    return kinds, False
            return kinds, True
        kinds = {kind for found, _ in parts for kind in found}
        return kinds, any(nullable for _, nullable in parts) or (isinstance(node, Repeat) and node.minimum == 0)

    kinds, _ = fold(node, visit)
    return [kind for kind in (_WORD, _OTHER) if kind in kinds]


def _kinds(ranges: tuple[tuple[int, int], ...]) -> set[str]:
    return {kind for kind, of_kind in _RANGES.items() if intersect(ranges, of_kind)}
