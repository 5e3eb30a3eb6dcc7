"""One call for many matchers writes what each would write."""

from __future__ import annotations

import random
from array import array

import pytest

import checkrail
from checkrail.errors import InputError, MaskError
from checkrail.mask.kernel import Kernel

TOKENS = [bytes([b]) for b in range(128)] + [b'{"a', b'": ', b"12", b'"}', None]
WORDS = (len(TOKENS) + 31) // 32


@pytest.fixture(scope="module")
def vocabulary() -> checkrail.Vocabulary:
    return checkrail.Vocabulary.from_bytes(TOKENS, eos=[len(TOKENS) - 1])


def matchers(vocabulary: checkrail.Vocabulary, kernel: Kernel, *sources: checkrail.Grammar) -> list[checkrail.Matcher]:
    chance = random.Random(3)
    found = []
    for i in range(7):
        constraint = checkrail.compile(sources[i % len(sources)], vocabulary, kernel=kernel)
        matcher = constraint.matcher(token_budget=60) if i == 4 else constraint.matcher()
        for _ in range(i):
            matcher.accept_token(chance.choice(matcher.allowed(None) or [0]))
        found.append(matcher)
    return found


SCHEMA = '{"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}}'


def rows_of(buffer: array[int]) -> list[list[int]]:
    return [buffer[i : i + WORDS].tolist() for i in range(0, len(buffer), WORDS)]


def test_the_rows_are_those_of_each(vocabulary: checkrail.Vocabulary, kernel: Kernel) -> None:
    grammars = (
        checkrail.Grammar.from_json_schema(SCHEMA, profile="open"),
        checkrail.Grammar.from_gbnf('root ::= ("a" | "ab" | "b")* "!"'),
    )
    found = matchers(vocabulary, kernel, *grammars)
    one = array("i", [-1]) * (WORDS * len(found))
    batch = array("i", [-1]) * (WORDS * len(found))
    for row, matcher in enumerate(found):
        matcher.fill_next_token_bitmask(memoryview(one).cast("B").cast("i", (len(found), WORDS)), row)
    checkrail.fill_next_token_bitmasks(found, memoryview(batch).cast("B").cast("i", (len(found), WORDS)))
    assert batch == one
    order = [6, 0, 5, 1, 4, 2, 3]
    checkrail.fill_next_token_bitmasks(found, memoryview(batch).cast("B").cast("i", (len(found), WORDS)), order)
    assert [rows_of(batch)[row] for row in order] == rows_of(one)


def test_an_ended_matcher_gets_an_empty_row(vocabulary: checkrail.Vocabulary, kernel: Kernel) -> None:
    constraint = checkrail.compile(checkrail.Grammar.from_gbnf('root ::= "a"'), vocabulary, kernel=kernel)
    first, second = constraint.matcher(), constraint.matcher()
    assert first.accept_bytes(b"a")
    assert first.accept_token(len(TOKENS) - 1)
    batch = array("i", [-1]) * (2 * WORDS)
    checkrail.fill_next_token_bitmasks([first, second], memoryview(batch).cast("B").cast("i", (2, WORDS)))
    assert rows_of(batch)[0] == [0] * WORDS
    assert any(rows_of(batch)[1])


def test_wrong_buffers_are_refused(vocabulary: checkrail.Vocabulary, kernel: Kernel) -> None:
    constraint = checkrail.compile(checkrail.Grammar.from_gbnf('root ::= "a"'), vocabulary, kernel=kernel)
    found = [constraint.matcher(), constraint.matcher()]
    small = memoryview(array("i", [0]) * WORDS).cast("B").cast("i", (1, WORDS))
    with pytest.raises(MaskError, match="MASK_BUFFER"):
        checkrail.fill_next_token_bitmasks(found, small)
    with pytest.raises(InputError, match="indices"):
        checkrail.fill_next_token_bitmasks(found, small, [0])
    checkrail.fill_next_token_bitmasks([], small)
