"""The rules of a Lark grammar: from its tree to expressions over references to rules and terminals.

A `Scope` is one document: the grammar, or one in `%lark { }`. Both write to one `Output`, where names are unique:
those of a nested grammar get a prefix, those of an embedded schema too. Templates are written out once for each list
of arguments, so one that calls itself with ever new arguments ends at `Limits.rules`.

Ignored text stands before each terminal by the rules of `LexicalGrammar`. A nested grammar ignores what it says itself,
so there the ignored terminals are written into the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..errors import GrammarError
from .embedded_schema import embedded_grammar
from .expression import (
    EMPTY,
    Choice,
    Complement,
    Expression,
    Intersection,
    Literal,
    Reference,
    Repeat,
    Sequence,
    TokenReference,
)
from .lark_nodes import Definition, Document, Embedded, Nested, Pattern, Span, Text, Use, lark_parts, uses
from .lark_output import Output
from .lark_terminals import Terminals, placed, undefined
from .lexemes import non_empty, shortest
from .lexical import Terminal
from .nullable import is_nullable
from .printer import expression_to_gbnf
from .traverse import fold, rebuild

__all__ = ["Scope"]


class Scope:
    """One document on its way to rules. prefix: of its names; empty for the outermost."""

    def __init__(self, output: Output, document: Document, prefix: str) -> None:
        self._output = output
        self._document = document
        self._prefix = prefix
        self._terminals = Terminals(document, output.source, output.limits)
        self._instances: dict[tuple[str, tuple[Expression, ...]], str] = {}
        self._pending: list[tuple[str, Definition, Mapping[str, Expression]]] = []
        self._blanks: Expression | None = None

    def write(self) -> tuple[str, ...]:
        """Write all rules; returns the names of the ignored terminals."""
        ignored = tuple(dict.fromkeys(self._ignored()))
        if ignored:
            self._blanks = Repeat(Choice(tuple(Reference(name) for name in ignored)), 0, None)
        for definition in self._document.definitions.values():
            if not definition.is_terminal and not definition.parameters:
                self._pending.append((self._prefix + definition.name, definition, {}))
        for name, definition, binding in self._pending:  # grows while templates are used
            self._output.add_rule(name, self._rule(definition, binding), definition.offset)
        self._note_unused()
        return ignored

    def root(self) -> Expression:
        """The start rule of a nested grammar, with the ignored text at its end."""
        start = Reference(self._prefix + "start")
        return start if self._blanks is None else Sequence((start, self._blanks))

    def _ignored(self) -> Iterable[str]:
        for node, offset in self._document.ignored:
            pattern = self._terminals.expression(node, offset)
            name = f"{self._prefix}{node.name if isinstance(node, Use) else _shown(node)}"
            if not isinstance(node, Use):
                name = self._output.anonymous(name, pattern)
            self._add(Terminal(name, non_empty(pattern)), offset, self._priority(name.removeprefix(self._prefix)))
            yield name

    def _rule(self, definition: Definition, binding: Mapping[str, Expression]) -> Expression:
        if definition.attributes is not None:
            return self._whole_terminal(definition)

        def write(node: Expression, parts: list[Expression]) -> Expression:
            self._output.count(definition.offset)
            return self._written(node, parts, definition, binding)

        return fold(definition.body, write, lark_parts)

    def _written(
        self, node: Expression, parts: list[Expression], definition: Definition, binding: Mapping[str, Expression]
    ) -> Expression:
        output = self._output
        match node:
            case Use(name) if node.is_terminal:
                return self._named(node)
            case Use(name) if name in binding:
                if parts:
                    raise output.source.unsupported(node.offset, f"the parameter {name} as a template")
                return binding[name]
            case Use():
                return self._used(node, tuple(parts))
            case Text() | Pattern() | Span() | Embedded("%regex"):
                offset = definition.offset if isinstance(node, Span) else node.offset
                return self._anonymous(node, self._terminals.expression(node, offset), offset)
            case TokenReference(token):
                return self._special(expression_to_gbnf(node), token, node.position.offset if node.position else 0)
            case Embedded():
                return self._after_blanks(self._schema(node))
            case Nested(document):
                return self._after_blanks(self._nested(document, node.offset))
            case Intersection() | Complement():
                what = "& and ~ in a rule; write a terminal, with a name in upper case"
                raise output.source.unsupported(definition.offset, what)
        return rebuild(node, tuple(parts))

    # names

    def _used(self, node: Use, arguments: tuple[Expression, ...]) -> Expression:
        source = self._output.source
        definition = self._document.definitions.get(node.name)
        if definition is None:
            raise undefined(self._document, source, node.name, node.offset)
        if len(arguments) != len(definition.parameters):
            what = f"{node.name} takes {len(definition.parameters)} arguments, not {len(arguments)}"
            raise source.syntax(node.offset, what, [f"{node.name}{{{', '.join(definition.parameters)}}}"])
        position = source.position(node.offset)
        if not arguments:
            return Reference(self._prefix + node.name, position)
        key = node.name, arguments
        known = self._instances.get(key)
        if known is None:
            shown = ", ".join(expression_to_gbnf(argument) for argument in arguments)
            known = self._instances[key] = self._output.fresh(f"{self._prefix}{node.name}{{{shown}}}")
            self._pending.append((known, definition, dict(zip(definition.parameters, arguments, strict=True))))
        return Reference(known, position)

    def _named(self, node: Use) -> Expression:
        pattern = self._terminals.named(node.name)
        if pattern is not None:
            return self._lexeme(self._prefix + node.name, pattern, self._place(node.name), self._priority(node.name))
        offset = self._document.declared.get(node.name)
        if offset is None:
            raise undefined(self._document, self._output.source, node.name, node.offset)
        return self._special(node.name, self._output.tokens.get(node.name, node.name), offset)

    def _place(self, name: str) -> int:
        imported = self._document.imports.get(name)
        return self._document.definitions[name].offset if imported is None else imported[1]

    def _priority(self, name: str) -> int:
        definition = self._document.definitions.get(name)
        return 0 if definition is None else definition.priority

    # terminals

    def _anonymous(self, node: Expression, pattern: Expression, offset: int) -> Expression:
        name = self._output.anonymous(self._prefix + _shown(node), pattern)
        return self._lexeme(name, pattern, offset)

    def _lexeme(self, name: str, pattern: Expression, offset: int, priority: int = 0) -> Expression:
        """A use of a terminal; optional, if it may be empty."""
        if pattern == EMPTY:
            return EMPTY
        found = self._add(Terminal(name, non_empty(pattern)), offset, priority)
        return Repeat(found, 0, 1) if is_nullable(pattern) else found

    def _special(self, name: str, token: int | str, offset: int) -> Expression:
        return self._add(Terminal(self._prefix + name, None, token), offset)

    def _add(self, terminal: Terminal, offset: int, priority: int = 0) -> Expression:
        if not self._prefix:
            self._output.add_terminal(terminal, offset, priority)
            return Reference(terminal.name)
        self._output.add_terminal(replace(terminal, ignored_around=False), offset, priority)
        return self._after_blanks(Reference(terminal.name))

    def _whole_terminal(self, definition: Definition) -> Expression:
        """A rule with attributes: its body is one terminal."""
        attributes, offset = definition.attributes, definition.offset
        assert attributes is not None
        if definition.parameters:
            raise self._output.source.unsupported(offset, "attributes of a rule with parameters")
        pattern = self._terminals.expression(definition.body, offset)
        if attributes.suffix is not None:
            pattern = Sequence((pattern, self._terminals.expression(attributes.suffix, offset)))
        if attributes.lazy or attributes.suffix is not None:
            pattern = shortest(pattern)
        return self._lexeme(f"{self._prefix}{definition.name}[lazy]", pattern, offset)

    def _after_blanks(self, expression: Expression) -> Expression:
        return expression if self._blanks is None else Sequence((self._blanks, expression))

    # grammars within the grammar

    def _schema(self, node: Embedded) -> Expression:
        output = self._output
        root = output.schema_root(node.text)
        if root is None:
            try:
                grammar = embedded_grammar(node.text, output.json_schema, output.limits)
            except GrammarError as error:
                raise placed(error, output.source, node.offset) from None
            root = output.embed(node.text, grammar, node.offset)
        return Reference(root)

    def _nested(self, document: Document, offset: int) -> Expression:
        definition = document.definitions.get("start")
        if definition is None or definition.parameters:
            raise undefined(document, self._output.source, "start", offset)
        scope = Scope(self._output, document, self._output.nested_prefix())
        scope.write()
        return scope.root()

    def _note_unused(self) -> None:
        """Terminals that nothing uses become rules that nothing reaches, so that `check` warns of them."""
        document = self._document
        bodies = [definition.body for definition in document.definitions.values()]
        bodies += [node for node, _ in document.ignored]
        used = {name for body in bodies for name in uses(body)}
        for name, definition in document.definitions.items():
            pattern = self._terminals.named(name)
            if pattern is not None and name not in used:
                self._output.unused[self._prefix + name] = pattern
                self._output.positions[self._prefix + name] = self._output.source.position(definition.offset)


def _shown(node: Expression) -> str:
    """A terminal without a name, as it was written."""
    match node:
        case Text(text, ignore_case):
            return expression_to_gbnf(Literal(text)) + ("i" if ignore_case else "")
        case Pattern(text, flags):
            return f"/{text}/{flags}"
        case Span(low, high):
            return f"{expression_to_gbnf(Literal(low))}..{expression_to_gbnf(Literal(high))}"
        case Embedded(kind):
            return kind
    return "(...)"
