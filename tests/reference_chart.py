"""A slow recognizer for grammars and patterns, by definition: all end positions of every node.

It knows nothing of automata and shares no code with the library but the node classes. Rules are solved as a least
fixpoint, so recursion of any kind is fine on short texts. Patterns may also hold anchors and lookaheads, which are
asked of the place itself: the truth about what `regex_anchors` and `regex_lookahead` make of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from checkrail.errors import GrammarError
from checkrail.grammar.expression import (
    CharacterClass,
    Choice,
    Complement,
    Expression,
    Intersection,
    Literal,
    Nest,
    Reference,
    Repeat,
    Sequence,
)
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.regex_syntax import Anchor, Boundary, Look

Ends = frozenset[int]
T = TypeVar("T")


class Chart:
    """One text: which stretches of it each node matches."""

    def __init__(self, rules: Mapping[str, Expression], text: str) -> None:
        self.rules, self.text = rules, text
        self.table: dict[tuple[str, int], Ends] = {}
        self.changed = False
        self.entered: set[tuple[str, int]] = set()
        self.memo: dict[tuple[int, int], Ends] = {}

    def accepts(self, expression: Expression) -> bool:
        while True:
            self.changed = False
            self.entered.clear()
            self.memo.clear()
            ends = self.ends(expression, 0)
            if not self.changed:
                return len(self.text) in ends

    def ends(self, node: Expression, start: int) -> Ends:
        key = (id(node), start)
        if key not in self.memo:
            self.memo[key] = self.compute(node, start)
        return self.memo[key]

    def compute(self, node: Expression, start: int) -> Ends:
        if isinstance(node, Literal):
            return frozenset({start + len(node.text)} if self.text.startswith(node.text, start) else ())
        if isinstance(node, CharacterClass):
            inside = start < len(self.text) and any(a <= ord(self.text[start]) <= b for a, b in node.ranges)
            return frozenset({start + 1} if inside else ())
        if isinstance(node, Sequence):
            here = frozenset({start})
            for item in node.items:
                here = self.after(item, here)
            return here
        if isinstance(node, Choice):
            return frozenset(end for option in node.options for end in self.ends(option, start))
        if isinstance(node, Nest):
            return self.ends(node.item, start)
        if isinstance(node, Repeat):
            return self.repeat(node, start)
        if isinstance(node, Intersection):
            return frozenset.intersection(*(self.ends(item, start) for item in node.items))
        if isinstance(node, Complement):
            return frozenset(range(start, len(self.text) + 1)) - self.ends(node.item, start)
        if isinstance(node, Anchor):
            return frozenset({start} if start == (len(self.text) if node.end else 0) else ())
        if isinstance(node, Boundary):
            sides = self.text[max(0, start - 1) : start], self.text[start : start + 1]
            before, behind = (re.fullmatch("[0-9A-Za-z_]", side) is not None for side in sides)
            return frozenset({start} if (before != behind) != node.negated else ())
        if isinstance(node, Look):
            return frozenset({start} if bool(self.ends(node.item, start)) != node.negated else ())
        assert isinstance(node, Reference)
        return self.reference(node.rule, start)

    def after(self, item: Expression, places: Ends) -> Ends:
        return frozenset(end for place in places for end in self.ends(item, place))

    def repeat(self, node: Repeat, start: int) -> Ends:
        here = frozenset({start})
        found: set[int] = set(here) if node.minimum == 0 else set()
        seen: set[Ends] = set()
        count = 0
        while count != node.maximum and here:
            here = self.after(node.item, here)
            count += 1
            if count < node.minimum:
                if here in seen and here == self.after(node.item, here):
                    count = node.minimum  # every further round reaches the same places
                seen.add(here)
            if count >= node.minimum:
                if here <= found and count > node.minimum + len(self.text):
                    break
                found |= here
        return frozenset(found)

    def reference(self, rule: str, start: int) -> Ends:
        key = (rule, start)
        known = self.table.get(key, frozenset())
        if key in self.entered:
            return known
        self.entered.add(key)
        ends = self.table.get(key, frozenset()) | self.ends(self.rules[rule], start)
        if ends != self.table.get(key, frozenset()):
            self.table[key] = ends
            self.changed = True
        return ends


def attempt(function: Callable[..., T], *arguments: object) -> T | GrammarError:
    """What the function returns, or the GrammarError that it raises."""
    try:
        return function(*arguments)
    except GrammarError as error:
        return error


def matches_expression(expression: Expression, text: str) -> bool:
    """Is the whole text in the language?"""
    return Chart({}, text).accepts(expression)


def grammar_accepts(grammar: Grammar, text: str) -> bool:
    """Is the whole text in the grammar's language?"""
    return Chart(grammar.rules, text).accepts(Reference(grammar.root))


def pattern_matches(tree: Expression, text: str) -> bool:
    """Does the pattern match the whole text?"""
    return len(text) in Chart({}, text).ends(tree, 0)


def pattern_found(tree: Expression, text: str) -> bool:
    """Does the pattern match somewhere in the text?"""
    chart = Chart({}, text)
    return any(chart.ends(tree, start) for start in range(len(text) + 1))
