"""Rules in the textbook's form, and dotted items over them.

A `Rule` has alternatives, each a body of rules and terminals. An `Item` is a body with a dot: what was read stands
before the dot, what is to come after it. `repr` gives the notation of the textbooks, `E -> E . + T`.

Items know the item that they become when the dot moves on, so the parser makes none: a grammar has a fixed number of
them, one for each place of each body. All are compared by identity. `normalize` makes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Item", "Rule", "Rules", "Symbol", "TerminalSymbol"]


class TerminalSymbol:
    """What the lexer finds, as the parser sees it. number: in order of declaration. is_token: a special token."""

    __slots__ = ("ignored_around", "is_token", "name", "number")

    def __init__(self, name: str, number: int, *, is_token: bool, ignored_around: bool) -> None:
        self.name = name
        self.number = number
        self.is_token = is_token
        self.ignored_around = ignored_around

    def __repr__(self) -> str:
        return self.name


class Rule:
    """A symbol that is rewritten.

    items: its alternatives with the dot in front. nullable: it may be empty. written: the name of the rule in the
    grammar that this one is, or is a part of.
    """

    __slots__ = ("items", "name", "nullable", "written")

    def __init__(self, name: str, written: str) -> None:
        self.name = name
        self.written = written
        self.items: list[Item] = []
        self.nullable = False

    def __repr__(self) -> str:
        return self.name

    def add(self, body: tuple[Symbol, ...]) -> None:
        """Add an alternative: one item for each place of the dot."""
        following: Item | None = None
        for dot in range(len(body), -1, -1):
            following = Item(self, body, dot, following)
        assert following is not None
        self.items.append(following)


Symbol = Rule | TerminalSymbol


class Item:
    """A dotted rule. symbol: what stands after the dot, None at the end. advanced: the item with the dot moved on."""

    __slots__ = ("_advanced", "body", "dot", "rule", "symbol")

    def __init__(self, rule: Rule, body: tuple[Symbol, ...], dot: int, advanced: Item | None) -> None:
        self.rule = rule
        self.body = body
        self.dot = dot
        self.symbol = body[dot] if dot < len(body) else None
        self._advanced = advanced

    @property
    def advanced(self) -> Item:
        """The item after its symbol was read; there is none where the dot stands at the end."""
        assert self._advanced is not None
        return self._advanced

    def __repr__(self) -> str:
        names = [symbol.name for symbol in self.body]
        return " ".join([self.rule.name, "->", *names[: self.dot], ".", *names[self.dot :]])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rules:
    """A grammar for the parser. goal: a rule with the one alternative `start`, and in no body. rules: all, the goal
    first; each has a finite word. terminals: by number. ignored: those that may stand between others. shortest: the
    bytes of a shortest text. nesting: the levels that there may be, 0 where the grammar does not say what nests."""

    goal: Rule
    rules: tuple[Rule, ...]
    terminals: tuple[TerminalSymbol, ...]
    ignored: tuple[TerminalSymbol, ...]
    shortest: int
    nesting: int

    def __repr__(self) -> str:
        return f"<Rules {len(self.rules)} rules, {len(self.terminals)} terminals>"

    def items(self) -> Iterable[Item]:
        """The alternatives of all rules, the dots in front."""
        return (item for rule in self.rules for item in rule.items)
