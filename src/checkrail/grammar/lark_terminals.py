r"""The terminals of a Lark grammar: each becomes one regular expression over characters.

A terminal may use other terminals, strings with flags, regexes, ranges, `&` and `~`, but no rule, and not itself. The
regexes are ECMA-262's with the `u` flag as `regex_syntax` reads them, as parts of a text: no anchors, no lookaround, no
lazy quantifiers, which would look beyond the terminal. `.` is all but `\n`, as in Lark; with the flag `s`, all.

Linear in the size of the terminals with those they use written out; that size is bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from ..errors import GrammarError
from ..limits import DEFAULT_LIMITS, Limits
from .codepoints import ALL, Ranges, complement, ranges_of
from .components import is_cyclic, strong_components
from .expression import EMPTY, CharacterClass, Expression, Literal, TokenReference
from .lark_common import COMMON
from .lark_nodes import Definition, Document, Embedded, Nested, Pattern, Span, Text, Use, uses
from .lark_syntax import read_document
from .letter_case import both_cases
from .regex_syntax import Dialect, parse_pattern
from .simplify import Simplifier
from .source import Source
from .substring import substrings
from .traverse import check_size, fold, rebuild

__all__ = ["Terminals", "placed", "undefined"]

_NOT_NEWLINE: Ranges = complement(ranges_of("\n"))
_WORDS = re.compile(r"\s+|\w+|[^\w\s]+")
_SUBSTRINGS: dict[str, Callable[[Any], Sequence[str]]] = {
    "substring_chunks": list,
    "substring_words": _WORDS.findall,
    "substring_chars": list,
}


class Terminals:
    """The terminals of one document. `declared` ones are special tokens and have no expression.

    Raises GrammarError for what no terminal can be: GRAMMAR_NOT_REGULAR for one that needs itself, GRAMMAR_SYNTAX,
    GRAMMAR_UNSUPPORTED, GRAMMAR_UNDEFINED_RULE; BudgetError beyond the limits.
    """

    def __init__(self, document: Document, source: Source, limits: Limits) -> None:
        self._document = document
        self._source = source
        self._limits = limits
        self._build = Simplifier()
        self._known: dict[str, Expression] = {}
        self._size = 0  # of all terminals, each with those that it uses written out
        for name, (wanted, offset) in document.imports.items():
            self._known[name] = self._common(wanted, offset)
        for definition in self._in_order():
            self._known[definition.name] = self.expression(definition.body, definition.offset)

    def named(self, name: str) -> Expression | None:
        """The expression of a terminal with a name; None for a special token, or if it is not defined."""
        return self._known.get(name)

    def expression(self, node: Expression, offset: int) -> Expression:
        """What a part of the grammar means that stands for one terminal. offset: of the whole, for messages."""
        try:
            written = fold(node, self._written)
            self._size += fold(written, _size)
            if self._size > self._limits.expression_nodes:
                raise self._source.budget("GRAMMAR_BUDGET_NODES", offset, limit=self._limits.expression_nodes)
            return check_size(self._build.run(written), self._limits)
        except GrammarError as error:
            if error.position is not None:
                raise
            raise placed(error, self._source, offset) from None

    def _in_order(self) -> Sequence[Definition]:
        """The definitions of terminals, each after those that it uses."""
        definitions = {name: d for name, d in self._document.definitions.items() if d.is_terminal}
        needs = {
            name: [used for used in uses(definition.body) if used in definitions]
            for name, definition in definitions.items()
        }
        order: list[Definition] = []
        for component in strong_components(needs):
            definition = min((definitions[name] for name in component), key=lambda d: d.offset)
            if is_cyclic(component, needs):
                position = self._source.position(definition.offset)
                raise GrammarError("GRAMMAR_NOT_REGULAR", position=position, what="A terminal", rule=definition.name)
            order.append(definition)
        return order

    def _written(self, node: Expression, parts: list[Expression]) -> Expression:
        match node:
            case Use(name):
                return self._used(name, node.offset)
            case Text(text, ignore_case):
                if not ignore_case:
                    return Literal(text) if text else EMPTY
                return self._build.sequence([self._build.characters(both_cases(_one(char))) for char in text])
            case Span(low, high):
                return self._build.characters(((ord(low), ord(high)),))
            case Pattern():
                return self._pattern(node)
            case Embedded(kind, text) if kind == "%regex":
                return self._structured(text, node.offset)
            case Embedded(kind):
                raise self._source.syntax(node.offset, f"{kind} cannot be part of a terminal", ["a rule that holds it"])
            case Nested():
                raise self._source.syntax(node.offset, "%lark cannot be part of a terminal", ["a rule that holds it"])
            case TokenReference():
                offset = 0 if node.position is None else node.position.offset
                raise self._source.syntax(
                    offset, "a special token cannot be part of a terminal", ["a rule that holds it"]
                )
        return rebuild(node, tuple(parts))

    def _used(self, name: str, offset: int) -> Expression:
        known = self._known.get(name)
        if known is not None:
            return known
        if name not in self._document:
            raise undefined(self._document, self._source, name, offset)
        kind = "special token" if name in self._document.declared else "rule"
        raise self._source.syntax(offset, f"a terminal cannot use the {kind} {name}", ["a terminal, in upper case"])

    def _pattern(self, node: Pattern) -> Expression:
        dialect = Dialect(dot=ALL if "s" in node.flags else _NOT_NEWLINE, ignore_case="i" in node.flags, part=True)
        try:
            return parse_pattern(Source(node.text, self._limits), self._limits, dialect).tree
        except GrammarError as error:
            inside = 0 if error.position is None else error.position.offset
            raise placed(error, self._source, node.offset + 1 + inside) from None

    def _structured(self, text: str, offset: int) -> Expression:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise self._source.syntax(offset, "%regex is followed by a JSON object", list(_SUBSTRINGS)) from None
        if not isinstance(data, dict) or len(data) != 1 or (key := next(iter(data))) not in _SUBSTRINGS:
            what = "%regex with anything but one of " + ", ".join(_SUBSTRINGS)
            raise self._source.unsupported(offset, what)
        value = data[key]
        is_list = key == "substring_chunks"
        if not isinstance(value, list if is_list else str) or (is_list and not all(isinstance(v, str) for v in value)):
            raise self._source.syntax(offset, f"{key} is a {'list of strings' if is_list else 'string'}")
        chunks = [chunk for chunk in _SUBSTRINGS[key](value) if chunk]
        if any("\ud800" <= char <= "\udfff" for chunk in chunks for char in chunk):
            raise self._source.syntax(offset, f"{key} holds half of a surrogate pair", ["whole characters"])
        if len(chunks) * len(chunks).bit_length() ** 2 > self._limits.expression_nodes:  # what `substrings` makes
            raise self._source.budget("GRAMMAR_BUDGET_NODES", offset, limit=self._limits.expression_nodes)
        return substrings(chunks)

    def _common(self, name: str, offset: int) -> Expression:
        found = _library().named(name)
        if found is None:
            close = get_close_matches(name, _library()._known, n=1)
            expected = [f"{close[0]} (did you mean this?)"] if close else sorted(_library()._known)
            raise self._source.syntax(offset, f"the library common has no {name[:40]}", expected)
        return found


def undefined(document: Document, source: Source, name: str, offset: int | None) -> GrammarError:
    """GRAMMAR_UNDEFINED_RULE, with a name that is spelt alike."""
    names = [*document.definitions, *document.imports, *document.declared]
    names = [known for known in names[:1000] if len(known) <= 64]  # the comparison is quadratic
    close = get_close_matches(name, names, n=1) if len(name) <= 64 else []
    expected = [f"{close[0]} (did you mean this?)"] if close else [f"a definition {name}: ..."]
    position = None if offset is None else source.position(offset)
    return GrammarError("GRAMMAR_UNDEFINED_RULE", rule=name, position=position, expected=expected)


def placed(error: GrammarError, source: Source, offset: int) -> GrammarError:
    """The same failure at a place of the grammar."""
    position = source.position(offset)
    return type(error)(error.code, position=position, pointer=error.pointer, expected=error.expected, **error.params)


def _size(node: Expression, parts: list[int]) -> int:
    """What an expression takes when it is written out: neighbouring texts are joined, classes hold their ranges."""
    if isinstance(node, Literal):
        return len(node.text)
    return 1 + (len(node.ranges) if isinstance(node, CharacterClass) else sum(parts))


def _one(char: str) -> Ranges:
    return ((ord(char), ord(char)),)


@lru_cache(maxsize=1)
def _library() -> Terminals:
    source = Source(COMMON, DEFAULT_LIMITS)
    return Terminals(read_document(source, DEFAULT_LIMITS), source, DEFAULT_LIMITS)
