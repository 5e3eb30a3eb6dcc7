"""Checkrail's adapter: the calls that its users make.

options: `profile` and `whitespace` of `Grammar.from_json_schema`; empty ones take the library's default.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import checkrail

from .engine import Engine

__all__ = ["Checkrail", "CheckrailEarley"]


class Checkrail(Engine):
    """This project, with the engine that it chooses itself."""

    engine: ClassVar[Literal["earley"] | None] = None

    def prepare(self) -> None:
        self._vocabulary = checkrail.Vocabulary.from_bytes(
            self.table.without_special(), eos=[self.table.end], logits_width=len(self.table)
        )
        self._rows = self.bits.reshape(1, -1)
        self._schema_options: dict[str, Any] = {k: v for k, v in self.options.items() if v}
        if (blanks := self.options.get("whitespace", "")).isdigit():
            self._schema_options["whitespace"] = int(blanks)
        self.compile_schema('{"type":"object"}')

    def _limits(self) -> checkrail.Limits:
        return checkrail.Limits(nesting=self.nesting) if self.nesting else checkrail.Limits()

    def compile_schema(self, schema: str) -> None:
        limits = self._limits()
        grammar = checkrail.Grammar.from_json_schema(schema, limits=limits, **self._schema_options)
        self._compile(grammar, limits)

    def compile_regex(self, pattern: str) -> None:
        limits = self._limits()
        grammar = checkrail.Grammar.from_regex(pattern, limits=limits)
        self._compile(grammar, limits)

    def compile_lark(self, grammar: str) -> None:
        limits = self._limits()
        self._compile(checkrail.Grammar.from_lark(grammar, limits=limits), limits)

    def _compile(self, grammar: checkrail.Grammar, limits: checkrail.Limits) -> None:
        self._constraint = checkrail.compile(grammar, self._vocabulary, engine=self.engine, limits=limits)

    def start(self) -> None:
        self._matcher = self._constraint.matcher()

    def mask(self) -> None:
        self._matcher.fill_next_token_bitmask(self._rows, 0)

    def commit(self, token: int) -> bool:
        return self._matcher.accept_token(token)

    def left_to_check(self) -> int:
        return len(self._constraint.grammar.coverage.column("checked"))


class CheckrailEarley(Checkrail):
    """The same with its second engine."""

    engine = "earley"
