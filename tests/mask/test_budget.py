"""Token budgets against brute force: every sequence of tokens is tried.

What is counted must exist (never fewer tokens than any sequence needs), must be the least where no token can cross
the end of a module, and a mask under a budget must hold exactly the tokens after which the count still fits.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import Constraint, compile
from checkrail.errors import GrammarError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask.configuration import Configuration
from checkrail.mask.slow import advance_token, get_mask_slow
from checkrail.mask.token_costs import INFINITE
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import grammars, vocabularies

MOST_CONFIGURATIONS = 300


def token_moves(constraint: Constraint, here: Configuration) -> dict[int, Configuration]:
    """Each token that may come next, end tokens aside, with where it leads: by the oracle."""
    stepper, vocabulary = constraint.engine.stepper, constraint.vocabulary
    allowed = get_mask_slow(stepper, here, vocabulary) - set(vocabulary.eos)
    moves = {token: advance_token(stepper, here, token, vocabulary) for token in allowed}
    return {token: following for token, following in moves.items() if following is not None}


def least(constraint: Constraint, start: Configuration) -> int | None:
    """The true least number of tokens, INFINITE where there is none, None where the search grows too large."""
    reached = {start: 0}
    queue = [start]
    for here in queue:
        if here.accepting:
            return reached[here]
        for following in token_moves(constraint, here).values():
            if following not in reached:
                reached[following] = reached[here] + 1
                queue.append(following)
        if len(queue) > MOST_CONFIGURATIONS:
            return None
    return INFINITE


def compiled(grammar: Grammar, vocabulary: Vocabulary, nesting: int = 16) -> Constraint:
    try:
        return compile(grammar, vocabulary, contract="context-free", limits=Limits(nesting=nesting))
    except GrammarError:
        assume(False)
        raise


@st.composite
def poor_vocabularies(draw: st.DrawFn) -> Vocabulary:
    """Vocabularies that cannot write some bytes alone, or at all."""
    full = draw(vocabularies())
    lost = draw(st.sets(st.sampled_from(b'ab"\\'), max_size=2))
    tokens = [None if t is not None and len(t) == 1 and t[0] in lost else t for t in full.tokens]
    return Vocabulary.from_bytes(tokens, eos=full.eos)


def walk(constraint: Constraint, rng) -> Configuration:
    """A configuration that some tokens lead to."""
    here = constraint.engine.stepper.start
    for _ in range(rng.randrange(4)):
        moves = token_moves(constraint, here)
        if not moves:
            break
        here = moves[rng.choice(sorted(moves))]
    return here


@given(grammars(), poor_vocabularies(), st.sampled_from([2, 4, 40]), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_the_count_is_one_that_exists_and_mostly_the_least(grammar, vocabulary, nesting, rng):
    constraint = compiled(grammar, vocabulary, nesting)
    budget = constraint.engine.budget()
    here = walk(constraint, rng)
    truth = least(constraint, here)
    assume(truth is not None)
    assert budget.need(here) >= truth
    if len(constraint.automaton.names) == 1:
        assert budget.need(here) == truth


@given(grammars(), poor_vocabularies(), st.sampled_from([2, 4, 40]), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_the_mask_holds_exactly_the_tokens_after_which_the_count_fits(grammar, vocabulary, nesting, rng):
    constraint = compiled(grammar, vocabulary, nesting)
    budget = constraint.engine.budget()
    here = walk(constraint, rng)
    needs = {token: budget.need(following) for token, following in token_moves(constraint, here).items()}
    need = budget.need(here)
    if 0 < need < INFINITE:
        assert min(needs.values()) <= need - 1, "some token must come nearer to the end"
    for left in {0, 1, 2, 3, min(need, 10**6), 10**6}:
        wanted = sum(1 << token for token, after in needs.items() if after <= left - 1)
        assert budget.allowed(here, left) == wanted
        if budget.unrestricted(here, left):
            assert all(after <= left - 1 for after in needs.values())


BYTES = [bytes([b]) for b in range(128)]
JSON = Grammar.from_json_schema(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "size": {"enum": ["small", "large"]},
            "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}}},
        },
        "required": ["name", "size"],
    },
    whitespace="compact",
)


def test_longer_tokens_make_the_count_smaller() -> None:
    text = b'{"name":"","size":"small"}'
    plain = compile(JSON, Vocabulary.from_bytes([*BYTES, None], eos=128))
    assert plain.engine.budget().need(plain.engine.stepper.start) == len(text)
    pieces = [b'{"name":', b'""', b',"size":"small"}']  # as the rules are cut: a string is a rule of its own
    cut = compile(JSON, Vocabulary.from_bytes([*BYTES, None, *pieces], eos=128))
    assert cut.engine.budget().need(cut.engine.stepper.start) == 3


def test_forbidden_ids_are_not_counted_on() -> None:
    vocabulary = Vocabulary.from_bytes([b"a", b"b", b"ab", None], eos=3)
    constraint = compile(Grammar.from_gbnf('root ::= "ab"'), vocabulary)
    assert [constraint.tokens_needed(ids) for ids in ((), {2}, {0}, {0, 2})] == [1, 2, 1, INFINITE]


def test_less_nesting_room_can_cost_more_tokens() -> None:
    """The short way is deep; where the room for it is missing, the long way must be counted."""
    grammar = Grammar.from_gbnf('root ::= x\nx ::= "[" x "]" | "<" y ">" | "aaaaaa"\ny ::= "(" y ")" | "b"')
    constraint = compile(grammar, Vocabulary.from_bytes([*BYTES, None], eos=128), limits=Limits(nesting=2))
    budget, stepper = constraint.engine.budget(), constraint.engine.stepper
    here = stepper.start
    counts = [budget.need(here)]
    for byte in b"[[":
        following = stepper.step(here, byte)
        if following is None:
            break
        here = following
        counts.append(budget.need(here))
    assert counts == [least(constraint, c) for c in [stepper.start, *_path(constraint, b"[[")]][: len(counts)]


def _path(constraint: Constraint, text: bytes) -> list[Configuration]:
    here = constraint.engine.stepper.start
    found = []
    for byte in text:
        following = constraint.engine.stepper.step(here, byte)
        if following is None:
            break
        here = following
        found.append(here)
    return found


def test_named_tokens_count_as_one_token() -> None:
    vocabulary = Vocabulary.from_bytes([b"a", None, None], eos=2, special={"<x>": 1})
    constraint = compile(Grammar.from_gbnf('root ::= <[1]> "a" | "aaaaa"'), vocabulary)
    budget, start = constraint.engine.budget(), constraint.engine.stepper.start
    assert budget.need(start) == 2
    assert (budget.allowed(start, 2), budget.allowed(start, 5)) == (0b10, 0b11)


def test_a_generous_budget_is_seen_without_a_walk() -> None:
    constraint = compile(JSON, Vocabulary.from_bytes([*BYTES, None], eos=128))
    budget, start = constraint.engine.budget(), constraint.engine.stepper.start
    assert budget.unrestricted(start, 100)
    assert not budget.unrestricted(start, 26)


@pytest.mark.parametrize("count", [1, 400])
def test_parts_are_forgotten_at_the_bound(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr("checkrail.mask.budget._CACHE_BYTES", count)
    monkeypatch.setattr("checkrail.mask.budget._MAXIMUM_FRAMES", 1)
    constraint = compile(JSON, Vocabulary.from_bytes([*BYTES, None], eos=128))
    fresh = compile(JSON, Vocabulary.from_bytes([*BYTES, None], eos=128)).engine.budget()
    budget = constraint.engine.budget()
    for here in _path(constraint, b'{"name":"x","size":"small","list":[{"x":1},{}]}'):
        assert budget.allowed(here, 30) == fresh.allowed(here, 30)
