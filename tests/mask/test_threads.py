"""One constraint shared by many threads: the masks are the same as alone."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from checkrail.decoding.constraint import compile
from checkrail.grammar.grammar import Grammar
from checkrail.vocabulary.vocabulary import Vocabulary

TEXT = (
    'root ::= "{" (pair ("," pair)*)? "}"\npair ::= string ":" value\n'
    'value ::= root | string | [0-9]+ | "[" value "]"\n'
    'string ::= "\\"" [^"\\\\]* "\\""'
)
GRAMMAR = Grammar.from_gbnf(TEXT)
GENERAL = Grammar.from_gbnf(TEXT + ' | <[0]> "x"')
PIECES = [b'{"', b'":', b'"}', b'","', b"}}", b"]}", b"12", b'a"', b'"b":{', b"\xc3", b"\xa9"]
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), *PIECES, None], eos=[256 + len(PIECES)])


def walk(constraint, seed: int) -> list[list[int]]:
    rng, matcher, masks = random.Random(seed), constraint.matcher(), []
    for _ in range(40):
        masks.append(matcher.allowed(None))
        tokens = [t for t in masks[-1] if t not in VOCABULARY.eos]
        if not tokens:
            break
        matcher.accept_token(rng.choice(tokens))
    return masks


@pytest.fixture
def _restless():
    """Threads are switched as often as possible, so that a race shows in a short test."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_restless")
@pytest.mark.parametrize("path", ["deterministic", "general"])
def test_masks_do_not_depend_on_who_else_asks(path, kernel):
    grammar = GRAMMAR if path == "deterministic" else GENERAL  # one that names a token takes the general path
    alone = [walk(compile(grammar, VOCABULARY, kernel=kernel), seed) for seed in range(24)]
    shared = compile(grammar, VOCABULARY, kernel=kernel)
    assert (shared.engine.visible is not None) == (path == "deterministic")
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda seed: walk(shared, seed), range(24))) == alone
