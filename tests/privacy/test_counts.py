"""How many tokens masks allowed does not tell what was written.

A guesser knows the schema, the vocabulary and the record's numbers, and is to say which of eight equally long enum
members was written. Runs are deterministic here, so the best guesser is right as often as there are different numbers:
k different ones among eight members give k/8. Blindly it is 1/8; 5 points more are allowed.
"""

from __future__ import annotations

import json
import os
import random
import statistics
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from checkrail import Grammar, Vocabulary, allocate_token_bitmask, compile
from checkrail.boundary.evidence.types import Extremes, FiveNumbers, coarse
from checkrail.mask.bitmask import allowed_tokens

CHANCE, ALLOWED = 1 / 8, 5 / 100
SYLLABLES = (
    "ba",
    "co",
    "de",
    "fi",
    "gu",
    "ha",
    "ja",
    "ki",
    "lo",
    "mu",
    "na",
    "or",
    "pe",
    "qui",
    "ra",
    "sen",
    "ta",
    "un",
)
RNG_SEED, TRIALS = 5, 60 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 4


def members(rng: random.Random) -> list[str]:
    """Eight words of six letters."""
    found: set[str] = set()
    while len(found) < 8:
        word = "".join(rng.choices(SYLLABLES, k=4))[:6]
        if len(word) == 6:
            found.add(word)
    return sorted(found)


def vocabulary(rng: random.Random) -> Vocabulary:
    """All bytes, and pieces of words as real vocabularies have them, so that members split in different ways."""
    pieces = {piece for a in SYLLABLES for b in SYLLABLES for piece in (a, a + b, (a + b)[1:], (a + b)[:3])}
    chosen = sorted(piece.encode() for piece in rng.sample(sorted(pieces), 500) if len(piece) > 1)
    tokens = [*(bytes([b]) for b in range(256)), *chosen, b'{"', b'": ', b'": "', b'", "', b'"}']
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


def shape(name: str, enum: list[str]) -> tuple[Any, Callable[[str], Any]]:
    """A schema with the enum in it, and the value for a member."""
    if name == "alone":
        return {"enum": enum}, lambda member: member
    properties: dict[str, Any] = {"kind": {"enum": enum}}
    rest: dict[str, Any] = {}
    if name == "beside a text":
        properties["note"], rest = {"type": "string"}, {"note": "seen at noon"}
    if name == "among others":
        properties = {"title": {"type": "string"}, **properties, "n": {"type": "integer"}, "paid": {"type": "boolean"}}
        rest = {"title": "The minutes", "n": 7321, "paid": True}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return schema, lambda member: {key: member if key == "kind" else rest[key] for key in properties}


def counts(constraint: Any, text: bytes) -> list[int]:
    """What each mask allows while a text is written with the longest tokens."""
    matcher, found = constraint.matcher(), []
    bitmask = allocate_token_bitmask(1, len(constraint.vocabulary))
    while not matcher.is_terminated():
        matcher.fill_next_token_bitmask(bitmask)
        allowed = allowed_tokens(bitmask)
        found.append(len(allowed))
        pieces = {t: constraint.vocabulary.token_bytes(t) or b"" for t in allowed}
        token = max(allowed, key=lambda t: len(pieces[t]) if text.startswith(pieces[t]) else -1)
        if not text:
            break
        assert matcher.accept_token(token)
        text = text[len(pieces[token]) :]
    return found


@lru_cache(maxsize=8)
def runs(name: str) -> list[list[list[int]]]:
    """For each of some enums: for each member, the counts of its run."""
    rng = random.Random(RNG_SEED)
    words = vocabulary(rng)
    found = []
    for _ in range(TRIALS):
        enum = members(rng)
        schema, value = shape(name, enum)
        constraint = compile(Grammar.from_json_schema(schema, whitespace="json.dumps"), words)
        found.append([counts(constraint, json.dumps(value(member)).encode()) for member in enum])
    return found


def guessed(name: str, numbers: Callable[[list[int]], object]) -> float:
    """The share of right guesses of the best guesser who sees `numbers` of a run's counts."""
    return sum(len({numbers(run) for run in enum}) for enum in runs(name)) / (8 * TRIALS)


@pytest.mark.parametrize("name", ["alone", "beside a text", "among others"])
def test_members_cannot_be_told_apart(name: str) -> None:
    assert guessed(name, Extremes.of) <= CHANCE + ALLOWED


def median_class(run: list[int]) -> int:
    return coarse(statistics.median_low(run))


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("alone", tuple),
        ("alone", FiveNumbers.of),
        ("beside a text", tuple),
        ("beside a text", FiveNumbers.of),
        ("beside a text", median_class),
        ("among others", tuple),
    ],
)
def test_finer_numbers_tell_them_apart(name: str, numbers: Callable[[list[int]], object]) -> None:
    assert guessed(name, numbers) > CHANCE + ALLOWED
