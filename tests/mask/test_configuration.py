"""The general path under attack: what one step and one mask may take is bounded, and masks stay right afterwards."""

from __future__ import annotations

import gc
import random
import tracemalloc

import pytest

from checkrail.automaton.compiler import compile_automaton
from checkrail.decoding.constraint import compile
from checkrail.errors import MaskError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask import configuration, engine, local
from checkrail.mask.configuration import Stepper
from checkrail.mask.slow import get_mask_slow
from checkrail.vocabulary.vocabulary import Vocabulary

PIECES = [b"xx", b"x" * 4, b"x" * 8, b"((", b"))", b"x)"]
VOCABULARY = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), *PIECES, None], eos=[256 + len(PIECES)])
DEEP = 'root ::= s\ns ::= "x" s "x" | "x" s s "x" | "x"'
WIDE = "root ::= " + " | ".join(f'r{i} "{i}"' for i in range(40)) + "\n"
WIDE += "\n".join(f'r{i} ::= "(" (r{i} | r{(i + 1) % 40} | r{(3 * i + 2) % 40}) ")" | "x"' for i in range(40))
LEFT = 'root ::= e\ne ::= e "x" e | e e | "x" | "(" e ")"'
GRAMMARS = {"deep": DEEP, "wide": WIDE, "left": LEFT}


def general(text: str, kernel=None, **limits: int):
    return compile(Grammar.from_gbnf(text), VOCABULARY, contract="context-free", limits=Limits(**limits), kernel=kernel)


def steps_until_it_is_too_much(matcher, data: bytes, most: int) -> int:
    """How often `data` is taken, with masks between; the error must be the catalogued one."""
    for count in range(most):
        try:
            matcher.allowed()
            if not matcher.accept_bytes(data):
                return count
        except MaskError as error:
            if error.code != "MASK_BUDGET":
                raise
            return count
    return most


def looked_at(monkeypatch) -> list[int]:
    """The entries that each step looks at, as they are checked."""
    seen: list[int] = []
    check = Stepper._check

    def noting(self, pairs, entries):
        seen.append(max(pairs, entries))
        check(self, pairs, entries)

    monkeypatch.setattr(Stepper, "_check", noting)
    return seen


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_step_looks_at_a_bounded_number_of_pairs_and_entries(name, monkeypatch):
    seen = looked_at(monkeypatch)
    constraint = general(GRAMMARS[name], nesting=100, configuration_pairs=200)
    taken = steps_until_it_is_too_much(constraint.matcher(), b"(" if name == "wide" else b"x", 24)
    assert taken > 3
    most_edges = max(len(edges) for edges in constraint.automaton.calls)
    most_entries = max((len(f.entries) for f in constraint.engine.stepper._frames.values()), default=0)
    assert max(seen) <= 64 * 200 + most_edges + most_entries + 1


def test_what_steps_are_remembered_with_is_bounded_by_its_size(monkeypatch):
    monkeypatch.setattr(configuration, "_MAXIMUM_CACHED_SIZE", 2_000)
    monkeypatch.setattr(local, "_MAXIMUM_SIZE", 2_000)
    constraint = general(WIDE, nesting=60)
    sizes = []
    for seed in range(6):
        matcher = constraint.matcher()
        rng = random.Random(seed)
        for _ in range(16):
            if not (tokens := [t for t in matcher.allowed(None) if t not in VOCABULARY.eos]):
                break
            matcher.accept_token(rng.choice(tokens))
        del matcher
        gc.collect()
        sizes.append(constraint.memory["table"])
    assert constraint.engine.stepper._cached_size < 2_000 + 64 * 1_000
    assert max(sizes[3:]) < 1.5 * max(sizes[:3])


@pytest.mark.parametrize("text", [DEEP, WIDE], ids=["deep", "wide"])
def test_memory_says_what_the_stacks_take(text):
    constraint = general(text, nesting=24)
    gc.collect()
    tracemalloc.start()
    try:
        matcher = constraint.matcher()
        steps_until_it_is_too_much(matcher, b"(" if text is WIDE else b"x", 14)
        gc.collect()
        traced = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert traced / 2 < sum(constraint.memory.values()) < 2 * traced


