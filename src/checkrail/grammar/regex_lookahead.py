r"""Lookahead, resolved by asking of every part which *rests of the input* it can begin.

A lookahead speaks about the text after it, up to the end of the input, and so does everything that follows it in
the pattern. So each part is translated together with its rest K, the texts that the remainder of the pattern
accepts from there to the end of the input:

    (?=r) before K  =  K & r.*          (?!r) before K  =  K & ~(r.*)          a part p before K  =  p K

Two rests are kept: for a place after the first character of the input and for its very start, where alone `^`
holds. Lookaheads nest and may stand in groups, branches and `x?`. Inside other repetitions each round would need
a rest of its own, which is refused; but for the idiom `(?:(?!r)c)*` at the end of the input, with c one
character, which says that r begins nowhere in a stretch of text.

The result uses `Intersection` and `Complement`; the compiler resolves them with automata. Branches that hold a
lookahead copy their rest, so the size may double with each; `check_size` refuses what grows too large.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..limits import Limits
from .expression import ANY_CHARACTER, CharacterClass, Choice, Complement, Expression, Intersection, Repeat, Sequence
from .expression import Literal as LiteralText
from .regex_anchors import EPSILON, NONE, Language, resolve, then, union
from .regex_syntax import Anchor, Look, pattern_parts
from .source import Source
from .traverse import fold

__all__ = ["ANYTHING", "SOMETHING", "Rest", "has_lookahead", "rest_of_input"]

ANYTHING = Language(Repeat(ANY_CHARACTER, 0, None), True)
SOMETHING = Language(Repeat(ANY_CHARACTER, 1, None), False)

_MAXIMUM_DEPTH = 50  # of groups with lookaheads in them; the translation recurses


@dataclass(frozen=True, slots=True)
class Rest:
    """What may follow up to the end of the input: after some text, and at the very start. One object if equal."""

    after: Language
    at_start: Language

    @classmethod
    def anywhere(cls, language: Language) -> Rest:
        """The same rest at both places."""
        return cls(language, language)

    @property
    def same(self) -> bool:
        """Does the place make no difference?"""
        return self.after is self.at_start


def has_lookahead(tree: Expression) -> bool:
    """Does a pattern's tree hold a lookahead?"""
    return bool(_with_look(tree))


def rest_of_input(tree: Expression, rest: Rest, source: Source, limits: Limits) -> Rest:
    """The texts, each from a place to the end of the input, that the pattern followed by `rest` accepts."""
    return _Translator(tree, source, limits).translate(tree, rest, 0)


def _with_look(tree: Expression) -> set[int]:
    """The ids of all nodes that are or hold a lookahead."""
    found: set[int] = set()

    def visit(node: Expression, below: list[bool]) -> bool:
        if isinstance(node, Look) or any(below):
            found.add(id(node))
            return True
        return False

    fold(tree, visit, pattern_parts)
    return found


