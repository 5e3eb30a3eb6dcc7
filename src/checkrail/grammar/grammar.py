"""`Grammar`: rules by name, a root, and where they came from. Immutable; the input of the compiler.

The rules of a grammar may be deferred: where a front end has read its input and another form of it is enough for the
compiler, they are made when somebody asks for them.

Front ends are named in a table and imported when first used, so that reading a regex does not load the JSON
Schema compiler, and so that this layer does not depend on the ones above it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from threading import Lock
from types import MappingProxyType
from typing import Any, Literal

from ..errors import GrammarError, InputError, Position
from ..watch import Watch
from .coverage import Coverage
from .expression import Choice, Expression, Reference, Sequence
from .expression import Literal as LiteralText

__all__ = ["Contract", "Grammar", "NoRules"]

Contract = Literal["visibly-pushdown", "context-free"]

_NO_COVERAGE = Coverage()
_NONE: Mapping[str, Any] = MappingProxyType({})

# format -> (module, function); the function takes the text and keyword options and returns a Grammar
_FRONT_ENDS: Mapping[str, tuple[str, str]] = {
    "gbnf": ("checkrail.grammar.gbnf", "parse_gbnf"),
    "lark": ("checkrail.grammar.lark", "parse_lark_grammar"),
    "regex": ("checkrail.grammar.regex", "parse_regex_grammar"),
    "structural_tag": ("checkrail.grammar.structural_tag", "structural_tag_to_grammar"),
    "json_schema": ("checkrail.json_schema.to_grammar", "json_schema_to_grammar"),
}


@lru_cache(maxsize=len(_FRONT_ENDS))
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
class _Content:
    """The parts of a grammar that may be made late."""

    rules: Mapping[str, Expression]
    coverage: Coverage
    positions: Mapping[str, Position]
    origins: Mapping[str, str]


class NoRules(Mapping[str, Expression]):
    """The rules of a grammar that has none: a compiler does without them, and asking for one raises.

    make_error: the reason. digest: of what the grammar was made from.
    """

    __slots__ = ("_make_error", "digest")

    def __init__(self, make_error: Callable[[], Exception], digest: str) -> None:
        self._make_error = make_error
        self.digest = digest

    def __getitem__(self, name: str) -> Expression:
        raise self._make_error()

    def __iter__(self) -> Iterator[str]:
        raise self._make_error()

    def __len__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoRules) and self.digest == other.digest

    __hash__ = None  # type: ignore[assignment]  # as for any mapping


class _Deferred:
    """Content that is made when it is first asked for, by one thread."""

    __slots__ = ("_content", "_digest", "_lock", "_make", "_make_digest")

    def __init__(self, make: Callable[[Watch | None], Grammar], make_digest: Callable[[], str]) -> None:
        self._make: Callable[[Watch | None], Grammar] | None = make
        self._make_digest: Callable[[], str] | None = make_digest
        self._content: _Content | None = None
        self._digest = ""
        self._lock = Lock()

    @property
    def digest(self) -> str:
        """A digest of what the content is made from."""
        make = self._make_digest
        if make is not None:
            self._digest = make()
            self._make_digest = None
        return self._digest

    def content(self, watch: Watch | None = None) -> _Content:
        if self._content is None:
            with self._lock:
                if self._make is not None:
                    self._content = self._make(watch)._content
                    self._digest = self.digest
                    self._make = None  # it may hold much that is of no more use; so may what makes the digest
        assert self._content is not None
        return self._content


class Grammar:
    """A context-free grammar over Unicode code points.

    rules: name -> expression, in declaration order. root: the start rule. contract: what the compiler demands
    by default (see docs/explanation/contracts.md). positions: where each rule was declared. origins: rule ->
    JSON pointer of the schema it came from. coverage: what became of each schema keyword. schema: what the front end
    read, for a compiler that can do without rules; None for most. lexical: the same grammar as rules over terminals (a
    `LexicalGrammar`), where the front end read it so; None for most. `str(g)` is GBNF.

    >>> str(Grammar.from_gbnf('root ::= "a" | "b"'))
    'root ::= "a" | "b"\\n'
    """

    __slots__ = ("_made", "contract", "format", "lexical", "root", "schema")

    _made: _Content | _Deferred
    root: str
    contract: Contract
    format: str
    lexical: Any
    schema: Any

    def __init__(
        self,
        rules: Mapping[str, Expression],
        root: str = "root",
        contract: Contract = "visibly-pushdown",
        format: str = "gbnf",
        coverage: Coverage = _NO_COVERAGE,
        positions: Mapping[str, Position] = _NONE,
        origins: Mapping[str, str] = _NONE,
        lexical: Any = None,
    ) -> None:
        if root not in rules:
            raise GrammarError("GRAMMAR_UNDEFINED_RULE", rule=root)
        content = _Content(
            MappingProxyType(dict(rules)),
            coverage,
            MappingProxyType(dict(positions)),
            MappingProxyType(dict(origins)),
        )
        self._set(content, contract, format, root, lexical=lexical)

    @classmethod
    def without_rules(cls, rules: NoRules, *, contract: Contract, format: str, coverage: Coverage) -> Grammar:
        """A grammar that only a compiler which does without rules can take."""
        grammar = cls.__new__(cls)
        grammar._set(_Content(rules, coverage, _NONE, _NONE), contract, format, "root")
        return grammar

    @classmethod
    def deferred(
        cls,
        make: Callable[[Watch | None], Grammar],
        make_digest: Callable[[], str],
        *,
        contract: Contract,
        format: str,
        schema: Any,
    ) -> Grammar:
        """A grammar that is made when its rules, coverage or origins are first asked for; its root is `root`.

        make: returns it in full, on the watch of whoever asks, if there is one; called again only if it raised.
        make_digest: a digest of what it is made from. schema: what the grammar is about, for a compiler that can do
        without rules.
        """
        grammar = cls.__new__(cls)
        grammar._set(_Deferred(make, make_digest), contract, format, "root", schema=schema)
        return grammar

    def _set(
        self,
        made: _Content | _Deferred,
        contract: Contract,
        format: str,
        root: str,
        *,
        lexical: Any = None,
        schema: Any = None,
    ) -> None:
        put = object.__setattr__
        put(self, "_made", made)
        put(self, "contract", contract)
        put(self, "format", format)
        put(self, "lexical", lexical)
        put(self, "root", root)
        put(self, "schema", schema)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a grammar does not change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a grammar does not change: {name}")

    def settle(self, watch: Watch) -> None:
        """Have the grammar made now, if it is deferred."""
        if isinstance(self._made, _Deferred):
            self._made.content(watch)

    @property
    def _content(self) -> _Content:
        return self._made.content() if isinstance(self._made, _Deferred) else self._made

    @property
    def rules(self) -> Mapping[str, Expression]:
        """name -> expression, in declaration order."""
        return self._content.rules

    @property
    def coverage(self) -> Coverage:
        """What became of each schema keyword."""
        return self._content.coverage

    @property
    def positions(self) -> Mapping[str, Position]:
        """Where each rule was declared."""
        return self._content.positions

    @property
    def origins(self) -> Mapping[str, str]:
        """rule -> JSON pointer of the schema it came from."""
        return self._content.origins

    def with_rules(self, rules: Mapping[str, Expression]) -> Grammar:
        """The same grammar with other rules."""
        return Grammar(rules, self.root, self.contract, self.format, self.coverage, self.positions, self.origins)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grammar):
            return NotImplemented
        return self._compared() == other._compared()

    __hash__ = None  # type: ignore[assignment]  # as for any value that holds mappings

    def _compared(self) -> tuple[object, ...]:
        return self.rules, self.root, self.contract, self.format, self.coverage

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
        rules = self.rules
        if isinstance(rules, NoRules):
            parts.append(rules.digest)
        else:
            parts += [f"{name} = {expression!r}" for name, expression in rules.items()]
        parts += [repr(entry) for entry in self.coverage]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def source_sha256(self) -> str:
        """A name that takes no rules: SHA-256 (hex) over what a deferred grammar is made from; of others `sha256`.

        Equal schemas that are read alike have equal names; grammars of different schemas may be equal.
        """
        if not isinstance(self._made, _Deferred):
            return self.sha256
        parts = "source", self.format, self.root, self.contract, self._made.digest
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @classmethod
    def parse(cls, format: str, text: Any, **options: Any) -> Grammar:
        """Read `text` in a named format: "gbnf", "lark", "regex", "json_schema", "structural_tag"."""
        return _front_end(format)(text, **options)

    @classmethod
    def from_gbnf(cls, text: str, *, root: str = "root", **options: Any) -> Grammar:
        """Read llama.cpp's GBNF. Raises GrammarError with line, column and what was expected."""
        return cls.parse("gbnf", text, root=root, **options)

    @classmethod
    def from_lark(cls, text: str, *, start: str = "start", **options: Any) -> Grammar:
        """Read a Lark grammar; see `lark.parse_lark`. Its contract is "context-free".

        >>> Grammar.from_lark('start: start "+" NUMBER | NUMBER\\n%import common.NUMBER').lexical
        <LexicalGrammar start: 1 rules, 2 terminals>
        """
        return cls.parse("lark", text, start=start, **options)

    @classmethod
    def from_regex(cls, pattern: str, *, flavour: str = "ecma", **options: Any) -> Grammar:
        """The texts that match `pattern` as a whole."""
        return cls.parse("regex", pattern, flavour=flavour, **options)

    @classmethod
    def from_json_schema(cls, schema: Any, **options: Any) -> Grammar:
        """The JSON texts that `schema` (text, dict, bool, or a Python type) accepts; see `json_schema.to_grammar`."""
        return cls.parse("json_schema", schema, **options)

    @classmethod
    def from_structural_tag(cls, tag: Any, **options: Any) -> Grammar:
        """Prose and structured parts in one text; see `structural_tag`. `tag` is JSON text or data."""
        return cls.parse("structural_tag", tag, **options)

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
