"""A slow, independent recogniser for grammars: Earley's algorithm over code points.

It shares no code with the engine: expressions are rewritten to plain productions whose terminals are predicates,
and texts are recognised by the textbook's three steps. Regular algebra (Intersection, Complement, JsonString) is
decided by testing whole substrings. Nesting is not bounded. Rules must be productive for `viable` to be exact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from checkrail.grammar.expression import (
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
from checkrail.grammar.grammar import Grammar

Symbol = str | Callable[[str], bool]


@dataclass(frozen=True)
class Item:
    """A dotted production, with the position where it began."""

    head: str
    body: tuple[Symbol, ...]
    dot: int
    origin: int


class Recogniser:
    """The recogniser of one grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self.productions: dict[str, list[tuple[Symbol, ...]]] = {}
        self.count = 0
        for name, expression in grammar.rules.items():
            self.productions[f"rule {name}"] = [(self.symbol(expression),)]
        self.root = f"rule {grammar.root}"

    def symbol(self, node: Expression) -> Symbol:
        match node:
            case Reference(rule):
                return f"rule {rule}"
            case CharacterClass(ranges):
                return lambda c: any(low <= ord(c) <= high for low, high in ranges)
            case Nest(item):
                return self.symbol(item)
        self.count += 1
        name = f"part {self.count}"
        match node:
            case Literal(text):
                bodies: list[tuple[Symbol, ...]] = [tuple((lambda c, want=want: c == want) for want in text)]
            case Sequence(items):
                bodies = [tuple(self.symbol(i) for i in items)]
            case Choice(options):
                bodies = [(self.symbol(o),) for o in options]
            case Repeat(item, minimum, None):
                inner = self.symbol(item)
                bodies = [(inner,) * minimum, (name, inner)]
            case Repeat(item, minimum, maximum):
                inner = self.symbol(item)
                bodies = [(inner,) * n for n in range(minimum, maximum + 1)]
            case _:
                raise TypeError(f"the reference recogniser has no {type(node).__name__}")
        self.productions[name] = bodies
        return name

    def chart(self, text: str) -> list[set[Item]]:
        """The item sets after each prefix; the list stops at the first empty one."""
        start = Item("start", (self.root,), 0, 0)
        sets: list[set[Item]] = []
        current = {start}
        for position in range(len(text) + 1):
            sets.append(self._complete(current, sets, position))
            if position == len(text):
                break
            current = {
                Item(i.head, i.body, i.dot + 1, i.origin)
                for i in sets[position]
                if i.dot < len(i.body) and callable(i.body[i.dot]) and i.body[i.dot](text[position])
            }
            if not current:
                break
        return sets

    def _complete(self, seed: set[Item], earlier: list[set[Item]], position: int) -> set[Item]:
        items = set(seed)
        changed = True
        while changed:  # to a fixpoint, so that empty rules need no special care
            changed = False
            for item in list(items):
                new: list[Item] = []
                if item.dot == len(item.body):
                    waiting = items if item.origin == position else earlier[item.origin]
                    new = [
                        Item(w.head, w.body, w.dot + 1, w.origin)
                        for w in waiting
                        if w.dot < len(w.body) and w.body[w.dot] == item.head
                    ]
                elif isinstance(symbol := item.body[item.dot], str):
                    new = [Item(symbol, body, 0, position) for body in self.productions[symbol]]
                for candidate in new:
                    if candidate not in items:
                        items.add(candidate)
                        changed = True
        return items

    def accepts(self, text: str) -> bool:
        """Whether the grammar has this text."""
        sets = self.chart(text)
        return len(sets) == len(text) + 1 and Item("start", (self.root,), 1, 0) in sets[-1]

    def viable(self, prefix: str) -> bool:
        """Whether some text of the grammar begins with this prefix."""
        return len(self.chart(prefix)) == len(prefix) + 1


def json_spelling_denotes(spelling: str) -> str | None:
    """The string that a spelling between JSON quotes means, None where it is not one (or means no Unicode text)."""
    try:
        value = json.loads(f'"{spelling}"')
        value.encode()
    except (ValueError, UnicodeEncodeError):
        return None
    return value if isinstance(value, str) else None


def matches(expression: Expression, text: str, rules: Mapping[str, Expression] | None = None) -> bool:
    """Whether a regular expression (algebra included) has this text: by trying every split."""

    @cache
    def match(node: Expression, start: int, end: int) -> bool:
        part = text[start:end]
        match_ = match
        match node:
            case Literal(want):
                return part == want
            case CharacterClass(ranges):
                return len(part) == 1 and any(low <= ord(part) <= high for low, high in ranges)
            case Sequence(items):
                ends = {start}
                for item in items:
                    ends = {e for s in ends for e in range(s, end + 1) if match_(item, s, e)}
                return end in ends
            case Choice(options):
                return any(match_(o, start, end) for o in options)
            case Repeat(item, minimum, maximum):
                ends, reached = {start}, minimum == 0 and start == end
                for n in range(1, (maximum if maximum is not None else minimum + len(part) + 1) + 1):
                    ends = {e for s in ends for e in range(s, end + 1) if match_(item, s, e)}
                    if n >= minimum and end in ends:
                        return True
                    if not ends or n > minimum + len(part) + 1:
                        break
                return reached
            case Intersection(items):
                return all(match_(i, start, end) for i in items)
            case Complement(item):
                return not match_(item, start, end)
            case JsonString(item):
                meaning = json_spelling_denotes(part)
                return meaning is not None and matches(item, meaning, rules)
            case Nest(item):
                return match_(item, start, end)
            case Reference(rule):
                return match_((rules or {})[rule], start, end)
        raise TypeError(type(node).__name__)

    return match(expression, 0, len(text))
