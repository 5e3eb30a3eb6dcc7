"""Grammars in two floors: rules over terminals, and terminals that are regular expressions over characters.

This is what Lark means by a grammar, and what the lexer and the parser of `earley` read. A `Grammar` has one floor;
`LexicalGrammar.of_grammar` turns it into two, and `to_rules` turns two floors into one. You need this where lexemes
matter: `%ignore`, left recursion, ambiguity; else write GBNF or a schema, whose automata are faster.

`to_rules` writes the terminals out where they stand, and ignored text before each of them and at the end. A text
belongs to that language if it can be cut into terminals in *any* way (lexing="all"); nothing prefers the longest match.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from .expression import Choice, Expression, Reference, Repeat, Sequence, TokenReference
from .grammar import Grammar
from .traverse import transform, walk

__all__ = ["LexicalGrammar", "Terminal"]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Terminal:
    """What the parser takes as one symbol.

    name: unique in the grammar. pattern: a regular expression over characters that does not hold the empty text (a
    terminal that could be empty is written as an optional one in the rules); None for a special token. token: the id
    or the text of a special token, None for all other terminals. ignored_around: whether ignored terminals may stand
    before it (not inside an embedded schema, which has its own whitespace). negated: any one token but this.
    """

    name: str
    pattern: Expression | None
    token: int | str | None = None
    ignored_around: bool = True
    negated: bool = False

    @property
    def expression(self) -> Expression:
        """The terminal as an expression of one floor."""
        if self.pattern is not None:
            return self.pattern
        assert self.token is not None
        return TokenReference(self.token, self.negated)


@dataclass(frozen=True, slots=True)
class LexicalGrammar:
    """start: a rule's name. rules: expressions over `Reference` (to rules and to terminals by their names), `Sequence`,
    `Choice`, `Repeat`, and `Nest` where levels of nesting count. terminals: by name, in order of declaration, which
    decides between equal matches where a choice shows. ignored: names of terminals that may stand, any number of times,
    before each terminal with `ignored_around` and at the end of the text."""

    start: str
    rules: Mapping[str, Expression]
    terminals: Mapping[str, Terminal]
    ignored: tuple[str, ...] = ()

    def __repr__(self) -> str:
        ignored = f", ignores {', '.join(self.ignored)}" if self.ignored else ""
        return f"<LexicalGrammar {self.start}: {len(self.rules)} rules, {len(self.terminals)} terminals{ignored}>"

    @classmethod
    def of_grammar(cls, grammar: Grammar) -> LexicalGrammar:
        """Two floors of the same language (with lexing="all"): regular parts become terminals, as large as is sensible.

        Raises GrammarError GRAMMAR_NOT_REGULAR where boolean algebra is applied to a recursive rule.
        """
        from .two_floors import two_floors  # which imports this module

        return two_floors(grammar)

    def to_rules(self) -> Mapping[str, Expression]:
        """The rules of a `Grammar` whose root is `start`: terminals with names as rules, others written in place."""
        return dict(self._one_floor())

    def _one_floor(self) -> Iterator[tuple[str, Expression]]:
        taken = {*self.rules, *self.terminals}
        blanks = _fresh("ignored", taken)
        inner = self.start
        if self.ignored and any(_refers(expression, self.start) for expression in self.rules.values()):
            inner = _fresh(self.start, taken)
        written = {name: self._written(terminal, blanks) for name, terminal in self.terminals.items()}
        if inner != self.start:
            written[self.start] = Reference(inner)
            yield self.start, Sequence((Reference(inner), Reference(blanks)))

        def write(node: Expression) -> Expression:
            return written.get(node.rule, node) if isinstance(node, Reference) else node

        for name, expression in self.rules.items():
            body = transform(expression, write)
            if name != self.start:
                yield name, body
            elif inner != self.start or not self.ignored:
                yield inner, body
            else:
                yield name, Sequence((body, Reference(blanks)))
        for name, terminal in self.terminals.items():
            if _IDENTIFIER.fullmatch(name):
                yield name, terminal.expression
        if self.ignored:
            yield blanks, Repeat(Choice(tuple(_called(self.terminals[name]) for name in self.ignored)), 0, None)

    def _written(self, terminal: Terminal, blanks: str) -> Expression:
        """What stands for a reference to the terminal."""
        if self.ignored and terminal.ignored_around:
            return Sequence((Reference(blanks), _called(terminal)))
        return _called(terminal)


def _called(terminal: Terminal) -> Expression:
    return Reference(terminal.name) if _IDENTIFIER.fullmatch(terminal.name) else terminal.expression


def _refers(expression: Expression, rule: str) -> bool:
    return any(isinstance(node, Reference) and node.rule == rule for node in walk(expression))


def _fresh(name: str, taken: Container[str]) -> str:
    number = 1
    new = name
    while new in taken:
        number += 1
        new = f"{name}-{number}"
    return new
