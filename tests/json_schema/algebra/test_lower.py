"""Rules: named after their places, equal sets once, recursion among rules."""

from __future__ import annotations

import pytest

import checkrail
from checkrail.errors import BudgetError
from checkrail.grammar.expression import Reference
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.traverse import walk
from checkrail.json_schema import json_schema_to_grammar
from checkrail.limits import Limits

BYTES = checkrail.Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), None], eos=256)


def rules(schema, **options):
    return json_schema_to_grammar(schema, profile="open", **options)


def test_rules_are_named_after_their_places_and_know_where_they_came_from():
    grammar = rules({"properties": {"line items": {"type": "array", "items": {"type": "null"}}}, "type": "object"})
    assert "line-items" in grammar.rules
    assert grammar.origins["line-items"] == "/properties/line items"
    assert grammar.root == "root"


def test_equal_sets_are_one_rule_whatever_terms_they_come_from():
    point = {"type": "object", "properties": {"x": {"type": "number"}}}
    grammar = rules({"type": "object", "properties": {"p": point, "q": {"allOf": [point, {}]}, "r": {**point}}})
    found = {part.rule for rule in grammar.rules.values() for part in _references(rule) if part.rule in "pqr"}
    assert len(found) == 1


def _references(expression):
    return [node for node in walk(expression) if isinstance(node, Reference)]


def test_free_values_use_the_ready_made_rules():
    grammar = rules({"type": ["object", "array", "string", "number", "integer"]})
    names = {node.rule for node in _references(grammar.rules["root"])}
    assert names == {"string", "number", "json-object", "json-array"}


def test_the_number_of_rules_is_bounded():
    """Beyond it a schema still has masks, and a name: only what asks for the rules does not get them."""
    schema = {"type": "object", "properties": {f"k{i}": {"type": "array", "maxItems": i} for i in range(20)}}
    limits = Limits(rules=10)
    grammar = Grammar.from_json_schema(schema, profile="open", limits=limits)
    constraint = checkrail.compile(grammar, BYTES, limits=limits)
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b'{"k2": [1, 2]}')
    assert matcher.is_completed()
    assert not constraint.matcher().accept_bytes(b'{"k2": [1, 2, 3')
    assert not constraint.is_whole
    assert len(constraint.sha256) == 64
    assert {entry.pointer for entry in grammar.coverage} == {"", *(f"/properties/k{i}" for i in range(20))}
    for ask in (lambda: grammar.rules["root"], lambda: constraint.report, lambda: constraint.matcher(token_budget=9)):
        with pytest.raises(BudgetError) as caught:
            ask()
        assert caught.value.code == "GRAMMAR_BUDGET_RULES"


def test_what_the_rules_alone_cannot_hold_leaves_the_coverage():
    """Whatever the bound is that rules meet: masks and the coverage need none."""
    schema = {"allOf": [{"multipleOf": 6.75}, {"multipleOf": 19}, {"multipleOf": 9.5}, {"multipleOf": 2.125}]}
    grammar = Grammar.from_json_schema(schema, profile="open")
    divided = [(entry.pointer, entry.column) for entry in grammar.coverage if entry.keyword == "multipleOf"]
    assert divided == [(f"/allOf/{n}", "mask") for n in range(4)]
    constraint = checkrail.compile(grammar, BYTES)
    assert not constraint.is_whole
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b"8721")  # 19 * 27 * 17, the least that all four divide
    assert matcher.is_completed()
    assert matcher.accept_bytes(b"0")
    assert matcher.is_completed()
    assert matcher.accept_bytes(b"1")
    assert not matcher.is_completed()
    with pytest.raises(BudgetError) as caught:
        grammar.rules["root"]
    assert caught.value.code == "SCHEMA_BUDGET"
    assert caught.value.pointer == ""
