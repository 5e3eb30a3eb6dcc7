"""Masks of real schemas over a real vocabulary: at each place of each valid document, against trying tokens.

A sample of MaskBench by a digest of the file's name, so that it does not drift. Sixty schemas in every run; with
CHECKRAIL_THOROUGH=1 six hundred.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
from array import array
from pathlib import Path
from typing import Any

import pytest

import checkrail
from checkrail.automaton.compiler import compile_automaton
from checkrail.limits import Limits
from checkrail.mask.bitmask import words_for
from checkrail.mask.configuration import Stepper
from checkrail.ondemand import OnDemand
from data_path import unpacked

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
EACH = 9 if THOROUGH else 90


def chosen(path: Path) -> bool:
    return int(hashlib.sha256(path.name.encode()).hexdigest(), 16) % EACH == 4


FILES = [path for path in sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json")) if chosen(path)]


class Table:
    """Llama 3's tokens, as a vocabulary and as a greedy encoder."""

    def __init__(self) -> None:
        folder = next(unpacked("llama3-vocab.tar.xz").rglob("vocab.jsonl")).parent
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        lines = (folder / "vocab.jsonl").read_text(encoding="utf-8").splitlines()
        special = set(meta["special_ids"])
        self.tokens = [None if i in special else base64.b64decode(json.loads(line)) for i, line in enumerate(lines)]
        self.vocabulary = checkrail.Vocabulary.from_bytes(self.tokens, eos=[meta["eot"]], logits_width=len(self.tokens))
        self._ids = {token: i for i, token in enumerate(self.tokens) if token}

    def encode(self, data: bytes) -> list[int]:
        ids = []
        start = 0
        while start < len(data):
            size = next(n for n in range(min(24, len(data) - start), 0, -1) if data[start : start + n] in self._ids)
            ids.append(self._ids[data[start : start + size]])
            start += size
        return ids


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


def documents(path: Path) -> tuple[str, list[bytes]]:
    """The schema as text, and its valid instances."""
    record = json.loads(path.read_text(encoding="utf-8"))
    texts = [json.dumps(t["data"], ensure_ascii=False).encode() for t in record["tests"] if t["valid"]]
    return json.dumps(record["schema"]), [text for text in texts if len(text) < 20_000]


def grammar_of(schema: str, **options: Any) -> checkrail.Grammar:
    try:
        return checkrail.Grammar.from_json_schema(schema, profile="open", **options)
    except checkrail.Error as error:
        pytest.skip(f"refused: {error.code}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_masks_are_what_can_be_accepted(path: Path, table: Table) -> None:
    schema, texts = documents(path)
    grammar = grammar_of(schema)
    try:
        constraint = checkrail.compile(grammar, table.vocabulary)
    except checkrail.Error as error:
        pytest.skip(f"refused: {error.code}")
    chance = random.Random(path.name)
    row = array("I", [0]) * words_for(len(table.tokens))
    for text in texts[:3]:
        matcher = constraint.matcher()
        for place, token in enumerate(table.encode(text)[:400]):
            matcher.fill_next_token_bitmask(row)
            sample = [token, *(chance.randrange(len(table.tokens)) for _ in range(25)), *near(row, chance)]
            if place % 97 == 50 and THOROUGH:
                sample = list(range(len(table.tokens)))
            for tried in sample:
                if table.tokens[tried] is None:
                    continue
                accepted = matcher.accept_token(tried)
                assert accepted == bool(row[tried >> 5] >> (tried & 31) & 1), (text[:place], table.tokens[tried])
                if accepted:
                    matcher.rollback()
            assert matcher.accept_token(token), "a valid document is refused"
        else:
            assert len(table.encode(text)) > 400 or matcher.is_completed()


def near(row: array[int], chance: random.Random) -> list[int]:
    """Tokens that the mask allows, and others in the same words: a wrong bit is most likely there."""
    words = [i for i, word in enumerate(row) if word]
    return [32 * i + chance.randrange(32) for i in chance.choices(words, k=15) if 32 * i + 31 < 128_000]


@pytest.mark.parametrize("path", FILES[:: 2 if THOROUGH else 5], ids=lambda path: path.stem)
def test_moves_are_those_of_the_static_automaton(path: Path, runner: Any) -> None:
    schema, texts = documents(path)
    grammar = grammar_of(schema, property_order="declared")
    try:
        automaton = compile_automaton(grammar, limits=Limits(states=20_000))
    except checkrail.Error as error:
        pytest.skip(f"the static automaton is too large: {error.code}")
    stepper = Stepper(automaton, Limits())
    tables = runner(OnDemand(grammar.schema, Limits()))
    for text in texts[:2]:
        static, here = stepper.start, tables.start
        for place, byte in enumerate(text[:1_500]):
            if place % 7 == 0:
                expected = bytes(b for b in range(256) if stepper.step(static, b) is not None)
                assert tables.next_bytes(here) == expected, text[:place]
            static, here = stepper.step(static, byte), tables.step(here, byte)
            assert (static is None) == (here is None), text[: place + 1]
            if static is None:
                break  # members in another order
        else:
            assert static.accepting == tables.accepts(here)
