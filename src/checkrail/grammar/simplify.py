"""Smaller expressions of the same language, and renaming of rules.

`simplify` rewrites from the leaves up until nothing in its list applies: it flattens sequences and choices,
joins neighbouring literals, gathers one-character options into a class, drops what is empty or impossible, and
multiplies nested repetition counts where the product is exact. Nodes are hash-consed on the way (equal parts
become one object), so that equality is a comparison of identities. Linear in the size of the expression, up to
the sorting of classes.

`sequence_of`, `choice_of` and `repeat_of` apply the same rules to one node. Use them to build expressions that
are small from the start; `Simplifier` makes a whole expression that is already what `simplify` would return. What
needs an automaton to see (two options with a common prefix) is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..watch import UNWATCHED, Watch
from .codepoints import Ranges, union
from .expression import (
    EMPTY,
    NOTHING,
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    JsonString,
    Literal,
    Nest,
    Reference,
    Repeat,
    Sequence,
)
from .traverse import children, fold, rebuild, transform

__all__ = ["Simplifier", "choice_of", "rename_references", "repeat_of", "sequence_of", "simplify"]


def simplify(expression: Expression) -> Expression:
    """An expression with the same language and no more nodes."""
    return Simplifier().run(expression)


def rename_references(expression: Expression, names: Mapping[str, str]) -> Expression:
    """The expression with the rules it refers to renamed; names that are not in the mapping stay."""

    def rename(node: Expression) -> Expression:
        if isinstance(node, Reference) and node.rule in names:
            return Reference(names[node.rule], node.position)
        return node

    return transform(expression, rename)


def sequence_of(items: Iterable[Expression]) -> Expression:
    """The items one after the other, flattened, without empty ones; NOTHING where one of them is impossible."""
    flat: list[Expression] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Sequence) else (item,))
    if any(_is_nothing(item) for item in flat):
        return NOTHING
    flat = [item for item in flat if not _is_empty(item)]
    if len(flat) < 2:
        return flat[0] if flat else EMPTY
    return Sequence(tuple(flat))


def choice_of(options: Iterable[Expression]) -> Expression:
    """Any of the options, flattened, without impossible ones."""
    flat: list[Expression] = []
    for option in options:
        flat.extend(option.options if isinstance(option, Choice) else (option,))
    flat = [option for option in flat if not _is_nothing(option)]
    if len(flat) < 2:
        return flat[0] if flat else NOTHING
    return Choice(tuple(flat))


def repeat_of(item: Expression, minimum: int, maximum: int | None) -> Expression:
    """`item` repeated, with the counts of a repeated repetition multiplied where that is exact.

    >>> repeat_of(Repeat(Literal("a"), 0, 30), 0, 30)
    Repeat(item=Literal(text='a'), minimum=0, maximum=900)
    """
    if maximum == 0 or _is_empty(item):
        return EMPTY
    if _is_nothing(item):
        return EMPTY if minimum == 0 else NOTHING
    if minimum == maximum == 1:
        return item
    if isinstance(item, Repeat) and _counts_are_contiguous(item, minimum, maximum):
        total = None if maximum is None or item.maximum is None else maximum * item.maximum
        return Repeat(item.item, minimum * item.minimum, total)
    return Repeat(item, minimum, maximum)


def _counts_are_contiguous(inner: Repeat, minimum: int, maximum: int | None) -> bool:
    """Is every total from minimum * a to maximum * b reached by `(x{a,b}){minimum,maximum}`?

    k rounds reach k*a to k*b. Rounds k and k+1 leave no gap between them if (k+1)*a <= k*b + 1, which holds
    for all k from `minimum` up if it holds for `minimum`.
    """
    if minimum == maximum:
        return True
    if inner.maximum is None:
        return minimum >= 1 or inner.minimum <= 1
    return minimum * (inner.maximum - inner.minimum) >= inner.minimum - 1


def _is_nothing(expression: Expression) -> bool:
    if isinstance(expression, CharacterClass):
        return not expression.ranges
    return isinstance(expression, Choice) and not expression.options


def _is_empty(expression: Expression) -> bool:
    if isinstance(expression, Literal):
        return not expression.text
    if isinstance(expression, Repeat):
        return expression.maximum == 0
    return isinstance(expression, Sequence) and not expression.items


def _one_character(expression: Expression) -> Ranges | None:
    """The characters of an option that is exactly one character long."""
    if isinstance(expression, CharacterClass):
        return expression.ranges
    if isinstance(expression, Literal) and len(expression.text) == 1:
        return ((ord(expression.text), ord(expression.text)),)
    return None


def _flat_parts(node: Expression) -> tuple[Expression, ...]:
    """The parts of a node, through sequences in sequences and choices in choices.

    Without it a sequence nested a hundred deep would be copied a hundred times.
    """
    kind = type(node)
    if kind not in (Sequence, Choice) or not any(type(part) is kind for part in children(node)):
        return children(node)
    flat: list[Expression] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if type(part) is kind:
            stack.extend(reversed(children(part)))
        else:
            flat.append(part)
    return tuple(flat)


class Simplifier:
    """One run: the table of canonical nodes. Its methods take parts that they or `run` returned."""

    def __init__(self, watch: Watch = UNWATCHED) -> None:
        self._watch = watch
        self._table: dict[object, Expression] = {}

    def run(self, expression: Expression) -> Expression:
        return fold(expression, self._visit, _flat_parts)

    def _canonical(self, node: Expression) -> Expression:
        """One object for all equal nodes whose parts are canonical."""
        parts = children(node)
        key: object = node
        if parts:
            counts = (node.minimum, node.maximum) if isinstance(node, Repeat) else ()
            key = (type(node), counts, *map(id, parts))
        return self._table.setdefault(key, node)

    def _visit(self, node: Expression, parts: list[Expression]) -> Expression:
        self._watch.spend(1 + len(parts))
        if isinstance(node, Sequence):
            return self.sequence(parts)
        if isinstance(node, Choice):
            return self.choice(parts)
        if isinstance(node, Repeat):
            return self.repeat(parts[0], node.minimum, node.maximum)
        if isinstance(node, CharacterClass):
            return self.characters(node.ranges)
        if isinstance(node, Literal) and not node.text:
            return self._canonical(EMPTY)
        if isinstance(node, Intersection):
            return self._intersection(parts)
        if isinstance(node, (Nest, JsonString)) and _is_nothing(parts[0]):
            return self._canonical(NOTHING)
        if isinstance(node, Complement) and isinstance(parts[0], Complement):
            return parts[0].item
        return self._canonical(rebuild(node, tuple(parts)) if parts else node)

    def characters(self, ranges: Ranges) -> Expression:
        if not ranges:
            return self._canonical(NOTHING)
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return self._canonical(Literal(chr(ranges[0][0])))
        return self._canonical(CharacterClass(ranges))

    def repeat(self, item: Expression, minimum: int, maximum: int | None) -> Expression:
        return self._canonical(repeat_of(item, minimum, maximum))

    def sequence(self, parts: Iterable[Expression]) -> Expression:
        whole = sequence_of(parts)
        if not isinstance(whole, Sequence):
            return self._canonical(whole)
        items = self._join_repeats(self._join_literals(whole.items))
        return self._canonical(items[0] if len(items) == 1 else Sequence(tuple(items)))

    def _join_literals(self, items: Iterable[Expression]) -> list[Expression]:
        result: list[Expression] = []
        texts: list[str] = []
        for item in items:
            if isinstance(item, Literal):
                texts.append(item.text)
                continue
            if texts:
                result.append(self._canonical(Literal("".join(texts))))
                texts.clear()
            result.append(item)
        if texts:
            result.append(self._canonical(Literal("".join(texts))))
        return result

    def _join_repeats(self, items: Iterable[Expression]) -> list[Expression]:
        """`x x*` is `x+`, and `x{a,b} x{c,d}` is `x{a+c,b+d}`."""
        result: list[Expression] = []
        for item in items:
            while result and (joined := self._join_two(result[-1], item)):
                item = joined
                result.pop()
            result.append(item)
        return result

    def _join_two(self, left: Expression, right: Expression) -> Expression | None:
        if not isinstance(left, Repeat) and not isinstance(right, Repeat):
            return None
        item, low, high = _counted(left)
        same, more_low, more_high = _counted(right)
        if item is not same:
            return None
        return self.repeat(item, low + more_low, None if high is None or more_high is None else high + more_high)

    def choice(self, parts: list[Expression]) -> Expression:
        empty = any(_is_optional(part) for part in parts)
        whole = choice_of(
            part.item if isinstance(part, Repeat) and part.maximum == 1 and not part.minimum else part for part in parts
        )
        options: dict[int, Expression] = {}
        characters: list[Ranges] = []
        for option in whole.options if isinstance(whole, Choice) else (whole,):
            ranges = _one_character(option)
            if ranges is not None:
                characters.append(ranges)
                options.setdefault(0, NOTHING)  # the class takes the place of the first of its members
            elif not _is_empty(option):
                options[id(option)] = option
        if characters:
            options[0] = self.characters(union(*characters))
        rest = tuple(options.values())
        joined = self._canonical(rest[0] if len(rest) == 1 else Choice(rest))
        if not empty:
            return joined
        return self.repeat(joined, 0, 1) if rest else self._canonical(EMPTY)

    def literal(self, text: str) -> Expression:
        """A text that is not empty."""
        return self._canonical(Literal(text))

    def _intersection(self, parts: list[Expression]) -> Expression:
        items: dict[int, Expression] = {}
        for part in parts:
            for item in part.items if isinstance(part, Intersection) else (part,):
                items[id(item)] = item
        if any(_is_nothing(item) for item in items.values()):
            return self._canonical(NOTHING)
        kept = tuple(items.values())
        return kept[0] if len(kept) == 1 else self._canonical(Intersection(kept))


def _is_optional(expression: Expression) -> bool:
    """Is it the empty string, or `x?`?"""
    if isinstance(expression, Repeat) and (expression.minimum, expression.maximum) == (0, 1):
        return True
    return _is_empty(expression)


def _counted(expression: Expression) -> tuple[Expression, int, int | None]:
    if isinstance(expression, Repeat):
        return expression.item, expression.minimum, expression.maximum
    return expression, 1, 1
