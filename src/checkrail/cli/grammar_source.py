"""Reading a grammar from the command line: a GBNF, Lark or schema file, or one of them written out in the argument.

The name decides (`.gbnf`, `.lark`, `.json`), then the content: `{` begins a schema, `::=` makes a GBNF grammar, a rule
`start:` a Lark grammar. Shared by `check`, `explain` and `mask`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from .target import read_text

if TYPE_CHECKING:
    from ..decoding.constraint import Constraint, EngineName
    from ..grammar.grammar import Contract, Grammar
    from ..vocabulary.vocabulary import Vocabulary

__all__ = [
    "Format",
    "GrammarSource",
    "byte_vocabulary",
    "compiled",
    "engine_option",
    "profile_option",
    "read_vocabulary",
]

Format = Literal["gbnf", "lark", "json_schema", "regex"]
_SUFFIXES: dict[str, Format] = {".gbnf": "gbnf", ".lark": "lark", ".json": "json_schema", ".regex": "regex"}
_LARK_START = re.compile(r"^[?!]*start[ \t]*(\.-?[0-9]+[ \t]*)?:(?!:=)", re.MULTILINE)


profile_option = click.option(
    "--profile",
    type=click.Choice(["strict", "open"]),
    default="strict",
    show_default=True,
    help="How schemas are read.",
)

engine_option = click.option(
    "--engine",
    type=click.Choice(["automaton", "earley"]),
    help="What computes masks [default: automaton where its contract accepts the grammar].",
)


@dataclass(frozen=True, slots=True)
class GrammarSource:
    """A grammar as text. name: the file's, or "argument". profile: how a schema is read."""

    name: str
    text: str
    format: Format
    profile: str = "strict"

    @classmethod
    def read(cls, source: str, format: Format | None = None, profile: str = "strict") -> GrammarSource:
        """Read an argument. Raises InputError for a file, UsageError where the format cannot be told."""
        written_out = _written_out(source)
        if format is None and written_out is not None:
            return cls("argument", source, written_out, profile)
        if format is not None and source != "-" and not Path(source).is_file():
            return cls("argument", source, format, profile)
        found = format or _SUFFIXES.get(Path(source).suffix.lower())
        text = read_text(source)
        found = found or _written_out(text)
        if found is None:
            raise click.UsageError(f"What kind of grammar is {source}? Say --as gbnf, lark, json_schema or regex.")
        return cls(source, text.rstrip("\r\n") if found == "regex" else text, found, profile)

    def grammar(self) -> Grammar:
        """Parse it. Raises GrammarError, SchemaError."""
        from ..grammar.grammar import Grammar

        options = {"profile": self.profile} if self.format == "json_schema" else {}
        return Grammar.parse(self.format, self.text, **options)


def _written_out(text: str) -> Format | None:
    if text.lstrip().startswith("{") or text.strip() in ("true", "false"):
        return "json_schema"
    if "::=" in text:
        return "gbnf"
    return "lark" if _LARK_START.search(text) else None


def compiled(
    grammar: Grammar,
    vocabulary: Vocabulary | None,
    contract: Contract | None = None,
    engine: EngineName | None = None,
) -> Constraint:
    """The constraint; over single bytes where no vocabulary is given."""
    from ..decoding.constraint import compile

    return compile(grammar, vocabulary or byte_vocabulary(), contract=contract, engine=engine)


def byte_vocabulary() -> Vocabulary:
    """One token for each byte: what grammars are looked at with when no tokenizer is named."""
    from ..vocabulary.vocabulary import Vocabulary

    return Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)


def read_vocabulary(source: str) -> Vocabulary:
    """A tokenizer file, or that of the embedded model for `default`."""
    from ..models import catalog
    from ..vocabulary.vocabulary import Vocabulary

    entry = catalog.find(source)
    return Vocabulary.from_file(source if entry is None else catalog.verify(entry.name))
