"""What texts add to an automaton on demand does not add up: a constraint may be used for ever."""

from __future__ import annotations

import random

import checkrail
from checkrail.grammar.expression import ANY_CHARACTER, Literal, Repeat, Sequence
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
