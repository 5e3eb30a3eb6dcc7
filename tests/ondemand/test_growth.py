"""What texts add to an automaton on demand does not add up: a constraint may be used for ever."""

from __future__ import annotations

import json
import random

import checkrail
from checkrail.grammar.expression import ANY_CHARACTER, Intersection, Literal, Repeat, Sequence
from checkrail.json_schema.algebra.texts import Texts
from checkrail.limits import Limits
from checkrail.ondemand.scalars import string_language

VOCABULARY = checkrail.Vocabulary.from_bytes([*(bytes([b]) for b in range(128)), None], eos=128)
NAMES = "abcdefghij"


def test_texts_in_all_orders_and_lengths() -> None:
    """Each order of ten members is another path of states, and each length of a string too."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "maxLength": 300} for name in NAMES},
        "additionalProperties": False,
    }
    limits = Limits(states=1_500)
    grammar = checkrail.Grammar.from_json_schema(schema, profile="open", limits=limits)
    constraint = checkrail.compile(grammar, VOCABULARY, limits=limits)
    chance = random.Random(1)
    sources = set()
    kept = constraint.matcher()
    for _ in range(60):
        matcher = constraint.matcher()
        members = [f'"{name}":"{"x" * chance.randrange(20)}"' for name in chance.sample(NAMES, len(NAMES))]
        assert matcher.accept_bytes(f"{{{','.join(members)}}}".encode())
        assert matcher.is_completed()
        sources.add(constraint.engine.source)
        assert max(constraint.memory.values()) < 4_000_000
    assert len(sources) > 3
    assert kept.accept_bytes(b'{"j":"')  # a text goes on with the source that it began with


def test_a_language_that_is_used_for_long_is_made_anew() -> None:
    limits = Limits(states=400)
    shape = Sequence((Literal("a"), Repeat(ANY_CHARACTER, 0, 100_000)))
    first = string_language(Texts(None, shape), limits)
    assert first is not None
    state = 0
    for byte in b'"' + b"a" * 34:
        state = first.row(state)[first.class_map[byte]]
    assert 200 < len(first) < 400
    again = string_language(Texts(None, shape), limits)
    assert again is not first
    assert string_language(Texts(None, shape), limits) is again
    assert first.row(state)[first.class_map[ord("b")]] >= 0  # whoever uses it goes on


def test_a_bounded_language_is_made_anew_with_what_it_counts_beside() -> None:
    limits = Limits(states=400)
    pattern = Sequence((Repeat(Literal("ab"), 0, 1_000), Literal("c")))
    bounded = Texts(None, Intersection((pattern, Repeat(ANY_CHARACTER, 0, 1_500))))
    first, inner = string_language(bounded, limits), string_language(Texts(None, pattern), limits)
    assert first is not None
    assert inner is not None
    state = 0
    for byte in b'"' + b"ab" * 130:
        state = inner.row(state)[inner.class_map[byte]]
    assert 200 < len(inner) < 400
    assert len(first) < 10
    again = string_language(bounded, limits)
    assert again is not first
    assert again is string_language(bounded, limits)


def test_many_alternatives_in_one_text() -> None:
    """A hundred kinds of objects with the same names, all of them in one array: each kind is another way to end."""
    kinds = [
        {
            "type": "object",
            "properties": {"type": {"const": f"t{i}"}, "value": {"const": i}},
            "required": ["type", "value"],
            "additionalProperties": False,
        }
        for i in range(100)
    ]
    grammar = checkrail.Grammar.from_json_schema({"type": "array", "items": {"anyOf": kinds}}, profile="open")
    matcher = checkrail.compile(grammar, VOCABULARY).matcher()
    assert matcher.accept_bytes(json.dumps([{"type": f"t{i}", "value": i} for i in range(100)]).encode())
    assert matcher.is_completed()
    matcher = checkrail.compile(grammar, VOCABULARY).matcher()
    assert matcher.accept_bytes(json.dumps([{"value": i, "type": f"t{i}"} for i in range(100)]).encode())
    assert not matcher.accept_bytes(b', {"value":1,"type":"t2"}')
