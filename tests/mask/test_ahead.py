"""Masks made when a constraint is made: they are there when a text comes, are the same, and never refuse a schema."""

from __future__ import annotations

import json
import random

import pytest

from checkrail.decoding.constraint import Constraint, compile
from checkrail.errors import BudgetError, StreamError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask import visible
from checkrail.mask.kernel import load_compiled, load_interpreted
from checkrail.mask.wide import WideMasks
from checkrail.ondemand.automaton import OnDemand
from checkrail.vocabulary.vocabulary import Vocabulary

COMPILED = load_compiled()
needs_compiled = pytest.mark.skipif(COMPILED is None, reason="no compiled kernel was built: run `make kernel`")


def vocabulary() -> Vocabulary:
    """So many tokens that places in a pattern are wide."""
    rng = random.Random(5)
    texts = {"".join(rng.choices("abcXYZ019-.", k=rng.randint(2, 5))).encode() for _ in range(9000)}
    tokens = [*(bytes([b]) for b in range(256)), *sorted(texts)]
    return Vocabulary.from_bytes([*tokens, None], eos=len(tokens))


VOCABULARY = vocabulary()
TEXTS = ["abc-19", "Zb0", "a.b.c"]


def constraint(pattern: str, *, kernel=None) -> Constraint:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}, "required": ["a"]}
    grammar = Grammar.from_json_schema(json.dumps(schema), profile="open")
    return compile(grammar, VOCABULARY, kernel=kernel)


def masks(made: Constraint, text: str) -> list[list[int]]:
    matcher = made.matcher()
    found = []
    for byte in json.dumps({"a": text}).encode():
        found.append(matcher.allowed(None))
        assert matcher.accept_bytes(bytes([byte]))
    return found


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The states whose masks were made by a walk."""
    states: list[int] = []
    make = WideMasks._make

    def making(self: WideMasks, machine: object, state: int, depth: int, run: int) -> object:
        states.append(state)
        return make(self, machine, state, depth, run)

    monkeypatch.setattr(WideMasks, "_make", making)
    return states


@needs_compiled
def test_a_text_waits_for_no_first_mask(walked: list[int]) -> None:
    made = constraint("^[a-z0-9.-]+(Q[a-c]*)?$", kernel=COMPILED)
    before = len(walked)
    assert before > 0
    matcher = made.matcher()
    for byte in b'{"a":"':
        assert matcher.accept_bytes(bytes([byte]))
        matcher.allowed(None)
    assert len(walked) == before


@needs_compiled
@pytest.mark.parametrize("pattern", ["^[a-zA-Z0-9.-]+$", "[a-z]", "^([A-Za-z0-9.]|-[a-z0-9])*$"])
def test_they_are_the_masks_that_a_text_would_have_had_made(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = constraint(pattern, kernel=COMPILED)
    monkeypatch.setattr(visible, "_STRINGS_AHEAD", 0)
    when_asked = constraint(pattern, kernel=load_interpreted())
    for text in TEXTS:
        assert masks(ahead, text) == masks(when_asked, text)


@needs_compiled
def test_they_are_bounded(walked: list[int]) -> None:
    properties = {f"p{n}": {"type": "string", "pattern": f"^[a-zA-Z0-9]*x{{{n}}}$"} for n in range(1, 60)}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    compile(Grammar.from_json_schema(json.dumps(schema), profile="open"), VOCABULARY, kernel=COMPILED)
    assert 3 < len(walked) <= visible._STRINGS_AHEAD


@needs_compiled
def test_a_long_row_of_narrow_states_is_not_followed() -> None:
    grammar = Grammar.from_json_schema('{"type": "string", "pattern": "^a{5000}$"}', profile="open")
    short = Grammar.from_json_schema('{"type": "string", "pattern": "^a{50}$"}', profile="open")
    made, less = compile(grammar, VOCABULARY, kernel=COMPILED), compile(short, VOCABULARY, kernel=COMPILED)
    assert made.engine.source.tables.state_count < 2 * less.engine.source.tables.state_count


@needs_compiled
def test_a_bound_that_is_met_ahead_is_left_to_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = [BudgetError("GRAMMAR_BUDGET_STATES", limit=1, reached=2)]
    find = WideMasks.find

    def full_at_first(self: WideMasks, *arguments: object) -> object:
        if bound:
            raise bound.pop()
        return find(self, *arguments)

    monkeypatch.setattr(WideMasks, "find", full_at_first)
    made = constraint("^[a-z0-9.-]+$", kernel=COMPILED)
    assert not bound
    assert masks(made, "abc")


@needs_compiled
@pytest.mark.parametrize(
    "error", [BudgetError("GRAMMAR_BUDGET_TIME", limit="1"), StreamError("CANCELLED", tokens=0)], ids=lambda e: e.code
)
def test_what_ends_the_compilation_ends_it_here_too(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        raise error

    monkeypatch.setattr(WideMasks, "find", ended)
    with pytest.raises(type(error)):
        constraint("^[a-z0-9.-]+$", kernel=COMPILED)


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"type": "string", "pattern": "^a"}, 1),
        ({"type": "string", "format": "date"}, 1),
        ({"type": "string", "maxLength": 3}, 1),
        ({"type": "string"}, 0),
        ({"type": "string", "enum": ["a", "b"]}, 0),
        ({"type": "object", "patternProperties": {"^[a-z]+$": False}}, 1),
        ({"type": "object", "patternProperties": {"^[a-z]+$": True}, "additionalProperties": False}, 1),
        ({"type": "object", "propertyNames": {"format": "date"}}, 1),
        ({"type": "object"}, 0),
        ({"type": "integer"}, 0),
    ],
)
def test_the_source_says_which_strings_it_came_to(schema: dict[str, object], count: int) -> None:
    grammar = Grammar.from_json_schema(json.dumps(schema), profile="open")
    source = OnDemand(grammar.schema, Limits())
    assert source.described_strings() == []
    source.prepare(8)
    assert len(source.described_strings()) == count
