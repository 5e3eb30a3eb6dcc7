"""Grammars out of data: equal trees and digests, and a reason for each refusal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from checkrail.errors import InputError
from checkrail.grammar import expression
from checkrail.grammar.expression import Choice, Expression, Literal, Multiple, Nest, Repeat, Sequence, TokenReference
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.stored import from_data, to_data
from checkrail.grammar.traverse import walk
from checkrail.limits import DEFAULT_LIMITS
from strategies import algebra, grammars

EVERYTHING = Grammar(
    {
        "root": Sequence((Nest(Literal("é")), Multiple(5, 1), TokenReference("<x>", True), TokenReference(7))),
        "x": Choice((Repeat(Literal(""), 0, None), Repeat(Choice(()), 2, 3))),
    },
    origins={"x": "/properties/x"},
)


def same(grammar: Grammar) -> None:
    again = from_data(to_data(grammar), DEFAULT_LIMITS)
    assert (again, again.sha256, again.origins) == (grammar, grammar.sha256, grammar.origins)
    assert list(again.rules) == list(grammar.rules)


@given(grammars())
@settings(max_examples=100)
def test_any_grammar_reads_back(grammar: Grammar) -> None:
    same(grammar)


@given(algebra)
@settings(max_examples=60)
def test_any_algebra_reads_back(node: Expression) -> None:
    same(Grammar({"root": node}))


def test_every_kind_of_node_is_covered() -> None:
    same(EVERYTHING)
    same(Grammar.from_json_schema({"type": "object", "properties": {"a": {"type": "string", "pattern": "^a+$"}}}))
    kinds = {getattr(expression, name) for name in expression.__all__ if isinstance(getattr(expression, name), type)}
    seen = {type(node) for rule in EVERYTHING.rules.values() for node in walk(rule)}
    drawn_above = {"CharacterClass", "Complement", "Intersection", "JsonString", "Reference", "Expression"}
    assert {kind.__name__ for kind in kinds - seen} == drawn_above, "a new kind of node must be stored, too"


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], "a rule is not one expression"),
        ([["literal", "a"], ["literal", "b"]], "a rule is not one expression"),
        ([["literal", "\ud800"]], "a node of a rule is unknown"),
        ([["literal"]], "a node of a rule is unknown"),
        ([["sequence", 1]], "a node has too few parts"),
        ([["sequence", -1]], "a node has too few parts"),
        ([["sequence", True]], "the number of parts is not of type int"),
        ([["nest"]], "a node has too few parts"),
        ([["literal", "a"], ["repeat", 3, 2]], "a repetition is out of order"),
        ([["class", [[5, 1]]]], "a character class is out of range"),
        ([["class", [[1, 5], [2, 3]]]], "not in normal form"),
        ([["class", [[1]]]], "a character class has no ranges"),
        ([["multiple", 0, 1]], "a multiple is out of range"),
        ([["token", True, False]], "a node of a rule is unknown"),
        ([["literal", "a"], *[["nest"]] * 1_000], "Nested deeper"),
        ("x", "a rule is not of type list"),
    ],
)
def test_each_refusal_says_why(nodes: Any, message: str) -> None:
    data = {**to_data(EVERYTHING), "rules": [["root", nodes]]}
    with pytest.raises(InputError, match=message) as caught:
        from_data(data, DEFAULT_LIMITS)
    assert caught.value.code == "CONSTRAINT_FORMAT"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("root", "none", "Rule none is not defined"),
        ("root", 1, "the root is not of type str"),
        ("contract", "x", "the contract is unknown"),
        ("contract", [], "the contract is unknown"),
        ("coverage", [["", "type", "ignored", ""]], "a coverage column is unknown"),
        ("coverage", [[""]], "not four texts"),
        ("rules", [["root", [["sequence", 0]]]] * 2, "occurs twice"),
        ("rules", [["root"]], "are not pairs"),
        ("origins", [["x", 1]], "an origin is not of type str"),
    ],
)
def test_each_field_is_checked(field: str, value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_data({**to_data(EVERYTHING), field: value}, DEFAULT_LIMITS)
