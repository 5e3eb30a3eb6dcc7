"""Strings of several sets as one language: what the languages of the sets say side by side, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.grammar.expression import ANY_CHARACTER, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.texts import ALL_TEXTS, TextAlgebra, Texts
from checkrail.limits import DEFAULT_LIMITS
from checkrail.ondemand.key_rests import key_rest
from checkrail.ondemand.scalars import any_string, string_language
from checkrail.ondemand.sorted_strings import sorted_strings
from strategies import regular_expressions

ALGEBRA = TextAlgebra(DEFAULT_LIMITS)
PATTERNS = [
    "^[a-z0-9-]+$",
    "^[a-z]{2,5}$",
    "^(foo|bar)_[A-Z]+$",
    "[^ ]",
    ".",
    r"^(/[^/]+)+$",
    "^a.*",
    "^[^a]",
    "\n",
    '^"',
    "^(?!foo)[a-z]+$",
    "^\u00e9[\ud7ff-\uffff]*$",
]


def with_complement(texts: Texts) -> tuple[Texts, ...]:
    return texts, ALGEBRA.complement(texts)


def pattern(text: str) -> Texts:
    return Texts(None, search_expression(text))


def compare(parts: tuple[Texts, ...], *, as_rest: bool) -> None:
    """Walk the language and those of its parts side by side."""
    language = sorted_strings(parts, DEFAULT_LIMITS, as_rest=as_rest)
    assert language is not None
    each = [key_rest(part, DEFAULT_LIMITS) if as_rest else string_language(part, DEFAULT_LIMITS) for part in parts]
    maps = (language.class_map, *[part.class_map for part in each if part is not None])
    samples = list({columns: byte for byte, columns in enumerate(zip(*maps, strict=True))}.values())
    start = (0, *[-1 if part is None else 0 for part in each])
    pending, seen = [start], {start}
    for state, *places in pending:
        ended = tuple(
            number
            for number, (part, place) in enumerate(zip(each, places, strict=True))
            if part is not None and place >= 0 and part.accepting(place)
        )
        outcome = language.ends_as(state)
        assert (language.outcomes.parts(outcome) if outcome >= 0 else ()) == ended
        assert language.accepting(state) is bool(ended)
        for byte in samples:
            following = tuple(
                -1 if part is None or place < 0 else part.row(place)[part.class_map[byte]]
                for part, place in zip(each, places, strict=True)
            )
            target = language.row(state)[language.class_map[byte]]
            assert (target >= 0) is (max(following) >= 0), (bytes([byte]), following)
            key = (target, *following)
            if target >= 0 and key not in seen:
                seen.add(key)
                pending.append(key)
        assert len(seen) < 5000


@pytest.mark.parametrize("as_rest", [False, True])
@pytest.mark.parametrize("text", PATTERNS)
def test_a_pattern_and_all_other_strings(text, as_rest):
    compare(with_complement(pattern(text)), as_rest=as_rest)
    compare((pattern(text), ALL_TEXTS), as_rest=as_rest)


@pytest.mark.parametrize("as_rest", [False, True])
@pytest.mark.parametrize(
    ("first", "second"), [("^a", "b$"), ("^[a-z]+$", "^[a-c]{2,4}$"), ("^x-", "^y-"), (".", "^a+$")]
)
def test_two_patterns_and_what_is_beside_them(first, second, as_rest):
    outside = ALGEBRA.intersect(pattern(second), ALGEBRA.complement(pattern(first)))
    rest = ALGEBRA.intersect(*[ALGEBRA.complement(pattern(text)) for text in (first, second)])
    compare((pattern(first), outside, rest), as_rest=as_rest)
    compare((ALL_TEXTS, pattern(second), *with_complement(pattern(first))), as_rest=as_rest)


@pytest.mark.parametrize("text", PATTERNS)
def test_the_same_may_follow_before_each_character(text):
    language = sorted_strings(with_complement(pattern(text)), DEFAULT_LIMITS, as_rest=True)
    plain = [language.class_map[byte] for byte in range(0x20, 0x7F) if byte not in b'"\\']
    pending, seen = [0], {0}
    for state in pending:
        row = language.row(state)
        assert [target >= 0 for target in row] == [target >= 0 for target in language.row(0)]
        found = {row[letter] for letter in plain}
        pending += found - seen
        seen |= found
    assert language.begins_character(max(seen))


@pytest.mark.parametrize("lengths", [(0, 3), (1, 4), (2, None)])
def test_lengths_beside_all_strings(lengths):
    compare((Texts(None, Repeat(ANY_CHARACTER, *lengths)), ALL_TEXTS), as_rest=False)


@given(regular_expressions, st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_pattern(expression, as_rest):
    found = Texts(None, expression)
    compare((found, ALL_TEXTS), as_rest=as_rest)
    parts = with_complement(found)
    if all(part.members is None for part in parts):
        compare(parts, as_rest=as_rest)


def test_what_does_not_hold_all_strings_is_no_such_language():
    for parts in [(pattern("^a"), pattern("^b")), (Texts(("a",)), ALL_TEXTS), (pattern("^a"), pattern("^[^a]"))]:
        assert sorted_strings(parts, DEFAULT_LIMITS, as_rest=False) is None


def test_what_is_decided_is_named_as_in_any_string_with_the_outcome():
    parts = with_complement(pattern("^a.*"))
    language = sorted_strings(parts, DEFAULT_LIMITS, as_rest=False)
    free = any_string()
    inside = free.row(0)[free.class_map[ord('"')]]
    state = 0
    for byte in b'"ba':
        state = language.row(state)[language.class_map[byte]]
    number = language.outcomes.number((1,))
    name = language.name_of(state)
    assert name == (free.name_of(inside) if number == 0 else (free.name_of(inside), number))
    undecided = language.row(0)[language.class_map[ord('"')]]
    assert language.name_of(undecided)[0] != free.name_of(inside)[0] or language.name_of(undecided)[1] != name[1]


def test_a_bound_that_no_token_comes_to_decides_nothing():
    parts = (Texts(None, Repeat(ANY_CHARACTER, 0, 1000)), ALL_TEXTS)
    language = sorted_strings(parts, DEFAULT_LIMITS, as_rest=False)
    state = language.row(0)[language.class_map[ord('"')]]
    both = language.outcomes.number((0, 1))
    free = any_string()
    name = free.name_of(free.row(0)[free.class_map[ord('"')]])
    assert language.name_of(state, 100) == ((name, both) if both else name)
    assert language.name_of(state, 1000) not in (name, (name, both))
