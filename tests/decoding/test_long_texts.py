"""Long texts: a matcher's memory grows by its history alone, some bytes a step, and a step costs the same everywhere.

The history is what rollback needs: for each step a state and a stack (deterministic path), or a configuration that
other steps share (general path). Neither depends on how long the text is. CHECKRAIL_THOROUGH=1 writes 100,000 tokens.
"""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
from array import array
from itertools import cycle, islice
from pathlib import Path

import pytest

import checkrail
from checkrail.decoding.constraint import compile
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask import cursor
from checkrail.mask.kernel import load_interpreted
from checkrail.vocabulary.vocabulary import Vocabulary

TOKENS = 100_000 if os.environ.get("CHECKRAIL_THOROUGH") == "1" else 2_400
BYTES_OF_A_STEP = 160
PACKAGE = str(Path(checkrail.__file__).parent)
PIECES = [b", ", b"12", b"3.5", b'"a', b'b"', b"abc", b"xx", b"a b", "é".encode()]
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), *PIECES, None], eos=[256 + len(PIECES)])
NUMBER = 256 + PIECES.index(b"12")

LISTS = 'root ::= "[" item (", " item)* "]"\nitem ::= [0-9]+ ("." [0-9]+)? | "\\"" [^"\\\\]* "\\""'
NESTED = 'root ::= value\nvalue ::= "[" (value ("," value)*)? "]" | [0-9]+'
AMBIGUOUS = 'root ::= "x" s\ns ::= a s | b s | a\na ::= "x" | "xx" | "x" a "x"\nb ::= "x" b? "x"'
NAMED = f'root ::= (item ", ")*\nitem ::= <[{NUMBER}]> | [0-9]+ | [0-9]+ "." [0-9]+'
MIXED = {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}}

# how a text begins, and what follows again and again
TEXTS: dict[str, tuple[Grammar, list[bytes], list[bytes]]] = {
    "numbers and strings": (
        Grammar.from_gbnf(LISTS),
        [b"["],
        [b"12", b", ", b"3.5", b", ", b'"a', b"abc", b'b"', b", "],
    ),
    "brackets": (Grammar.from_gbnf(NESTED), [b"["], [b"[", b"12", b",", b"[", b"]", b"]", b","]),
    "one string": (Grammar.from_gbnf(LISTS), [b"[", b'"'], [b"abc", b"xx", "é".encode(), b"a b"]),
    "arrays on demand": (
        Grammar.from_json_schema(MIXED, profile="open"),
        [b"["],
        [b"12", b", ", b"[", b'"a', b'b"', b"]", b", "],
    ),
    "one string on demand": (
        Grammar.from_json_schema({"items": {"type": "string"}, "type": "array"}, profile="open"),
        [b"[", b'"'],
        [b"abc", "é".encode(), b"a b"],
    ),
    "any JSON on demand": (
        Grammar.from_json_schema({"type": "array"}, profile="open"),
        [b"["],
        [b"12", b", ", b"[", b"]", b", "],
    ),
    "ambiguous": (Grammar.from_gbnf(AMBIGUOUS), [b"x"], [b"xx", b"x"]),
    "named tokens": (Grammar.from_gbnf(NAMED), [], [b"12", b", ", b"3.5", b", "]),
}
CONTRACTS = {"ambiguous": "context-free"}
GENERAL = {"ambiguous", "named tokens"}


def ids(pieces: list[bytes]) -> list[int]:
    return [256 + PIECES.index(piece) if piece in PIECES else piece[0] for piece in pieces]


def write(matcher, tokens) -> None:
    """Take tokens, with a mask before every eighth."""
    row = array("I", [0]) * len(VOCABULARY)
    for number, token in enumerate(tokens):
        if number % 8 == 0:
            matcher.fill_next_token_bitmask(row)
            assert row[token >> 5] >> (token & 31) & 1
        assert matcher.accept_token(token)


@pytest.mark.parametrize("name", TEXTS)
def test_memory_grows_by_the_history_alone(name):
    grammar, begin, again = TEXTS[name]
    constraint = compile(grammar, VOCABULARY, contract=CONTRACTS.get(name))
    assert isinstance(constraint.matcher()._cursor, cursor.GeneralCursor) == (name in GENERAL)
    matcher = constraint.matcher()
    write(matcher, ids(begin))
    following = cycle(ids(again))
    write(matcher, islice(following, TOKENS // 2))
    held = constraint.memory
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        write(matcher, islice(following, TOKENS // 2))
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert constraint.memory == held
    assert grown < BYTES_OF_A_STEP * (TOKENS // 2) + 20_000
    assert matcher.steps == len(begin) + TOKENS // 2 * 2


def lines_of(work) -> int:
    """How many lines of the package run."""
    count = 0

    def inside(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return inside

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: inside if frame.f_code.co_filename.startswith(PACKAGE) else None)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", TEXTS)
def test_a_step_costs_the_same_everywhere(name):
    grammar, begin, again = TEXTS[name]
    constraint = compile(grammar, VOCABULARY, contract=CONTRACTS.get(name), kernel=load_interpreted())
    matcher = constraint.matcher()
    write(matcher, ids(begin))
    round_ = ids(again) * 8  # a whole number of rounds of masks, so that all are alike
    for _ in range(8):
        write(matcher, round_)  # caches are warm, states are made
    early = lines_of(lambda: write(matcher, round_))
    write(matcher, round_ * (TOKENS // 10 // len(round_)))
    assert lines_of(lambda: write(matcher, round_)) == early > 0


def test_a_rollback_to_the_beginning_after_a_long_text():
    for name, (grammar, begin, again) in TEXTS.items():
        matcher = compile(grammar, VOCABULARY, contract=CONTRACTS.get(name)).matcher()
        write(matcher, ids(begin))
        fresh = matcher.allowed(None)
        write(matcher, islice(cycle(ids(again)), 1000))
        fork = matcher.fork()
        matcher.rollback(1000)
        assert matcher.allowed(None) == fresh
        write(matcher, islice(cycle(ids(again)), 1000))
        assert matcher.allowed(None) == fork.allowed(None)


def test_large_configurations_are_found_again_when_they_were_left_out(monkeypatch):
    """The general path keeps what fits into its bound, and reads the rest of the text again where a rollback asks."""
    text = 'root ::= s\ns ::= "x" s "x" | "x" s s "x" | "x"'
    constraint = compile(Grammar.from_gbnf(text), VOCABULARY, contract="context-free", limits=Limits(nesting=20))
    whole, thin = constraint.matcher(), constraint.matcher()
    steps = [120, b"x", 120, b"xx", 256 + PIECES.index(b"xx")] * 12
    for step in steps:
        for matcher, most in ((whole, 2**30), (thin, 300)):
            monkeypatch.setattr(cursor, "_MAXIMUM_SIZE", most)
            assert matcher.accept_token(step) if isinstance(step, int) else matcher.accept_bytes(step)
    assert len(thin._cursor._kept) < 20 < len(whole._cursor._kept) == len(steps) + 1
    for count in (1, 2, 7, 1, 20):
        thin.rollback(count)
        whole.rollback(count)
        fork = thin.fork()
        assert thin.configuration() is whole.configuration() is fork.configuration()
        assert (thin.allowed(None), thin.is_completed()) == (whole.allowed(None), whole.is_completed())
    for matcher in (thin, whole):
        matcher.rollback(matcher.steps)
        assert matcher.configuration() is constraint.engine.stepper.start
        assert matcher._cursor._size == 0
        assert matcher.accept_bytes(b"xxx")
    assert thin.configuration() is whole.configuration()
