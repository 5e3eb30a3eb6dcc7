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
