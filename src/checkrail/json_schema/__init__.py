"""JSON Schema as a grammar. `json_schema_to_grammar` is the entry; `Grammar.from_json_schema` calls it."""

from .registry import bundle_schema
from .to_grammar import json_schema_to_grammar

__all__ = ["bundle_schema", "json_schema_to_grammar"]
