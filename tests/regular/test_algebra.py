"""The regular package against definitions: brute force over all short texts, and Python's UTF-8 codec."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError, GrammarError
from checkrail.grammar.expression import (
    ANY_CHARACTER,
    EMPTY,
    NOTHING,
    CharacterClass,
    Choice,
    Complement,
    Intersection,
    JsonString,
    Literal,
    Reference,
    Repeat,
    Sequence,
)
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.regular.compile import compile_regular
from checkrail.regular.determinize import determinize
from checkrail.regular.dfa import Dfa
from checkrail.regular.minimize import minimize
from checkrail.regular.nfa import Nfa
from checkrail.regular.operations import difference, is_subset, union
from checkrail.regular.partition import Partition
from checkrail.regular.utf8 import hex_sequences, surrogate_sequences, utf8_sequences
from reference import matches
from strategies import ALPHABET, algebra, regular_expressions, texts

SHORT = [""] + ["".join(w) for n in (1, 2, 3) for w in itertools.product('ab"é', repeat=n)]


@given(regular_expressions)
@settings(max_examples=150)
def test_an_automaton_has_the_texts_of_its_expression(expression):
    dfa = compile_regular(expression)
    for text in SHORT:
        assert dfa.accepts(text) == matches(expression, text), text


@given(algebra, st.lists(texts, max_size=8))
@settings(max_examples=150)
def test_boolean_algebra_and_json_spellings_mean_what_they_say(expression, some):
    dfa = compile_regular(expression)
    for text in [*SHORT[:40], *some]:
        assert dfa.accepts(text) == matches(expression, text), text


@given(regular_expressions, regular_expressions)
@settings(max_examples=60)
def test_union_difference_and_subset_agree_with_membership(first, second):
    a, b = compile_regular(first), compile_regular(second)
    joined, only_a = union(a, b, DEFAULT_LIMITS), difference(a, b, DEFAULT_LIMITS)
    for text in SHORT:
        assert joined.accepts(text) == (a.accepts(text) or b.accepts(text))
        assert only_a.accepts(text) == (a.accepts(text) and not b.accepts(text))
    assert is_subset(a, joined, DEFAULT_LIMITS)
    assert is_subset(a, b, DEFAULT_LIMITS) == only_a.is_empty()


@given(regular_expressions)
@settings(max_examples=60)
def test_minimal_automata_of_equal_languages_are_equal(expression):
    plain = compile_regular(expression)
    doubled = compile_regular(Choice((expression, expression)))
    assert (len(plain), plain.accepting) == (len(doubled), doubled.accepting)
    assert compile_regular(Complement(Complement(expression))).accepting.count(1) == plain.accepting.count(1)


def test_hopcroft_merges_what_brute_force_finds_equivalent():
    # Two copies of one loop: 5 states, 2 classes.
    dfa = Dfa(Partition.of([((0, 0),), ((1, 1),)]), (), ({0: 1, 1: 2}, {0: 3}, {0: 4}, {0: 1}, {0: 2}), b"\0\1\1\1\1")
    assert len(minimize(dfa)) == 2


def test_a_shortest_word_is_found_and_accepted():
    dfa = compile_regular(Choice((Literal("abc"), Sequence((Literal("x"), CharacterClass(((48, 57),)))))))
    word = dfa.shortest()
    assert word is not None
    assert len(word) == 2
    assert dfa.accepts(word)
    assert compile_regular(NOTHING).shortest() is None
    assert compile_regular(EMPTY).shortest() == []


@given(st.lists(st.tuples(st.integers(0, 0x10FFFF), st.integers(0, 0x3000)), min_size=1, max_size=4))
@settings(max_examples=60)
def test_utf8_sequences_are_the_encodings_and_nothing_else(spans):
    ranges = tuple((low, min(low + n, 0x10FFFF)) for low, n in spans)
    ranges = tuple(r for r in ranges if r[1] < 0xD800 or r[0] > 0xDFFF)
    sequences = list(utf8_sequences(ranges))
    members = {p for low, high in ranges for p in (low, high, (low + high) // 2)}
    for point in members:
        data = chr(point).encode()
        assert any(
            len(s) == len(data) and all(a <= x <= b for (a, b), x in zip(s, data, strict=True)) for s in sequences
        )
    for sequence in sequences:
        for corner in ([a for a, _ in sequence], [b for _, b in sequence]):
            point = ord(bytes(corner).decode())
            assert any(low <= point <= high for low, high in ranges)


def test_hex_and_surrogate_sequences_cover_exactly():
    wanted = set(range(0x0FE, 0x1203))
    found = set()
    for (a, b), (c, d), (e, f), (g, h) in hex_sequences(((0x0FE, 0x1202),)):
        for w, x, y, z in itertools.product(range(a, b + 1), range(c, d + 1), range(e, f + 1), range(g, h + 1)):
            value = w << 12 | x << 8 | y << 4 | z
            assert value not in found
            found.add(value)
    assert found == wanted
    pairs = set()
    for (a, b), (c, d) in surrogate_sequences(((0x103F0, 0x10C05),)):
        pairs |= {0x10000 + ((h - 0xD800) << 10 | low - 0xDC00) for h in range(a, b + 1) for low in range(c, d + 1)}
    assert pairs == set(range(0x103F0, 0x10C06))


def test_any_json_string_is_a_dozen_states_and_refuses_lone_surrogates():
    dfa = compile_regular(JsonString(Repeat(ANY_CHARACTER, 0, None)))
    assert len(dfa) < 20
    for good in ("", "é", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\uD83D\\uDE00", "\U0001f600", "\\/"):
        assert dfa.accepts(good)
    for bad in ('"', "\\", "\\x", "\\ud83d", "\\ude00", "\\ud83d\\u0041", "\n", "\x1f", "\\u12"):
        assert not dfa.accepts(bad)


def test_what_is_not_regular_or_too_large_is_refused():
    with pytest.raises(GrammarError) as caught:
        compile_regular(Intersection((Reference("r"),)), {"r": Sequence((Literal("a"), Reference("r")))})
    assert caught.value.code == "GRAMMAR_NOT_REGULAR"
    with pytest.raises(BudgetError) as budget:
        compile_regular(Repeat(Literal("ab"), 0, 500), limits=Limits(states=100))
    assert budget.value.code == "GRAMMAR_BUDGET_STATES"


def test_exponential_subsets_end_in_a_budget_error():
    # (a|b)*a(a|b){24} needs 2**25 states.
    any_ab = CharacterClass(((97, 98),))
    expression = Sequence((Repeat(any_ab, 0, None), Literal("a"), Repeat(any_ab, 24, 24)))
    with pytest.raises(BudgetError):
        compile_regular(expression, limits=Limits(states=5000))


def test_quadratic_closures_are_bounded_too():
    nfa = Nfa(10**6)
    states = [nfa.state() for _ in range(4000)]
    for before, after in itertools.pairwise(states):
        nfa.link(before, after)
        nfa.edge(before, ((97, 97),), after)
    with pytest.raises(BudgetError):
        determinize(nfa, states[0], states[-1], Limits(states=1000))


@pytest.mark.parametrize("letter", ALPHABET)
def test_partition_letters_tell_exactly_the_labels_apart(letter):
    labels = [((ord(c), ord(c)),) for c in ALPHABET] + [((0, 0x7F),)]
    partition = Partition.of(labels)
    for label in labels:
        inside = partition.letter(ord(letter)) in partition.letters_of(label)
        assert inside == any(low <= ord(letter) <= high for low, high in label)
