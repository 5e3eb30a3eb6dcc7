"""The least nesting depth of rules, and schemas that need more than there is."""

from __future__ import annotations

import pytest

from checkrail.grammar.expression import NOTHING, Intersection, Nest, Reference, Repeat
from checkrail.json_schema.combine import alt, seq
from checkrail.json_schema.depth import least_depths
from checkrail.limits import Limits


def test_each_kind_of_node():
    leaf = seq("x")
    rules = {
        "leaf": leaf,
        "one": Nest(seq("(", Reference("leaf"), ")")),
        "two": seq(Reference("one"), Nest(Reference("one"))),
        "choice": alt(Reference("two"), Reference("one")),
        "skip": Repeat(Reference("two"), 0, 3),
        "need": Repeat(Reference("two"), 1, 3),
        "both": Intersection((leaf, leaf)),
        "never": NOTHING,
        "endless": Nest(Reference("endless")),
        "list": alt("x", Nest(Reference("list"))),
        "least": Nest(Reference("list")),
    }
    assert least_depths(rules, 5) == {
        "leaf": 0,
        "one": 1,
        "two": 2,
        "choice": 1,
        "skip": 0,
        "need": 2,
        "both": 0,
        "never": 6,
        "endless": 6,
        "list": 0,
        "least": 1,
    }


def nested(levels: int) -> object:
    schema: object = {"type": "integer"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return schema


def test_data_as_deep_as_the_bound(accepts, refusal):
    assert accepts(nested(16), '{"a":' * 16 + "1" + "}" * 16)
    assert refusal(nested(17)).code == "SCHEMA_CONFLICT"
    assert accepts(nested(17), '{"a":' * 17 + "1" + "}" * 17, nesting=17, limits=Limits(nesting=17))


def test_a_constant_deeper_than_the_bound(refusal):
    value: object = 1
    for _ in range(17):
        value = [value]
    assert refusal({"enum": [1, value]}).code == "SCHEMA_CONFLICT"


@pytest.mark.parametrize("required", [["next"], ["value", "next"]])
def test_recursion_without_an_end(refusal, required):
    node = {
        "type": "object",
        "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
        "required": required,
    }
    error = refusal({"$defs": {"node": node}, "$ref": "#/$defs/node"})
    assert (error.code, error.pointer) == ("SCHEMA_CONFLICT", "/$defs/node")
    # Also where it is optional: a property that can never be written would be dropped in silence.
    error = refusal({"type": "object", "properties": {"n": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}})
    assert (error.code, error.pointer) == ("SCHEMA_CONFLICT", "/$defs/node")


def test_recursion_ends_at_the_bound(accepts):
    schema = {"type": "array", "items": {"$ref": "#"}}
    assert accepts(schema, "[" * 16 + "]" * 16)
    assert not accepts(schema, "[" * 17 + "]" * 17)
