"""The tree of a Lark grammar as it was written, before names, terminals and templates are resolved.

`lark_syntax` makes it and `lark` reads it; nobody else needs it. What Lark shares with all grammars are the nodes of
`expression`; here are those that only Lark has. Offsets are places in the grammar's text and do not count when nodes
are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .expression import Expression
from .traverse import children

__all__ = [
    "Attributes",
    "Definition",
    "Document",
    "Embedded",
    "Nested",
    "Pattern",
    "Span",
    "Text",
    "Use",
    "is_terminal",
    "lark_parts",
    "uses",
]


@dataclass(frozen=True, slots=True)
class Use(Expression):
    """A name: a rule, a terminal or a template's parameter. arguments: of a template."""

    name: str
    arguments: tuple[Expression, ...] = ()
    offset: int = field(default=0, compare=False)

    @property
    def is_terminal(self) -> bool:
        """Whether the name is that of a terminal: upper case."""
        return is_terminal(self.name)


@dataclass(frozen=True, slots=True)
class Text(Expression):
    """`"text"`, or `"text"i`."""

    text: str
    ignore_case: bool = False
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Pattern(Expression):
    """`/text/flags`."""

    text: str
    flags: str = ""
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Span(Expression):
    """`"a".."z"`."""

    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Embedded(Expression):
    """`%json {...}` or `%regex {...}`. kind: the word. text: what follows it."""

    kind: str
    text: str
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Nested(Expression):
    """`%lark { ... }`: a grammar of its own."""

    document: Document
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Attributes:
    """What stands in brackets after a rule's name. lazy: the shortest match; suffix: followed by this."""

    lazy: bool = False
    suffix: Expression | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A rule or a terminal. parameters: of a template. priority: matters for the order of terminals."""

    name: str
    body: Expression
    offset: int
    parameters: tuple[str, ...] = ()
    priority: int = 0
    attributes: Attributes | None = None

    @property
    def is_terminal(self) -> bool:
        """Whether it is a terminal, not a rule."""
        return is_terminal(self.name)


@dataclass(slots=True)
class Document:
    """All statements. definitions, imports (name -> name in the library, offset) and declared (name -> offset) have no
    name in common. ignored: what `%ignore` says, in order."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: dict[str, tuple[str, int]] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)
    ignored: list[tuple[Expression, int]] = field(default_factory=list)

    def __contains__(self, name: str) -> bool:
        return name in self.definitions or name in self.imports or name in self.declared


def is_terminal(name: str) -> bool:
    """Is a name that of a terminal? Its first letter says so."""
    return name.lstrip("_")[:1].isupper()


def lark_parts(node: Expression) -> tuple[Expression, ...]:
    """`children`, also of the nodes that only Lark has."""
    return node.arguments if isinstance(node, Use) else children(node)


def uses(node: Expression) -> Iterator[str]:
    """The names in an expression."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, Use):
            yield part.name
        stack.extend(lark_parts(part))
