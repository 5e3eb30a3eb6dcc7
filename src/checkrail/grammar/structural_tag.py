"""Structural text: prose and structured parts in one output, described as a tree of formats.

    {"type": "triggered_tags", "triggers": ["<call="],
     "tags": [{"type": "tag", "begin": "<call=add>", "content": {"type": "json_schema", "json_schema": {...}},
               "end": "</call>"}]}

The names of the formats and their fields are those of xgrammar's structural tags, so a description written for it or
for the servers that use it can be passed on; where a field is not supported it is refused, with its JSON pointer. In
Python a `Grammar` may stand wherever a format may. docs/how-to/structural-text.md tells what each format means.

The result is an ordinary `Grammar` of the context-free contract; free text is a regular expression (`free_text`). Use
it through `Grammar.from_structural_tag`. Linear in the size of the tag and of the grammars in it, but for tags with
several ends, whose free text is written once for each; the result is bounded by `Limits.expression_nodes`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..errors import BudgetError
from ..limits import DEFAULT_LIMITS, Limits
from .coverage import Coverage
from .grammar import Grammar
from .tag_fields import Fields, refuse
from .tag_formats import TagBuilder
from .traverse import check_size

__all__ = ["structural_tag_to_grammar"]

_NONE: Mapping[str, Any] = MappingProxyType({})


def structural_tag_to_grammar(
    tag: Any, *, json_schema: Mapping[str, Any] = _NONE, limits: Limits = DEFAULT_LIMITS
) -> Grammar:
    """The grammar of the texts that a structural tag describes.

    tag: JSON text or Python data: a format, or `{"type": "structural_tag", "format": ...}`. json_schema: options of
    `Grammar.from_json_schema` for the schemas in it. Raises GrammarError GRAMMAR_TAG with the JSON pointer of what is
    wrong or not supported, SchemaError for a schema, BudgetError beyond the limits, and what the grammars in it raise.
    """
    if isinstance(tag, (str, bytes)):
        tag = _parsed(tag, limits)
    pointer = ""
    if isinstance(tag, Mapping) and tag.get("type") == "structural_tag":
        fields = Fields(tag, "")
        pointer, tag = "/format", fields.required("format")
        fields.end()
    builder = TagBuilder(json_schema, limits)
    root = check_size(builder.format(tag, pointer), limits)
    rules = {"root": root, **builder.rules}
    return Grammar(rules, "root", "context-free", "structural_tag", Coverage(tuple(builder.coverage)))


def _parsed(text: str | bytes, limits: Limits) -> Any:
    if len(text) > limits.grammar_bytes:
        raise BudgetError("GRAMMAR_BUDGET_BYTES", reached=len(text), limit=limits.grammar_bytes)
    try:
        return json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise refuse("", f"not valid JSON ({str(error)[:100]})") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found
