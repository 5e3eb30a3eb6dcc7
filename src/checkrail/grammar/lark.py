"""Lark grammars: the front end for grammars with lexemes, `%ignore`, left recursion and ambiguity.

`parse_lark` reads a grammar into its two floors, rules over terminals. `parse_lark_grammar` makes the `Grammar` that
keeps them (`grammar.lexical`) and whose rules are the same language on one floor, for the automaton engine: terminals
written out, ignored text before each of them and at the end. There a text belongs to the language if it can be cut
into terminals in any way; `"if" NAME` takes `ifx` too, as Lark's lexer "dynamic_complete" does. Only the language
matters and no parse tree is built, so `?rule`, `_rule`, `!rule`, aliases and the priorities of rules change nothing.

Everything that is supported and refused is listed in docs/reference/lark.md. Reading is linear in the text and in the
size of the terminals written out; each bound is in `Limits`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..errors import InputError
from ..limits import DEFAULT_LIMITS, Limits
from .coverage import Coverage
from .grammar import Grammar
from .lark_output import Output
from .lark_rules import Scope
from .lark_syntax import read_document
from .lark_terminals import undefined
from .lexical import LexicalGrammar
from .source import Source

__all__ = ["parse_lark", "parse_lark_grammar"]

_NONE: Mapping[str, Any] = MappingProxyType({})


def parse_lark(
    text: str,
    *,
    start: str = "start",
    tokens: Mapping[str, int | str] = _NONE,
    json_schema: Mapping[str, Any] = _NONE,
    limits: Limits = DEFAULT_LIMITS,
) -> LexicalGrammar:
    """The rules and terminals that a Lark grammar spells.

    start: the rule that a text is. tokens: for each name that `%declare` lists, the id or the text of the special
    token; a name that is missing is the token's text itself. json_schema: options of `Grammar.from_json_schema` for
    `%json`. Raises GrammarError with line, column and what was expected, SchemaError for an embedded schema,
    BudgetError where a limit is passed, InputError for `tokens` that are not declared.

    >>> parse_lark('start: "a" start | WORD\\n%import common.WORD')
    <LexicalGrammar start: 1 rules, 2 terminals>
    """
    return _read(text, start, tokens, json_schema, limits)[0]


def parse_lark_grammar(
    text: str,
    *,
    start: str = "start",
    tokens: Mapping[str, int | str] = _NONE,
    json_schema: Mapping[str, Any] = _NONE,
    limits: Limits = DEFAULT_LIMITS,
) -> Grammar:
    """The same as a `Grammar` of the context-free contract, which keeps the two floors in `lexical`."""
    lexical, output = _read(text, start, tokens, json_schema, limits)
    # An embedded schema has its own rules, which are better for the automaton engine than its two floors.
    rules = {name: body for name, body in lexical.to_rules().items() if not output.is_embedded(name)}
    rules |= output.embedded_rules | output.unused
    return Grammar(
        rules,
        start,
        "context-free",
        "lark",
        Coverage(tuple(output.coverage)),
        positions=output.positions,
        lexical=lexical,
    )


def _read(
    text: str, start: str, tokens: Mapping[str, int | str], json_schema: Mapping[str, Any], limits: Limits
) -> tuple[LexicalGrammar, Output]:
    source = Source(text, limits)
    document = read_document(source, limits)
    unknown = next((name for name in tokens if name not in document.declared), None)
    if unknown is not None:
        raise InputError("INPUT_FORMAT", name="tokens", what=f"{unknown[:40]} is not declared in the grammar")
    definition = document.definitions.get(start)
    if definition is None or definition.is_terminal:
        raise undefined(document, source, start, None)
    if definition.parameters:
        raise source.unsupported(definition.offset, "a start rule with parameters")
    output = Output(source, limits, tokens, json_schema)
    ignored = Scope(output, document, "").write()
    return LexicalGrammar(start, output.rules, output.terminals(), ignored), output
