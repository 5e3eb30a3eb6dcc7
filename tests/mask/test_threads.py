"""One constraint shared by many threads: the masks are the same as alone."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

from checkrail.decoding.constraint import compile
from checkrail.grammar.grammar import Grammar
from checkrail.vocabulary.vocabulary import Vocabulary

GRAMMAR = Grammar.from_gbnf(
    'root ::= "{" (pair ("," pair)*)? "}"\npair ::= string ":" value\n'
    'value ::= root | string | [0-9]+ | "[" value "]"\n'
    'string ::= "\\"" [^"\\\\]* "\\""'
)
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


def test_masks_do_not_depend_on_who_else_asks():
    alone = [walk(compile(GRAMMAR, VOCABULARY), seed) for seed in range(24)]
    shared = compile(GRAMMAR, VOCABULARY)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda seed: walk(shared, seed), range(24))) == alone