class _Translator:
    """One translation: the pattern's tree, and which of its nodes hold a lookahead."""

    def __init__(self, tree: Expression, source: Source, limits: Limits) -> None:
        self.source = source
        self.depth = min(_MAXIMUM_DEPTH, limits.expression_depth)
        self.looks = _with_look(tree)

    def translate(self, node: Expression, rest: Rest, depth: int) -> Rest:
        if id(node) not in self.looks:
            return self._plain(node, rest)
        if depth > self.depth:
            raise self.source.budget("GRAMMAR_BUDGET_DEPTH", 0, limit=self.depth)
        if isinstance(node, Sequence):
            return self._sequence(node, rest, depth + 1)
        if isinstance(node, Choice):
            return _either([self.translate(option, rest, depth + 1) for option in node.options])
        if isinstance(node, Look):
            return self._look(node, rest, depth + 1)
        assert isinstance(node, Repeat)  # the parser makes no other node that has parts
        return self._repeat(node, rest, depth + 1)

    def _sequence(self, node: Sequence, rest: Rest, depth: int) -> Rest:
        """From right to left; what lies between two lookaheads is one plain part."""
        run: list[Expression] = []
        for item in reversed(node.items):
            if id(item) not in self.looks:
                run.append(item)
                continue
            rest = self.translate(item, self._plain(Sequence(tuple(reversed(run))), rest), depth)
            run = []
        return self._plain(Sequence(tuple(reversed(run))), rest)

    def _plain(self, node: Expression, rest: Rest) -> Rest:
        """A part without lookahead before its rest. With text taken, the rest is no longer at the start."""
        part = resolve(node, self.source.pointer)
        after = union(then(part.free, rest.after), then(part.ending, rest.after.only_empty))
        opening, closing = union(part.free, part.starting), union(part.ending, part.both)
        if rest.same:
            if opening is part.free and closing is part.ending:
                return Rest.anywhere(after)
            return Rest(after, union(then(opening, rest.after), then(closing, rest.after.only_empty)))
        at_start = union(
            then(_nonempty(opening), rest.after),
            then(opening.only_empty, rest.at_start),
            then(_nonempty(closing), rest.after.only_empty),
            then(closing.only_empty, rest.at_start.only_empty),
        )
        return Rest(after, at_start)

    def _look(self, node: Look, rest: Rest, depth: int) -> Rest:
        inner = self.translate(node.item, Rest.anywhere(ANYTHING), depth)
        if node.negated:
            inner = Rest.anywhere(_not(inner.after)) if inner.same else Rest(_not(inner.after), _not(inner.at_start))
        after = _and(rest.after, inner.after)
        return Rest(after, after if rest.same and inner.same else _and(rest.at_start, inner.at_start))

    def _repeat(self, node: Repeat, rest: Rest, depth: int) -> Rest:
        if node.maximum == 0:
            return rest
        if (node.minimum, node.maximum) == (1, 1):
            return self.translate(node.item, rest, depth)
        if (node.minimum, node.maximum) == (0, 1):
            return _either([rest, self.translate(node.item, rest, depth)])
        guarded = self._guarded(node, depth) if rest.same and rest.after is EPSILON else None
        if guarded is None:
            offset = next(n.offset for n in _nodes(node) if isinstance(n, Look))
            raise self.source.unsupported(offset, "a lookahead inside a repetition")
        return Rest.anywhere(guarded)

    def _guarded(self, node: Repeat, depth: int) -> Language | None:
        """`(?:(?!r)c)*` up to the end of the input: stretches of c in which no place but the end begins an r."""
        item = node.item
        if not (isinstance(item, Sequence) and len(item.items) == 2 and isinstance(item.items[0], Look)):
            return None
        guard, character = item.items
        if not isinstance(character, CharacterClass) and not (
            isinstance(character, LiteralText) and len(character.text) == 1
        ):
            return None
        if any(isinstance(inner, Anchor) and not inner.end for inner in _nodes(guard)):
            return None
        good = self.translate(guard, Rest.anywhere(ANYTHING), depth).after
        bad = then(ANYTHING, _and(SOMETHING, _not(good)))
        stretch = Language(Repeat(character, node.minimum, node.maximum), node.minimum == 0)
        return _and(stretch, _not(bad))


def _either(rests: list[Rest]) -> Rest:
    after = union(*(rest.after for rest in rests))
    same = all(rest.same for rest in rests)
    return Rest(after, after if same else union(*(rest.at_start for rest in rests)))


def _and(left: Language, right: Language) -> Language:
    if left is ANYTHING:
        return right
    return Language(Intersection((left.expression, right.expression)), left.empty and right.empty)


def _not(language: Language) -> Language:
    return Language(Complement(language.expression), not language.empty)


def _nonempty(language: Language) -> Language:
    if language is EPSILON:
        return NONE
    return _and(SOMETHING, language) if language.empty else language


def _nodes(tree: Expression) -> list[Expression]:
    """All nodes, each before its parts."""
    nodes = [tree]
    for node in nodes:
        nodes.extend(pattern_parts(node))
    return nodes
