"""Real schemas: the two engines and the slow mask along valid documents and along random walks, over a small vocabulary
and over Llama 3's.

A sample of MaskBench by a digest of the file's name: a few schemas in every run, with CHECKRAIL_THOROUGH=1 over 300.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checkrail import Grammar, Vocabulary, compile
from checkrail.errors import Error
from checkrail.limits import DEFAULT_LIMITS
from data_path import unpacked
from engines_agree import Walk

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
EACH = 10 if THOROUGH else 950
PUNCTUATION = b'{}[],:"0 '


def chosen(path: Path) -> bool:
    return int(hashlib.sha256(path.name.encode()).hexdigest(), 16) % EACH == 4


FILES = [path for path in sorted(unpacked("maskbench-dev.tar.xz").rglob("*.json")) if chosen(path)]


@cache
def llama() -> Vocabulary:
    folder = next(unpacked("llama3-vocab.tar.xz").rglob("vocab.jsonl")).parent
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    special = set(meta["special_ids"])
    lines = (folder / "vocab.jsonl").read_text(encoding="utf-8").splitlines()
    tokens = [None if i in special else base64.b64decode(json.loads(line)) for i, line in enumerate(lines)]
    return Vocabulary.from_bytes(tokens, eos=[meta["eot"]])


def small(texts: list[bytes], draw: random.Random) -> Vocabulary:
    """Each byte, and pieces of the documents."""
    pieces: set[bytes] = set()
    for text in texts:
        for _ in range(40):
            start = draw.randrange(len(text) or 1)
            pieces.add(text[start : start + draw.randrange(2, 8)])
    tokens = [*(bytes([b]) for b in range(256)), *sorted(piece for piece in pieces if len(piece) > 1)]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


def record_of(path: Path) -> tuple[Grammar, list[bytes]]:
    """The grammar and the beginnings of its documents; skips what the strict profile refuses."""
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    try:
        grammar = Grammar.from_json_schema(json.dumps(record["schema"]))
    except Error as error:
        pytest.skip(f"refused: {error.code}")
    data = [test["data"] for test in record["tests"][:4]]
    return grammar, [json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()[:300] for value in data]


def walk_of(grammar: Grammar, vocabulary: Vocabulary, slow: Any) -> Walk:
    try:
        automaton = compile(grammar, vocabulary)
    except Error as error:
        pytest.skip(f"refused: {error.code}")
    return Walk(grammar, vocabulary, limits=DEFAULT_LIMITS, slow=slow, automaton=automaton)


def towards_the_end(draw: random.Random, vocabulary: Vocabulary) -> Callable[[list[int]], int]:
    """Chooses among the allowed tokens, mostly those that hold punctuation: a walk then comes out of strings again."""

    def choose(allowed: list[int]) -> int:
        few = draw.sample(allowed, min(len(allowed), 60))
        marked = [token for token in few if any(b in PUNCTUATION for b in vocabulary.tokens[token] or b"")]
        return draw.choice(marked if marked and draw.random() < 0.7 else few)

    return choose


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_small_vocabulary(path: Path) -> None:
    draw = random.Random(path.name)
    grammar, texts = record_of(path)
    vocabulary = small(texts, draw)
    walk = walk_of(grammar, vocabulary, "tokens")
    for text in texts[:2]:
        walk.begin()
        for place in range(0, len(text), 3):
            walk.compare(slow=place % 9 == 0)
            if not walk.take_bytes(text[place : place + 3]):
                break
    for _ in range(4 if THOROUGH else 1):
        walk.begin()
        walk.wander(towards_the_end(draw, vocabulary), 30, slow_every=3)
    assert walk.masks > 1


@pytest.mark.parametrize("path", FILES if THOROUGH else FILES[:3], ids=lambda path: path.stem)
def test_a_real_vocabulary(path: Path) -> None:
    draw = random.Random(path.name)
    grammar, texts = record_of(path)
    vocabulary = llama()
    walk = walk_of(grammar, vocabulary, "trie" if THOROUGH else None)
    for text in texts:
        walk.begin()
        for place in range(0, len(text), 7):
            walk.compare(slow=False)
            if not walk.take_bytes(text[place : place + 7]):
                break
    for _ in range(2):
        walk.begin()
        for _ in range(draw.randrange(8)):  # so that the one slow mask is not always the first
            text = [token for token in walk.compare(slow=False) if token not in vocabulary.eos]
            if text:
                walk.take(towards_the_end(draw, vocabulary)(text))
        walk.wander(towards_the_end(draw, vocabulary), 8, slow_every=8)
    assert walk.masks > 1
