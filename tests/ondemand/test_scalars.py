"""Languages of scalars as a whole: what they share, what they are called, what bounds them."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import BudgetError
from checkrail.grammar.expression import ANY_CHARACTER, Choice, Intersection, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.numbers import ALL_NUMBERS, NumberRange
from checkrail.json_schema.algebra.texts import ALL_TEXTS, NO_TEXTS, Texts
from checkrail.json_schema.decimals import NUMBER
from checkrail.json_schema.strings import ANY_STRING
from checkrail.limits import DEFAULT_LIMITS, Limits
from checkrail.ondemand.kept import Kept
from checkrail.ondemand.language import ENDLESS_RUN, UNKNOWN_RUN, Language
from checkrail.ondemand.scalars import (
    ANY_CANONICAL,
    any_number,
    any_string,
    key_language,
    number_language,
    string_language,
    word_language,
)
from checkrail.ondemand.words import WordLanguage
from language_oracle import assert_same_language

PATTERNS = ["[^ ]", "^a{2,6}$", "^[a-f]*$", "x$", "^(ab|c)+$", "^.{3,9}$"]


def texts_of(pattern: str | None, low: int = 0, high: int | None = None) -> Texts:
    bounds = Repeat(ANY_CHARACTER, low, high)
    return Texts(None, bounds if pattern is None else Intersection((search_expression(pattern), bounds)))


def language_of(texts: Texts) -> Language:
    language = string_language(texts, DEFAULT_LIMITS)
    assert language is not None
    return language


def read(language: Language, data: bytes) -> int:
    state = 0
    for byte in data:
        state = language.row(state)[language.class_map[byte]] if state >= 0 else -1
    return state


def accepts(language: Language, data: bytes) -> bool:
    state = read(language, data)
    return state >= 0 and language.accepting(state)


def test_any_string_and_any_number_are_those_of_the_static_pipeline():
    assert len(assert_same_language(any_string(), ANY_STRING)) == any_string().size == 22
    assert_same_language(any_number(), NUMBER)
    assert string_language(ALL_TEXTS, DEFAULT_LIMITS) is any_string()
    assert number_language(ALL_NUMBERS, "", DEFAULT_LIMITS) is any_number()


def test_the_rest_of_a_canonical_string():
    assert accepts(ANY_CANONICAL, 'é\\n\\"\\\\/"'.encode())
    assert accepts(ANY_CANONICAL, b'\\u001f"')
    for other in (b'\\/"', b'\\u001F"', b'\\u0041"', b'\\u000a"', b"", b'\n"', b'\xed\xa0\x80"'):
        assert not accepts(ANY_CANONICAL, other), other


def test_complete_languages_have_all_their_rows():
    for language in (any_string(), ANY_CANONICAL):
        assert language.size is not None
        assert len(language.rows) == language.size * language.width
        assert len(language.accepts) == language.size
        for state in range(language.size):
            assert list(language.row(state)) == list(language.rows[state * language.width :][: language.width])
            assert language.accepting(state) == bool(language.accepts[state])


def test_equal_sets_share_a_language():
    assert language_of(texts_of("[^ ]", 2)) is language_of(texts_of("[^ ]", 2))
    assert word_language(b"true") is word_language(b"true")
    ranges = (NumberRange(Decimal(1), Decimal(7)),)
    assert number_language(ranges, "/a", DEFAULT_LIMITS) is number_language(ranges, "/b", DEFAULT_LIMITS)


def test_what_is_empty_is_none():
    assert string_language(NO_TEXTS, DEFAULT_LIMITS) is None
    assert string_language(texts_of("^a{9}$", 0, 8), DEFAULT_LIMITS) is None
    assert string_language(Texts(None, search_expression("^(a|b)$"), ("a", "b")), DEFAULT_LIMITS) is None
    assert key_language(NO_TEXTS, DEFAULT_LIMITS) is None
    assert number_language((), "", DEFAULT_LIMITS) is None


def test_words():
    language = word_language(b"1", b"12", b"true")
    accepted = [word for word in (b"1", b"12", b"true", b"", b"2", b"tru", b"121") if accepts(language, word)]
    assert accepted == [b"1", b"12", b"true"]


# Names and runs


def either(*parts: Texts) -> Texts:
    return Texts(None, Choice(tuple(part.shape for part in parts)))


bounded_texts = st.builds(
    lambda pattern, low, more: texts_of(pattern, low, None if more is None else low + more),
    st.sampled_from([None, *PATTERNS]),
    st.integers(0, 7),
    st.sampled_from([None, 0, 1, 5, 9]),
)
sets_of_texts = st.one_of(
    bounded_texts,
    st.builds(either, bounded_texts, bounded_texts),
    st.builds(lambda texts: Texts(None, texts.shape, ("", "aa", "ab", "abab")), bounded_texts),
    st.sampled_from([Texts(("a", "ab", "cab")), Texts(("b", "bab")), ALL_TEXTS]),
)


@given(st.lists(sets_of_texts, min_size=2, max_size=4), st.integers(1, 4), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_equal_names_mean_equal_bytes_as_far_as_they_reach(sets, longest, chance):
    found: dict[object, tuple[Language, int]] = {}
    for texts in sets:
        language = string_language(texts, DEFAULT_LIMITS)
        if language is None:
            continue
        for state in {0, *walk(language, chance, 20)}:
            known = found.setdefault(language.name_of(state, longest), (language, state))
            assert_equal_within(*known, language, state, longest)


def test_what_is_left_of_a_union_has_the_name_of_its_part():
    ranges = (NumberRange(Decimal(5), Decimal(5)), NumberRange(Decimal(-9), Decimal(-7)))
    union = number_language(ranges, "", DEFAULT_LIMITS)
    part = number_language(ranges[1:], "", DEFAULT_LIMITS)
    assert union is not None
    assert part is not None
    assert union.name_of(read(union, b"-")) == part.name_of(read(part, b"-"))
    assert union.name_of(0) not in (None, part.name_of(0))
    assert union.plain_run(0) == union.plain_run(read(union, b"-")) == UNKNOWN_RUN
    assert word_language(b"true", b"no").name_of(read(word_language(b"true", b"no"), b"t")) == ("word", b"rue")


def walk(language: Language, chance: random.Random, steps: int) -> list[int]:
    states = [0]
    for _ in range(steps):
        following = [target for target in language.row(states[-1]) if target >= 0]
        states.append(chance.choice(following) if following else 0)
    return states


def assert_equal_within(a: Language, p: int, b: Language, q: int, longest: int) -> None:
    """Words of at most `longest` bytes lead to places that are alive and accept alike."""
    classes = {(a.class_map[byte], b.class_map[byte]) for byte in range(256)}
    layer = {(p, q)}
    for _ in range(longest + 1):
        following = set()
        for left, right in layer:
            assert a.accepting(left) == b.accepting(right)
            rows = a.row(left), b.row(right)
            for x, y in classes:
                pair = rows[0][x], rows[1][y]
                assert (pair[0] < 0) == (pair[1] < 0)
                if pair[0] >= 0:
                    following.add(pair)
        layer = following


def test_strings_of_many_lengths_share_names():
    names = {
        language_of(texts_of(None, 0, most)).name_of(read(language_of(texts_of(None, 0, most)), b'"ab'), 100)
        for most in (500, 600, 70_000)
    }
    assert len(names) == 1
    free = language_of(texts_of("[^ ]"))
    assert free.name_of(read(free, b'"x')) == any_string().name_of(read(any_string(), b'"'))


def test_escapes_share_names_only_where_they_mean_the_same():
    def name(pattern: str, data: bytes) -> object:
        language = language_of(texts_of(pattern))
        return language.name_of(read(language, data))

    assert name("^[ab]x?", b'"\\') != name("^[yz]x?", b'"\\')  # other letters, then anything
    assert name("^a", b'"a\\') == name("^b", b'"b\\') == any_string().name_of(read(any_string(), b'"\\'))
    assert name("^a", b'"a\\u') == name("^[bc]", b'"b\\u') != name("^[^b]", b'"\\u')


PLAIN = [chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\'] + list("é¡߿ࠀ日퟿﷐😀\U0010ffff")


@given(sets_of_texts, st.data())
@settings(max_examples=80, deadline=None)
def test_plain_runs_are_as_long_as_they_say(texts, data):
    language = string_language(texts, DEFAULT_LIMITS)
    if language is None:
        return
    state = 0
    for _ in range(data.draw(st.integers(0, 8))):
        following = sorted({target for target in language.row(state) if target >= 0})
        state = data.draw(st.sampled_from(following)) if following else 0
    run = language.plain_run(state)
    here = {state}
    for _ in range(min(run, 12)):
        here = {step(language, one, char) for one in here for char in PLAIN}
        assert min(here) >= 0
    if 0 <= run <= 12:
        assert {step(language, one, char) for one in here for char in PLAIN} == {-1}


def step(language: Language, state: int, char: str) -> int:
    for byte in char.encode():
        state = language.row(state)[language.class_map[byte]] if state >= 0 else -1
    return state


def test_runs_that_are_known_at_once():
    def run(texts: Texts, data: bytes) -> int:
        return language_of(texts).plain_run(read(language_of(texts), data))

    assert run(ALL_TEXTS, b'"abc') == ENDLESS_RUN
    assert run(texts_of(None, 5, 1_000_000), b'"abc') == 999_997
    assert run(texts_of("[^ ]"), b'"') == ENDLESS_RUN  # whether or not the end is in reach
    assert run(texts_of("[^ ]"), b'" x ') == ENDLESS_RUN
    assert run(texts_of("^[^ ]"), b'"') == UNKNOWN_RUN
    assert run(texts_of("^a"), b'"a') == ENDLESS_RUN
    assert run(texts_of("^[^]{3,900}$"), b'"') == 900
    assert run(texts_of("^[^]{3,900}$", 0, 7), b'"ab') == 5
    assert run(texts_of("^a.c$"), b'"a') == UNKNOWN_RUN  # no line end may follow, but that is no plain character
    assert run(ALL_TEXTS, b"") == 0
    assert run(texts_of("^[^]{70}c?$"), b'"') == UNKNOWN_RUN  # too far to look
    assert run(texts_of("^(?:[^][^])*$"), b'"') == ENDLESS_RUN
    assert run(texts_of("^[^]{9}c?$"), b'"') == UNKNOWN_RUN


# Bounds


def test_states_of_a_language_are_bounded():
    language = string_language(texts_of(None, 0, 1_000), Limits(states=60))
    assert language is not None
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):
        read(language, b'"' + b"x" * 200)
    with pytest.raises(BudgetError, match="GRAMMAR_BUDGET_STATES"):  # and again: nothing was half made
        read(language, b'"' + b"x" * 200)
    assert read(language, b'"xx') > 0


@pytest.mark.parametrize(
    ("pattern", "low", "high"),
    [
        ("^((a{0,30}){0,30}){0,30}b", 0, None),
        ("((a{0,30}b?){0,30}c?){0,30}d", 0, None),
        ("(.*a){30}", 0, None),
        ("(a|b)*a(a|b){60000}", 5, 70_000),
        ("(x+x+)+y", 100, 1_000_000),
        ("^(aa)*$", 999_999, 1_000_000),
    ],
)
def test_patterns_that_are_large_as_a_whole_begin_at_once(pattern, low, high):
    language = language_of(texts_of(pattern, low, high))
    for state in walk(language, random.Random(1), 50):
        language.row(state)


def test_what_is_kept_is_bounded():
    kept = Kept(200)
    languages = []
    for number in range(640):
        language = kept.get(number, lambda n=number: WordLanguage([b"%d" % n], DEFAULT_LIMITS))
        assert language is not None
        language.row(0)
        languages.append(language)
    assert len(kept) < 100
    assert kept.get(639, lambda: None) is languages[-1]
    assert kept.get(0, lambda: None) is None
    assert repr(kept).startswith("<Kept ")


def test_threads_may_share_a_language():
    texts = texts_of(r"^([a-f]{1,9}-)*\S+$", 3, 4_000)
    words = [b'"' + "ab-cd-é".encode() * n for n in range(1, 30)]
    reference = [read(language_of(texts), word) >= 0 for word in words]
    shared = string_language(texts, Limits(states=131_071))
    assert shared is not None
    with ThreadPoolExecutor(8) as pool:
        rounds = list(pool.map(lambda _: [read(shared, word) >= 0 for word in words], range(16)))
    assert all(found == reference for found in rounds)
    states = [read(shared, word) for word in words]
    assert states == [read(shared, word) for word in words]


def test_their_reprs_count():
    assert repr(any_string()) == "<FinishedLanguage 22 states, 22 classes>"
    assert repr(WordLanguage([b"null"], DEFAULT_LIMITS)) == "<WordLanguage 1 states so far, 4 classes>"
