"""Masks over an automaton that is made on demand, against trying every token."""

from __future__ import annotations

import json
import random
from array import array
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checkrail
from checkrail.mask.kernel import Kernel, load_compiled, load_interpreted
from open_schemas import SCHEMAS

PIECES = [
    b'{"',
    b'":',
    b'": ',
    b'", "',
    b'"}',
    b"},",
    b'{"a',
    b'a":',
    b'"name"',
    b"ame",
    b"na",
    b"nan",
    b'o"',
    b'"n',
    b"[1",
    b"],",
    b"null",
    b"nul",
    b"true",
    b"1.",
    b"-1",
    b"12",
    b"  ",
    b"\n ",
    b'"x-',
    b"x-y",
    b"ab",
    b'"a"',
    b'b"]',
    b"\xc3",
    b"\xa9",
    b"\xc3\xa9",
    b"\\u00",
    b'\\"',
    b'e"',
    b'"kind',
    b'": "a"',
    b'"v": ',
    b'"z": "b", "t"',
    b'"p": {',
    b'}, "q',
    b"2}",
]
TOKENS = [bytes([b]) for b in range(256)] + PIECES + [b"{", None]
KERNELS = [kernel for kernel in (load_compiled(), load_interpreted()) if kernel is not None]


@pytest.fixture(scope="module")
def vocabulary() -> checkrail.Vocabulary:
    return checkrail.Vocabulary.from_bytes(TOKENS, eos=[len(TOKENS) - 1])


def constraint(schema: Any, vocabulary: checkrail.Vocabulary, kernel: Kernel, **options: Any) -> checkrail.Constraint:
    grammar = checkrail.Grammar.from_json_schema(json.dumps(schema), profile="open", **options)
    return checkrail.compile(grammar, vocabulary, kernel=kernel)


def mask_of(matcher: checkrail.Matcher) -> set[int]:
    row = array("I", [0]) * ((len(TOKENS) + 31) // 32)
    matcher.fill_next_token_bitmask(row)
    return {t for t in range(len(TOKENS)) if row[t >> 5] >> (t & 31) & 1}


def walk(matcher: checkrail.Matcher, chance: random.Random, steps: int) -> int:
    """A random text; at each place the mask is what can be accepted. The number of places."""
    for place in range(steps):
        allowed = mask_of(matcher)
        tried = set()
        for token in range(len(TOKENS)):
            if matcher.accept_token(token):
                tried.add(token)
                matcher.rollback()
        assert allowed == tried
        assert allowed, "a dead end"
        wanted = [t for t in allowed if t >= 256 and t < len(TOKENS) - 1] if chance.random() < 0.7 else []
        matcher.accept_token(chance.choice(sorted(wanted or allowed)))
        if matcher.is_terminated():
            return place
    return steps


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.mode)
@pytest.mark.parametrize("name", SCHEMAS)
def test_the_mask_is_what_can_be_accepted(name: str, kernel: Kernel, vocabulary: checkrail.Vocabulary) -> None:
    for order in ("declared", "any"):
        made = constraint(SCHEMAS[name], vocabulary, kernel, property_order=order, whitespace=2)
        chance = random.Random(5)
        places = sum(walk(made.matcher(), chance, 25) for _ in range(6))
        assert places > 5


@settings(deadline=None, max_examples=40)
@given(
    names=st.lists(st.text('abnx-é"\\', min_size=1, max_size=4), min_size=1, max_size=6, unique=True),
    required=st.integers(0, 63),
    others=st.sampled_from([False, True, {"type": "null"}]),
    pattern=st.sampled_from([None, "^a", "n$", "x-"]),
    seed=st.integers(0, 1000),
)
def test_names_among_other_keys(
    names: list[str], required: int, others: Any, pattern: str | None, seed: int, vocabulary: checkrail.Vocabulary
) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"const": i} for i, name in enumerate(names)},
        "required": [name for i, name in enumerate(names) if required >> i & 1],
        "additionalProperties": others,
    }
    if pattern is not None:
        schema["patternProperties"] = {pattern: True}
    made = constraint(schema, vocabulary, KERNELS[0])
    chance = random.Random(seed)
    for _ in range(3):
        walk(made.matcher(), chance, 30)