def test_masks_are_right_after_a_mask_that_was_too_much(kernel):
    """What such a mask had found must not come into the next one."""
    constraint = general(DEEP, kernel, nesting=60, configuration_pairs=80)
    matcher = constraint.matcher()
    while True:
        try:
            matcher.allowed(None)
            assert matcher.accept_bytes(b"x")
        except MaskError:
            break
    assert matcher.steps > 2
    oracle = Stepper(compile_automaton(Grammar.from_gbnf(DEEP), contract="context-free", limits=Limits(nesting=60)))
    fresh = constraint.matcher()
    for count in range(2):
        here = oracle.start
        for _ in range(count):
            here = oracle.step(here, ord("x"))
        assert set(fresh.allowed(None)) == get_mask_slow(oracle, here, VOCABULARY)
        assert fresh.accept_bytes(b"x")


def test_nothing_is_allowed_by_a_mask_that_was_too_much(monkeypatch):
    constraint = general(DEEP, nesting=60)
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b"x" * 12)
    constraint.engine.stepper.entry_limit = 3
    row = memoryview(bytearray(b"\xff" * 4 * constraint.engine.words)).cast("I")
    with pytest.raises(MaskError) as caught:
        matcher.fill_next_token_bitmask(row)
    assert caught.value.code == "MASK_BUDGET"
    assert not any(row)


@pytest.mark.parametrize("most", [40, 80])
def test_a_walk_that_grows_too_large_ends_and_leaves_nothing_behind(most, monkeypatch, kernel):
    constraint = general(WIDE.replace("\n", ' | "z" "b"\n', 1), kernel, nesting=40)
    matcher, other = constraint.matcher(), constraint.matcher()
    assert matcher.accept_bytes(b"(")
    assert other.accept_bytes(b"z")
    monkeypatch.setattr(local, "_MAXIMUM_IN_WALK", most)
    with pytest.raises(MaskError) as caught:
        matcher.allowed(None)
    assert caught.value.code == "MASK_BUDGET"
    monkeypatch.undo()
    assert other.allowed(None) == [ord("b")]
    assert matcher.allowed(None) == sorted([*b"(x", 256 + PIECES.index(b"(("), 256 + PIECES.index(b"x)")])


@pytest.mark.parametrize("name", GRAMMARS)
def test_many_states_are_walked_together_and_allow_the_same(name, kernel, monkeypatch):
    text = GRAMMARS[name].replace("\n", f" | !<[{ord('x')}]>\n", 1)
    apart, together = general(text, kernel), general(text, kernel)
    oracle = apart.engine.stepper
    for seed in range(6):
        rng = random.Random(seed)
        one, other = apart.matcher(), together.matcher()
        for _ in range(6):
            slow = get_mask_slow(oracle, one.configuration(), VOCABULARY)
            monkeypatch.setattr(engine, "_MOST_LOCAL_WALKS", 10**6)
            assert set(one.allowed(None)) == slow
            monkeypatch.setattr(engine, "_MOST_LOCAL_WALKS", -1)
            assert set(other.allowed(None)) == slow
            tokens = sorted(slow.difference(VOCABULARY.eos))
            if not tokens:
                break
            token = rng.choice(tokens)
            assert one.accept_token(token)
            assert other.accept_token(token)
    assert not together.engine._cached


def test_the_first_mask_of_a_long_chain_is_one_walk():
    """Each of its rules may begin: walked one by one, the rules would be the square of their number."""
    sizes = []
    for length in (150, 300):
        rules = "\n".join(f'r{i} ::= r{i + 1} | "b" r{i}' for i in range(length))
        constraint = general(f'root ::= r0\n{rules}\nr{length} ::= "" | "c"')
        assert constraint.matcher().allowed(None) == [ord("b"), ord("c"), *VOCABULARY.eos]
        sizes.append(constraint.engine._walker._size)
    assert sizes[1] < 2.5 * sizes[0]
