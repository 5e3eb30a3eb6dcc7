"""The automaton made on demand and the static one say the same about every byte after every text."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from checkrail.automaton.compiler import compile_automaton
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask.configuration import Stepper
from checkrail.ondemand import OnDemand
from open_schemas import SCHEMAS


def compare(
    schema: Any,
    runner: Any,
    *,
    walks: int,
    seed: int,
    whitespace: Any = 2,
    nesting: int = 4,
    order: str = "declared",
) -> int:
    """Random texts, byte by byte; the number of places compared."""
    limits = Limits(nesting=nesting)
    grammar = Grammar.from_json_schema(
        json.dumps(schema), profile="open", property_order=order, whitespace=whitespace, limits=limits
    )
    automaton = compile_automaton(grammar, limits=limits)
    stepper = Stepper(automaton, limits)
    tables = runner(OnDemand(grammar.schema, limits))
    chance = random.Random(seed)
    places = 0
    for _ in range(walks):
        static, here = stepper.start, tables.start
        text = bytearray()
        for _ in range(60):
            places += 1
            following = {b: s for b in range(256) if (s := stepper.step(static, b)) is not None}
            assert tables.next_bytes(here) == bytes(following), bytes(text)
            assert tables.accepts(here) == static.accepting, bytes(text)
            if not following:
                break
            wanted = [b for b in following if chr(b) in ' "{}[]:,\\'] if chance.random() < 0.4 else []
            byte = chance.choice(wanted or list(following))
            text.append(byte)
            static, here = following[byte], tables.step(here, byte)
    return places


@pytest.mark.parametrize("order", ["declared", "any"])
@pytest.mark.parametrize("name", SCHEMAS)
def test_equal_to_the_static_automaton(name: str, order: str, runner: Any) -> None:
    if (name, order) == ("key names", "any"):
        pytest.skip("the static automaton keeps an only member before the other keys, whatever the order")
    assert compare(SCHEMAS[name], runner, walks=25, seed=1, order=order) > 30


@pytest.mark.parametrize("whitespace", ["compact", "json.dumps", 0, 8])
def test_whitespace(whitespace: Any, runner: Any) -> None:
    for name in ("closed object", "open object", "arrays", "late tag"):
        compare(SCHEMAS[name], runner, walks=8, seed=2, whitespace=whitespace)


def test_depth(runner: Any) -> None:
    for nesting in (1, 2, 3):
        for name in ("recursive", "deep", "any"):
            compare(SCHEMAS[name], runner, walks=25, seed=3, nesting=nesting)


def kinds(*others: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """A recursive schema: a node is one of these, or a list of nodes, which must not be empty."""
    node = {"properties": {"k": {"const": "n"}, "c": {"$ref": "#"}}, "required": ["k", "c"], **rest}
    return {"anyOf": [{"type": "object", **node}, *({"type": "object", **other} for other in others)]}


LEAF = {"properties": {"k": {"const": "l"}, "v": {"type": "null"}}, "required": ["k", "v"]}
CLOSED = {"additionalProperties": False}
# Whether there is room for all of an alternative shows only once the text has left no other: what needs more levels
# than there are must not be begun.
ALTERNATIVES: dict[str, Any] = {
    "tagged": kinds(LEAF | CLOSED, **CLOSED),
    "tagged, open": kinds(LEAF),
    "two deep ones": kinds(
        LEAF | CLOSED,
        {
            "properties": {
                "k": {"const": "m"},
                "c": {
                    "type": "array",
                    "items": {"type": "array", "items": {"$ref": "#"}, "minItems": 1},
                    "minItems": 1,
                },
            },
            "required": ["k", "c"],
        }
        | CLOSED,
        **CLOSED,
    ),
    "counted": kinds(LEAF | {"minProperties": 2, "maxProperties": 3}, maxProperties=2),
    "arrays": {
        "anyOf": [
            {"type": "array", "prefixItems": [{"const": 0}], "minItems": 1, "maxItems": 1},
            {"type": "array", "prefixItems": [{"enum": [0, 1]}, {"$ref": "#"}], "minItems": 2, "maxItems": 2},
        ]
    },
    "arrays that must hold a deep one": {
        "type": "array",
        "items": {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
        "maxItems": 2,
        "anyOf": [{"contains": {"type": "array"}}, {"maxItems": 0}],
    },
    "values of one member": {
        "properties": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}},
        "anyOf": [{"properties": {"a": {"type": "object"}}, "required": ["a"]}, {"required": ["b"]}],
        "type": "object",
    },
    "other keys": {
        "type": "object",
        "properties": {"a": {"$ref": "#"}},
        "patternProperties": {"^x": {"type": "array", "items": {"$ref": "#"}, "minItems": 1}, "^y": {"type": "null"}},
        "additionalProperties": False,
    },
    "other keys of alternatives": kinds(
        {"properties": {"k": {"const": "o"}}, "patternProperties": {"^x": {"$ref": "#"}}, "required": ["k"]} | CLOSED,
        {"properties": {"k": {"const": "p"}}, "patternProperties": {"^xy": {"type": "null"}}} | CLOSED,
        **CLOSED,
    ),
}


@pytest.mark.parametrize("nesting", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ALTERNATIVES)
def test_room_of_alternatives(name: str, nesting: int, runner: Any) -> None:
    compare(ALTERNATIVES[name], runner, walks=60, seed=4, nesting=nesting, whitespace="compact")
