"""What becomes of a Lark grammar, collected: rules, terminals, places, coverage; and names that are unique in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import Position
from ..limits import Limits
from .coverage import CoverageEntry
from .embedded_schema import embedded_rules
from .expression import Expression
from .grammar import Grammar
from .lexical import LexicalGrammar, Terminal
from .simplify import rename_references
from .source import Source

__all__ = ["Output"]

_LONGEST_NAME = 60


class Output:
    """Filled by scopes. tokens: of `%declare`. json_schema: options for embedded schemas.

    embedded_rules: those of embedded schemas on one floor. unused: terminals that nothing uses, for a warning.
    """

    def __init__(
        self, source: Source, limits: Limits, tokens: Mapping[str, int | str], json_schema: Mapping[str, Any]
    ) -> None:
        self.source = source
        self.limits = limits
        self.tokens = tokens
        self.json_schema = json_schema
        self.rules: dict[str, Expression] = {}
        self.positions: dict[str, Position] = {}
        self.coverage: list[CoverageEntry] = []
        self.embedded_rules: dict[str, Expression] = {}
        self.unused: dict[str, Expression] = {}
        self._terminals: dict[str, Terminal] = {}
        self._order: dict[str, tuple[int, int]] = {}
        self._anonymous: dict[tuple[str, Expression], str] = {}
        self._embedded_names: set[str] = set()
        self._schemas: dict[str, str] = {}
        self._uses: dict[str, int] = {}  # of a name, for the number after it
        self._nested = 0
        self._parts = 0

    def terminals(self) -> dict[str, Terminal]:
        """The terminals by priority, then in the order in which they stand in the text."""
        return {name: self._terminals[name] for name in sorted(self._terminals, key=self._order.__getitem__)}

    def count(self, offset: int) -> None:
        """Count a part of a rule; templates make many of few."""
        self._parts += 1
        if self._parts > self.limits.expression_nodes:
            raise self.source.budget("GRAMMAR_BUDGET_NODES", offset, limit=self.limits.expression_nodes)

    def add_rule(self, name: str, body: Expression, offset: int) -> None:
        """Add a rule that stands at this offset."""
        if len(self.rules) == self.limits.rules:
            raise self.source.budget("GRAMMAR_BUDGET_RULES", offset, limit=self.limits.rules)
        self.rules[name] = body
        self.positions[name] = self.source.position(offset)

    def add_terminal(self, terminal: Terminal, offset: int, priority: int = 0) -> None:
        """Add a terminal, if it is not there."""
        self._terminals.setdefault(terminal.name, terminal)
        self._order.setdefault(terminal.name, (-priority, offset))
        self.positions.setdefault(terminal.name, self.source.position(offset))

    def fresh(self, wanted: str) -> str:
        """A name that nothing has: the wanted one, cut and numbered where needed."""
        short = wanted if len(wanted) <= _LONGEST_NAME else wanted[: _LONGEST_NAME - 3] + "..."
        number = self._uses[short] = self._uses.get(short, 0) + 1
        return short if number == 1 else f"{short} #{number}"

    def anonymous(self, shown: str, pattern: Expression) -> str:
        """The name of a terminal that has none: how it was written. Equal ones are one."""
        key = shown, pattern
        if key not in self._anonymous:
            self._anonymous[key] = self.fresh(shown)
        return self._anonymous[key]

    def nested_prefix(self) -> str:
        """The prefix of the names of the next nested grammar."""
        self._nested += 1
        return f"lark{self._nested}."  # no name in a grammar holds a dot

    # embedded schemas

    def schema_root(self, text: str) -> str | None:
        """The root of a schema that was embedded before."""
        return self._schemas.get(text)

    def embed(self, text: str, grammar: Grammar, offset: int) -> str:
        """Add the rules of a schema; returns its root."""
        prefix = f"json{len(self._schemas) + 1}."
        found = embedded_rules(grammar, prefix)
        self.embedded_rules |= found.rules
        self.coverage += found.coverage
        lexical = LexicalGrammar.of_grammar(grammar)
        names = {name: prefix + name for name in (*lexical.rules, *lexical.terminals)}
        self._embedded_names.update(names.values())
        for name, body in lexical.rules.items():
            self.add_rule(names[name], rename_references(body, names), offset)
        for name, terminal in lexical.terminals.items():
            self.add_terminal(Terminal(names[name], terminal.pattern, ignored_around=False), offset)
        self._schemas[text] = found.root
        return found.root

    def is_embedded(self, name: str) -> bool:
        """Whether it is a rule or terminal of an embedded schema."""
        return name in self._embedded_names
