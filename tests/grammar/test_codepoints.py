from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.grammar.codepoints import (
    ALL,
    LAST,
    character_class,
    complement,
    contains,
    difference,
    intersect,
    normalise,
    ranges_of,
    union,
)
from checkrail.grammar.expression import ANY_CHARACTER, CharacterClass

# Around the seams: the start, ASCII, the surrogates, the end.
SEAMS = [*range(5), 0x7F, 0x80, *range(0xD7FD, 0xD803), *range(0xDFFD, 0xE003), *range(LAST - 3, LAST + 1)]
codes = st.sampled_from(SEAMS)
raw_ranges = st.lists(st.tuples(codes, codes), max_size=4)


def members(ranges) -> set[int]:
    return {code for code in SEAMS if any(low <= code <= high for low, high in ranges)}


SCALARS = {code for code in SEAMS if not 0xD800 <= code <= 0xDFFF}


@given(raw_ranges)
def test_normalised_ranges_are_sorted_disjoint_apart_and_without_surrogates(ranges):
    result = normalise(ranges)
    assert members(result) == members(ranges) & SCALARS
    for (_, high), (low, _) in pairwise(result):
        assert low > high + 1
    assert all(low <= high for low, high in result)
    assert not any(low <= 0xDFFF and high >= 0xD800 for low, high in result)
    assert normalise(result) == result


@given(raw_ranges, raw_ranges)
def test_operations_are_those_of_sets(left, right):
    a, b = normalise(left), normalise(right)
    assert members(union(a, b)) == members(a) | members(b)
    assert members(intersect(a, b)) == members(a) & members(b)
    assert members(difference(a, b)) == members(a) - members(b)
    assert members(complement(a)) == SCALARS - members(a)
    assert complement(complement(a)) == a
    for operation in (union(a, b), intersect(a, b), difference(a, b), complement(a)):
        assert normalise(operation) == operation


def test_complements_of_the_extremes():
    assert complement(()) == ALL == ANY_CHARACTER.ranges
    assert complement(ALL) == ()
    assert complement([(0xD800, 0xDFFF)]) == ALL


@given(st.text(max_size=5))
def test_ranges_of_a_text_hold_its_characters_and_no_others(text):
    ranges = ranges_of(text)
    assert all(contains(ranges, ord(char)) for char in text)
    assert sum(high - low + 1 for low, high in ranges) == len(set(text))


@pytest.mark.parametrize(
    ("ranges", "negated", "expected"),
    [
        ([(98, 99), (97, 97)], False, ((97, 99),)),
        ([(0, LAST)], True, ()),
        ([(1, LAST)], True, ((0, 0),)),
        ([(0xD800, 0xDBFF)], False, ()),
        ([], True, ALL),
    ],
)
def test_character_class(ranges, negated, expected):
    assert character_class(ranges, negated) == CharacterClass(expected)
