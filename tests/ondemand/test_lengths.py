"""Lengths of any size: what a counted string or array may hold, and how little of the automaton that takes."""

from __future__ import annotations

import json
import random
from array import array

import pytest

import checkrail
from checkrail.errors import BudgetError, GrammarError
from checkrail.grammar.expression import ANY_CHARACTER, Intersection, Repeat
from checkrail.grammar.grammar import Grammar
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.texts import Texts
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.mask.bitmask import words_for
from checkrail.ondemand import counted_strings
from checkrail.ondemand.automaton import OnDemand
from checkrail.ondemand.language import LONGEST_TOKEN
from checkrail.ondemand.scalars import string_language


@pytest.fixture
def accepts(runner):
    """accepts(schema): a function from values to whether they may be written; `.source` is the automaton."""

    def opened(schema, limits=DEFAULT_LIMITS, longest_token=LONGEST_TOKEN):
        grammar = Grammar.from_json_schema(schema, profile="open", whitespace="compact", limits=limits)
        source = OnDemand(grammar.schema, limits, longest_token)
        walk = runner(source)

        def written(value: object) -> bool:
            here = walk.start
            for byte in json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode():
                here = walk.step(here, byte)
                if here is None:
                    return False
            return walk.accepts(here)

        written.source = source
        return written

    return opened


@pytest.mark.parametrize("bounds", [(0, 2), (2, 3), (3, 3), (3, 4), (4, 5), (5, 6), (3, 6), (7, 9)])
def test_no_dead_end_between_lengths_that_leave_gaps(bounds):
    """After `a` one way needs none or one more, the other four or five: three or four in all end nowhere."""
    low, high = bounds
    pattern = search_expression("^(ab?|bc{2,3}|ad{4,5})$")
    language = string_language(Texts(None, Intersection((pattern, Repeat(ANY_CHARACTER, low, high)))), DEFAULT_LIMITS)
    words = [b'"%s"' % text for text in (b"a", b"ab", b"bcc", b"bccc", b"adddd", b"addddd")]
    fitting = [word for word in words if low <= len(word) - 2 <= high]
    if language is None:
        assert not fitting
        return
    reached, pending = {b"": 0}, [b""]
    for data in pending:
        row = language.row(reached[data])
        following = [byte for byte in b'abcd"' if row[language.class_map[byte]] >= 0]
        assert following or language.accepting(reached[data]), data
        for byte in following:
            reached[data + bytes((byte,))] = row[language.class_map[byte]]
            pending.append(data + bytes((byte,)))
    assert sorted(data for data, state in reached.items() if language.accepting(state)) == sorted(fitting)


@pytest.mark.parametrize(
    ("schema", "inside", "outside"),
    [
        ({"maxLength": 10_000}, ["", "x" * 10_000, "é\n" * 5_000], ["x" * 10_001, "é\n" * 5_000 + "x"]),
        ({"minLength": 3_000}, ["x" * 3_000, "x" * 3_500], ["x" * 2_999]),
        ({"maxLength": 1_000_000}, ["x" * 5_000], []),
        ({"maxLength": 2**70}, ["x" * 5_000], []),
        ({"not": {"maxLength": 2_000}}, ["x" * 2_001], ["x" * 2_000, ""]),
        ({"not": {"minLength": 5, "maxLength": 2_000}}, ["x" * 2_001, "x" * 4, ""], ["x" * 2_000, "x" * 5]),
        ({"format": "date", "maxLength": 5_000}, ["2024-02-29"], ["2024-02-30"]),
        (
            {"pattern": "^([a-z]+ ){0,49}[a-z]+$", "maxLength": 500},
            ["a", "ab " * 49 + "ab", "a" * 500, "a " * 49 + "a" * 402],
            ["ab " * 50 + "ab", "a" * 501, "a " * 49 + "a" * 403, ""],
        ),
        (
            {"pattern": "^a+$", "maxLength": 4_000, "not": {"pattern": "^(aa)*$", "maxLength": 3_000}},
            ["a" * 2_999, "a" * 3_002, "a" * 3_999, "a" * 4_000],
            ["a" * 3_000, "a" * 4_001, "aa", ""],
        ),
        (
            {"oneOf": [{"pattern": "^a", "maxLength": 3_000}, {"pattern": "b$", "minLength": 3_000}]},
            ["a", "a" * 2_999 + "b" + "b", "b" * 3_000],
            ["a" * 2_999 + "b", "b" * 2_999, "a" * 3_001],
        ),
    ],
)
def test_strings(accepts, schema, inside, outside):
    written = accepts({"type": "string", **schema}, Limits(states=2**20))
    assert [text for text in inside if not written(text)] == []
    assert [text for text in outside if written(text)] == []


