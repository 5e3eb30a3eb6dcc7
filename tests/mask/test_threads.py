"""One constraint shared by many threads: the masks are the same as alone.

CHECKRAIL_THOROUGH=1 for longer texts of more threads.
"""

from __future__ import annotations

import os
import random
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from checkrail.decoding.batch import fill_next_token_bitmasks
from checkrail.decoding.constraint import compile
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask import configuration, local
from checkrail.vocabulary.vocabulary import Vocabulary

THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
THREADS = 16 if THOROUGH else 8
TEXTS = 400 if THOROUGH else 16
STEPS = 120 if THOROUGH else 30
TEXT = (
    'root ::= "{" (pair ("," pair)*)? "}"\npair ::= string ":" value\n'
    'value ::= root | string | [0-9]+ | "[" value "]"\n'
    'string ::= "\\"" [^"\\\\]* "\\""'
)
SCHEMA = {
    "type": "object",
    "properties": {
        "b": {"type": "string", "maxLength": 12},
        "a": {"type": "string", "pattern": "^[a-d]+( [a-d]+)*$"},
        "n": {"type": "integer", "minimum": 7, "maximum": 1200},
        "more": {"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"enum": ["a1", "a12", "b"]}]}, "maxItems": 3},
    },
    "required": ["b"],
}
GRAMMARS = {
    "deterministic": Grammar.from_gbnf(TEXT),
    "named tokens": Grammar.from_gbnf(TEXT + ' | <[0]> "x"'),  # which takes the general path
    "ambiguous": Grammar.from_gbnf('root ::= s\ns ::= "{" s "}" | "{" s s "}" | "12" | "1" [0-9]* | s "," s | "{}"'),
    "on demand": Grammar.from_json_schema(SCHEMA, profile="open"),
}
CONTRACTS = {"ambiguous": "context-free"}
PIECES = [b'{"', b'":', b'"}', b'","', b"}}", b"]}", b"12", b'a"', b'"b":{', b"\xc3", b"\xa9", b'{"a":"', b'":"a']
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), *PIECES, None], eos=[256 + len(PIECES)])


def walk(constraint, seed: int) -> list[list[int]]:
    """A random text, with steps back and forks on the way; its masks."""
    rng, matcher, masks = random.Random(seed), constraint.matcher(), []
    for _ in range(STEPS):
        masks.append(matcher.allowed(None))
        tokens = [t for t in masks[-1] if t not in VOCABULARY.eos]
        if not tokens or rng.random() < 0.1:
            matcher.rollback(min(matcher.steps, rng.randrange(1, 4)))
            continue
        if rng.random() < 0.1:
            matcher = matcher.fork()
        matcher.accept_token(rng.choice(tokens))
    return masks


@pytest.fixture
def _restless():
    """Threads are switched as often as possible, so that a race shows in a short test."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def made(path: str, kernel):
    constraint = compile(
        GRAMMARS[path], VOCABULARY, kernel=kernel, contract=CONTRACTS.get(path), limits=Limits(nesting=8)
    )
    assert (constraint.engine.visible is not None) == (path in ("deterministic", "on demand"))
    return constraint


@pytest.mark.usefixtures("_restless")
@pytest.mark.parametrize("path", GRAMMARS)
def test_masks_do_not_depend_on_who_else_asks(path, kernel):
    single = made(path, kernel)
    alone = [walk(single, seed) for seed in range(TEXTS)]
    assert alone == [walk(made(path, kernel), seed) for seed in range(TEXTS)]  # nor on what was asked before
    shared = made(path, kernel)
    start = Barrier(THREADS)

    def work(thread: int) -> dict[int, list[list[int]]]:
        start.wait()  # all at once, while nothing is made yet
        return {seed: walk(shared, seed) for seed in range(thread, TEXTS, THREADS)}

    with ThreadPoolExecutor(THREADS) as pool:
        found = {seed: masks for part in pool.map(work, range(THREADS)) for seed, masks in part.items()}
    assert [found[seed] for seed in range(TEXTS)] == alone


@pytest.mark.usefixtures("_restless")
def test_memories_that_begin_anew_under_way(monkeypatch, kernel):
    """The caches of the general path are emptied all the time, by one thread, while others use them."""
    alone = [walk(made("ambiguous", kernel), seed) for seed in range(TEXTS)]
    monkeypatch.setattr(configuration, "_MAXIMUM_CACHED_SIZE", 200)
    monkeypatch.setattr(local, "_MAXIMUM_SIZE", 200)
    shared = made("ambiguous", kernel)
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda seed: walk(shared, seed), range(TEXTS))) == alone


@pytest.mark.usefixtures("_restless")
@pytest.mark.parametrize("path", ["deterministic", "on demand"])
def test_batches_of_several_threads(path, kernel):
    """Each thread fills the rows of its own matchers in one call."""
    words = made(path, kernel).engine.words
    texts = [[seed, seed + TEXTS] for seed in range(TEXTS)]

    def batch(constraint, seeds: list[int]) -> list[list[int]]:
        rng = random.Random(seeds[0])
        matchers = [constraint.matcher() for _ in seeds]
        rows: list[list[int]] = []
        for _ in range(STEPS // 2):
            flat = array("i", [0]) * (words * len(matchers))
            fill_next_token_bitmasks(matchers, memoryview(flat).cast("B").cast("i", (len(matchers), words)))
            rows.append(flat.tolist())
            for matcher in matchers:
                tokens = [t for t in matcher.allowed(None) if t not in VOCABULARY.eos]
                if tokens:
                    matcher.accept_token(rng.choice(tokens))
        return rows

    single = made(path, kernel)
    alone = [batch(single, seeds) for seeds in texts]
    shared = made(path, kernel)
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda seeds: batch(shared, seeds), texts)) == alone
