"""Strings that are texts of a grammar: the keyword `x-grammar`.

    {"type": "string", "x-grammar": "calc/1"}              an expression of the calculator
    {"type": "string", "x-grammar": "calc-equation/1"}     an expression, and the calculator's value for it

The grammar is the GBNF that `checkrail/examples/grammars` ships, put between the quotes of a JSON string. It may be
recursive, which `pattern` cannot be, and therefore stands alone: no other keyword can narrow it. Where it allows any
blanks the mask allows one space, and its groups count as levels of nesting, so that a model cannot loop on either. That
the value of an equation is the right one no grammar says: it is checked, or forced (see `slots`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from ..grammar.expression import Expression, Literal, Nest, Reference, Repeat
from ..grammar.gbnf import parse_gbnf
from ..grammar.traverse import transform
from .names import Names

__all__ = ["TEXT_GRAMMARS", "text_rules"]

TEXT_GRAMMARS: Mapping[str, str] = {"calc/1": "calc", "calc-equation/1": "calc-equation"}
"""Name -> file and prefix of its rules."""


@lru_cache
def _rules(stem: str) -> Mapping[str, Expression]:
    text = files("checkrail").joinpath("examples", "grammars", f"{stem}.gbnf").read_text("utf-8")
    rules = parse_gbnf(text).rules
    return {**rules, "group": Nest(rules["group"]), "blanks": Repeat(Literal(" "), 0, 1)}


def text_rules(name: str, names: Names) -> dict[str, Expression]:
    """The rules of a grammar in `TEXT_GRAMMARS` under fresh names; the first is its root."""
    stem = TEXT_GRAMMARS[name]
    rules = _rules(stem)
    fresh = {rule: names.fresh(f"{stem}-{rule}") for rule in rules}

    def rename(node: Expression) -> Expression:
        return Reference(fresh[node.rule]) if isinstance(node, Reference) else node

    return {fresh[rule]: transform(expression, rename) for rule, expression in rules.items()}
