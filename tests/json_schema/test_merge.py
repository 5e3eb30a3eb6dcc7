"""Equal rules become one."""

from __future__ import annotations

from checkrail.grammar.expression import Literal, Reference
from checkrail.json_schema import json_schema_to_grammar
from checkrail.json_schema.combine import alt, seq
from checkrail.json_schema.merge import merge_equal_rules


def test_equal_chains_become_one():
    rules = {
        "root": seq(Reference("a1"), Reference("b1"), Reference("c1")),
        "a1": seq("x", Reference("a2")),
        "a2": Literal("y"),
        "b1": seq("x", Reference("b2")),
        "b2": Literal("y"),
        "c1": seq("z", Reference("b2")),
        "unused": Literal("u"),
    }
    assert merge_equal_rules(rules, "root") == {
        "root": seq(Reference("a1"), Reference("a1"), Reference("c1")),
        "a1": seq("x", Reference("a2")),
        "a2": Literal("y"),
        "c1": seq("z", Reference("a2")),
    }


def test_recursive_rules_survive():
    rules = {
        "root": alt("a", seq("(", Reference("root"), ")", Reference("x"))),
        "x": alt("b", seq("[", Reference("root"), "]")),
    }
    assert merge_equal_rules(rules, "root") == rules


def test_the_root_keeps_its_name():
    rules = {"root": alt(Literal("y"), Reference("a")), "a": Literal("y")}
    assert set(merge_equal_rules(rules, "root")) == {"root", "a"}
    equal = {
        "root": seq("(", Reference("leaf"), ")"),
        "leaf": alt("l", seq("[", Reference("twin"), "]")),
        "twin": seq("(", Reference("leaf"), ")"),
    }
    assert "root" in merge_equal_rules(equal, "root")


def test_a_schema_that_is_written_twice_is_one_rule(accepts):
    point = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}}
    titled = {**point, "title": "Another"}
    grammar = json_schema_to_grammar(
        {"type": "object", "properties": {"from": point, "to": titled}, "required": ["to"]}
    )
    nests = [name for name in grammar.rules if grammar.origins.get(name, "").startswith("/properties")]
    assert len({name for name in nests if "from-" not in name}) == 1
    assert accepts(grammar, '{"from":{"x":1},"to":{"y":2}}')