@pytest.mark.parametrize(
    ("schema", "inside", "outside"),
    [
        ({"maxItems": 1_000}, [[], [1] * 1_000], [[1] * 1_001]),
        ({"minItems": 1_500, "items": {"type": "integer"}}, [[1] * 1_500, [1] * 1_600], [[1] * 1_499, [1.5] * 1_600]),
        ({"maxItems": 2**70, "items": {"type": "null"}}, [[None] * 2_000], [[1]]),
        ({"not": {"maxItems": 1_500}}, [[1] * 1_501], [[1] * 1_500, []]),
    ],
)
def test_arrays(accepts, schema, inside, outside):
    written = accepts({"type": "array", **schema})
    assert [len(items) for items in inside if not written(items)] == []
    assert [len(items) for items in outside if written(items)] == []


def test_a_large_bound_costs_nothing_until_a_text_comes_there(accepts):
    written = accepts({"type": "string", "maxLength": 10**9})
    assert written("x" * 50)
    assert written.source.tables.state_count < 2_000


def test_what_no_text_can_reach_is_no_error_before(accepts):
    limits = Limits(states=1_000)
    written = accepts({"type": "string", "minLength": 2**70}, limits)
    assert not written("x" * 100)
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        written("x" * 1_000)


@pytest.mark.parametrize(
    "schema", [{"maxLength": 300_000}, {"minLength": 200_000}, {"minLength": 5, "maxLength": 10**9}]
)
def test_long_strings_take_no_more_states_than_short_ones(accepts, schema):
    written = accepts({"type": "string", **schema}, longest_token=128)
    assert written("xé\n" * 100_000)
    assert written.source.tables.state_count < 120_000
    assert not written("x" * 300_001) or schema.get("maxLength") != 300_000


@pytest.mark.parametrize("chunk", [3, 7])
@pytest.mark.parametrize("schema", [{"minLength": 0}, {"minLength": 2}, {"minLength": 17}, {"minLength": 40}])
@pytest.mark.parametrize("more", [{}, {"maxLength": 40}, {"maxLength": 61}])
def test_chunks_are_not_seen(accepts, monkeypatch, chunk, schema, more):
    """Lengths around the ends of chunks, in all spellings; and the masks there, which are what can be accepted."""
    monkeypatch.setattr(counted_strings, "_LEAST_CHUNK", chunk)
    monkeypatch.setattr(counted_strings, "_TOKENS_OF_CHUNK", 0)
    monkeypatch.setattr(counted_strings, "_MANY_CHUNKS", 1)
    schema = {"type": "string", **schema, **more}
    for character in ("x", "é", '"', "\U0001f600"):
        written = accepts(schema)
        for count in range(70):
            is_right = schema["minLength"] <= count <= schema.get("maxLength", 70)
            assert written(character * count) == is_right


@pytest.mark.parametrize("chunk", [12, 19])
@pytest.mark.parametrize("schema", [{"minLength": 90}, {"minLength": 2, "maxLength": 101}, {"maxLength": 75}])
def test_masks_in_chunks_are_what_can_be_accepted(monkeypatch, chunk, schema):
    monkeypatch.setattr(counted_strings, "_LEAST_CHUNK", chunk)
    monkeypatch.setattr(counted_strings, "_TOKENS_OF_CHUNK", 1)
    monkeypatch.setattr(counted_strings, "_MANY_CHUNKS", 2)
    pieces = [b"x" * n for n in range(2, 12)] + [
        b'xx"',
        b'xxxxxx",',
        b"\xc3\xa9\xc3",
        b"\\u00",
        b"x\\",
        b'",',
        b'["xxxx',
    ]
    tokens = [*(bytes([byte]) for byte in range(256)), *pieces]
    vocabulary = checkrail.Vocabulary.from_bytes([*tokens, None], eos=len(tokens))
    schema = {"type": "array", "items": {"type": "string", **schema}, "maxItems": 2}
    constraint = checkrail.compile(checkrail.Grammar.from_json_schema(schema, profile="open"), vocabulary)
    row = array("I", [0]) * words_for(len(tokens) + 1)
    chance = random.Random(chunk)
    for _ in range(6):
        matcher = constraint.matcher()
        while not matcher.is_completed():
            matcher.fill_next_token_bitmask(row)
            allowed = [t for t in range(len(tokens)) if row[t >> 5] >> (t & 31) & 1]
            tried = []
            for token in range(len(tokens)):
                if matcher.accept_token(token):
                    tried.append(token)
                    matcher.rollback()
            assert allowed == tried
            wanted = [
                t for t in allowed if tokens[t].startswith((b"x", b"\xc3", b"]", b'"')) or not chance.randrange(4)
            ]
            matcher.accept_token(chance.choice(wanted or allowed))


def test_the_whole_automaton_is_refused_only_when_it_is_asked_for():
    from checkrail.automaton.compiler import compile_automaton

    for schema in ({"type": "string", "maxLength": 10**9}, {"type": "array", "minItems": 10**9}):
        grammar = Grammar.from_json_schema(schema, profile="open")
        with pytest.raises(GrammarError, match="GRAMMAR_BUDGET_STATES"):
            compile_automaton(grammar)
