"""A JSON schema inside another grammar: `%json` in Lark, `json_schema` in a structural tag.

A schema on its own may leave a keyword to the check after generation. The text of a larger grammar has no such check,
so here such a keyword is refused, unless the caller asks for a report (`unsupported="report"`); numeric bounds are in
the mask. What became of each keyword is in the coverage of the larger grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import SchemaError
from ..limits import Limits
from .coverage import CoverageEntry
from .expression import Expression
from .grammar import Grammar
from .simplify import rename_references

__all__ = ["EmbeddedRules", "embedded_grammar", "embedded_rules"]


@dataclass(frozen=True, slots=True)
class EmbeddedRules:
    """A grammar's rules under new names. root: the new name of its root."""

    root: str
    rules: Mapping[str, Expression]
    coverage: tuple[CoverageEntry, ...]


def embedded_grammar(schema: Any, options: Mapping[str, Any], limits: Limits) -> Grammar:
    """The grammar of a schema. options: of `Grammar.from_json_schema`. Raises SchemaError, BudgetError, InputError."""
    grammar = Grammar.from_json_schema(schema, **{"enforce_bounds": True, "limits": limits, **options})
    if options.get("unsupported") != "report":
        for entry in grammar.coverage.column("checked"):
            what = "only a check after generation enforces it in full, and there is none here; leave it out, or pass "
            raise SchemaError(
                "SCHEMA_KEYWORD_UNSUPPORTED",
                pointer=entry.pointer,
                keyword=entry.keyword,
                what=what + 'unsupported="report"',
            )
    return grammar


def embedded_rules(grammar: Grammar, prefix: str) -> EmbeddedRules:
    """The rules of a grammar with a prefix before each name."""
    names = {name: prefix + name for name in grammar.rules}
    rules = {names[name]: rename_references(body, names) for name, body in grammar.rules.items()}
    return EmbeddedRules(names[grammar.root], rules, grammar.coverage.entries)
