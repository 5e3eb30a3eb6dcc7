"""`Grammar`: rules by name, a root, and where they came from. Immutable; the input of the compiler.

Front ends are named in a table and imported when first used, so that reading a regex does not load the JSON
Schema compiler, and so that this layer does not depend on the ones above it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal

from ..errors import GrammarError, InputError, Position
from .coverage import Coverage
from .expression import Choice, Expression, Reference, Sequence
from .expression import Literal as LiteralText

__all__ = ["Contract", "Grammar"]

Contract = Literal["visibly-pushdown", "context-free"]

# format -> (module, function); the function takes the text and keyword options and returns a Grammar
_FRONT_ENDS: Mapping[str, tuple[str, str]] = {
    "gbnf": ("checkrail.grammar.gbnf", "parse_gbnf"),
    "regex": ("checkrail.grammar.regex", "parse_regex_grammar"),
    "json_schema": ("checkrail.json_schema.to_grammar", "json_schema_to_grammar"),
}


def _front_end(name: str) -> Callable[..., Grammar]:
    try:
        module, function = _FRONT_ENDS[name]
    except KeyError:
        raise InputError(
            "INPUT_FORMAT", name="grammar format", what=f"must be one of {', '.join(_FRONT_ENDS)}"
        ) from None
    found: Callable[..., Grammar] = getattr(import_module(module), function)
    return found


@dataclass(frozen=True, slots=True)
class Grammar:
    """A context-free grammar over Unicode code points.

    rules: name -> expression, in declaration order. root: the start rule. contract: what the compiler demands
    by default (see docs/explanation/contracts.md). positions: where each rule was declared. origins: rule ->
    JSON pointer of the schema it came from. coverage: what became of each schema keyword. `str(g)` is GBNF.

    >>> str(Grammar.from_gbnf('root ::= "a" | "b"'))
    'root ::= "a" | "b"\\n'
    """

    rules: Mapping[str, Expression]
    root: str = "root"
    contract: Contract = "visibly-pushdown"
    format: str = "gbnf"
    coverage: Coverage = field(default_factory=Coverage)
    positions: Mapping[str, Position] = field(default_factory=dict, compare=False, repr=False)
    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("rules", "positions", "origins"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.root not in self.rules:
            raise GrammarError("GRAMMAR_UNDEFINED_RULE", rule=self.root)

    def __repr__(self) -> str:
        return f"<Grammar {self.format} root={self.root} {len(self.rules)} rules>"

    def __str__(self) -> str:
        return self.to_gbnf()

    def to_gbnf(self) -> str:
        """The grammar as GBNF text."""
        text: str = import_module("checkrail.grammar.printer").to_gbnf(self)
        return text

    @property
    def sha256(self) -> str:
        """SHA-256 (hex) over the rules, the root and the coverage: equal grammars, equal digest."""
        parts = [self.root, self.contract]
        parts += [f"{name} = {expression!r}" for name, expression in self.rules.items()]
        parts += [repr(entry) for entry in self.coverage]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @classmethod
    def parse(cls, format: str, text: Any, **options: Any) -> Grammar:
        """Read `text` in a named format: "gbnf", "regex", "json_schema"."""
        return _front_end(format)(text, **options)

    @classmethod
    def from_gbnf(cls, text: str, *, root: str = "root", **options: Any) -> Grammar:
        """Read llama.cpp's GBNF. Raises GrammarError with line, column and what was expected."""
        return cls.parse("gbnf", text, root=root, **options)

    @classmethod
    def from_regex(cls, pattern: str, *, flavour: str = "ecma", **options: Any) -> Grammar:
        """The texts that match `pattern` as a whole."""
        return cls.parse("regex", pattern, flavour=flavour, **options)

    @classmethod
    def from_json_schema(cls, schema: Any, **options: Any) -> Grammar:
        """The JSON texts that `schema` (text, dict, bool, or a Python type) accepts; see `json_schema.to_grammar`."""
        return cls.parse("json_schema", schema, **options)

    @classmethod
    def from_choice(cls, options: Iterable[str]) -> Grammar:
        """Exactly one of these texts."""
        texts = tuple(dict.fromkeys(options))
        return cls({"root": Choice(tuple(LiteralText(t) for t in texts))}, format="choice")

    @classmethod
    def union(cls, *grammars: Grammar) -> Grammar:
        """What any of the grammars accepts."""
        return cls._combine(grammars, lambda roots: Choice(roots), "union")

    @classmethod
    def concat(cls, *grammars: Grammar) -> Grammar:
        """The grammars' texts one after the other."""
        return cls._combine(grammars, lambda roots: Sequence(roots), "concat")

    @classmethod
    def _combine(
        cls, grammars: Iterable[Grammar], join: Callable[[tuple[Expression, ...]], Expression], format: str
    ) -> Grammar:
        rename = import_module("checkrail.grammar.simplify").rename_references
        rules: dict[str, Expression] = {}
        roots: list[Expression] = []
        contract: Contract = "visibly-pushdown"
        for number, grammar in enumerate(grammars, 1):
            names = {name: f"g{number}-{name}" for name in grammar.rules}
            rules.update({names[n]: rename(e, names) for n, e in grammar.rules.items()})
            roots.append(Reference(names[grammar.root]))
            if grammar.contract == "context-free":
                contract = "context-free"
        return cls({"root": join(tuple(roots)), **rules}, contract=contract, format=format)
