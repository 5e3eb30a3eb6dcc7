"""Schemas inside other grammars: bounds in the mask, nothing left to a check that does not come."""

from __future__ import annotations

import pytest

from checkrail.errors import SchemaError
from checkrail.grammar.embedded_schema import embedded_grammar, embedded_rules
from checkrail.grammar.expression import Reference
from checkrail.grammar.traverse import walk
from checkrail.limits import DEFAULT_LIMITS

UNIQUE = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}


def test_bounds_are_in_the_mask() -> None:
    grammar = embedded_grammar({"type": "integer", "minimum": 3}, {}, DEFAULT_LIMITS)
    assert {entry.keyword: entry.column for entry in grammar.coverage}["minimum"] == "mask"


def test_what_is_only_checked_is_refused_unless_asked_for() -> None:
    with pytest.raises(SchemaError) as caught:
        embedded_grammar({"type": "object", "properties": {"a": UNIQUE}, "required": ["a"]}, {}, DEFAULT_LIMITS)
    assert caught.value.code == "SCHEMA_KEYWORD_UNSUPPORTED"
    assert caught.value.pointer == "/properties/a"
    grammar = embedded_grammar(UNIQUE, {"unsupported": "report"}, DEFAULT_LIMITS)
    assert len(grammar.coverage.column("checked")) == 1


def test_rules_get_a_prefix() -> None:
    grammar = embedded_grammar({"type": "array", "items": {"$ref": "#"}}, {}, DEFAULT_LIMITS)
    found = embedded_rules(grammar, "p-")
    assert found.root == "p-root"
    assert all(name.startswith("p-") for name in found.rules)
    used = {node.rule for body in found.rules.values() for node in walk(body) if isinstance(node, Reference)}
    assert used <= found.rules.keys()
    assert found.coverage == grammar.coverage.entries
