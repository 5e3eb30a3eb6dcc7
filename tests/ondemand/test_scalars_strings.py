"""Languages of strings and keys: equal to the expressions of the static pipeline, and to what Python's json reads."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.grammar.expression import ANY_CHARACTER, Choice, Complement, Intersection, Repeat
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.formats import EXACT_FORMATS
from checkrail.json_schema.algebra.lower_scalars import key_expression, text_expression
from checkrail.json_schema.algebra.texts import ALL_TEXTS, Texts
from checkrail.json_schema.formats import MASK_FORMATS
from checkrail.limits import DEFAULT_LIMITS
from checkrail.ondemand.language import Language
from checkrail.ondemand.scalars import key_language, string_language
from language_oracle import assert_same_language
from reference import json_spelling_denotes, matches
from strategies import combinations, texts

# As they are in the wild.
PATTERNS = [
    r"^[a-z0-9-]+$",
    r"^\d{4}-\d{2}$",
    r"^(foo|bar)_[A-Z]+$",
    r"[^ ]",
    r"^\S+$",
    r"^(?!\s*$).+",
    r"^[^\x00-\x1f]*$",
    r"^#[0-9a-fA-F]{6}$",
    r"^([^/]+/)*[^/]+$",
    r"^\p{Lu}\p{Ll}*$",
    r"\\",
    r'^"[^"]*"$',
    r"^(?!foo)[a-z]+$",
    r"^([a-z]+ ){0,49}[a-z]+$",
    r"[\u{10000}-\u{1F600}]",
    r"^[\u00e9\ud7ff\ue000\uffff]$",
    r"^[\ufffe-\u{10400}]{2}",
    "",
    r"\n",
]


def accepts(language: Language | None, data: bytes) -> bool:
    if language is None:
        return False
    state = 0
    for byte in data:
        state = language.row(state)[language.class_map[byte]]
        if state < 0:
            return False
    return language.accepting(state)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_as_strings_and_as_keys(pattern):
    shape = search_expression(pattern)
    for found in (Texts(None, shape), Texts(None, Complement(shape))):
        assert_same_language(string_language(found, DEFAULT_LIMITS), text_expression(found))
        assert_same_language(key_language(found, DEFAULT_LIMITS), key_expression(found))


@pytest.mark.parametrize("lengths", [(0, 0), (1, None), (0, 3), (5, 5), (4, 9)])
@pytest.mark.parametrize("pattern", [None, "[^ ]", "^[a-zé]+$", "^(ab|cde)*$", r"^\d{4}-\d{2}$", "^(?!.*x)"])
def test_lengths(pattern, lengths):
    bounds = Repeat(ANY_CHARACTER, *lengths)
    found = Texts(None, bounds if pattern is None else Intersection((search_expression(pattern), bounds)))
    assert_same_language(string_language(found, DEFAULT_LIMITS), text_expression(found))


@pytest.mark.parametrize("name", sorted({*MASK_FORMATS, *EXACT_FORMATS}))
def test_formats(name):
    for table in (EXACT_FORMATS, {key: entry.shape for key, entry in MASK_FORMATS.items()}):
        if name in table:
            found = Texts(None, table[name], (), table is not EXACT_FORMATS)
            assert_same_language(string_language(found, DEFAULT_LIMITS), text_expression(found))


@given(combinations, st.sets(texts, max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_set_of_texts(shape, without):
    found = Texts(None, shape, tuple(sorted(without)))
    assert_same_language(string_language(found, DEFAULT_LIMITS), text_expression(found))
    assert_same_language(key_language(found, DEFAULT_LIMITS), key_expression(found))


@given(st.sets(st.one_of(texts, st.text(max_size=5)), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_listed_texts_and_all_others(members):
    listed = Texts(tuple(sorted(members)))
    assert_same_language(string_language(listed, DEFAULT_LIMITS), text_expression(listed))
    others = Texts(None, ALL_TEXTS.shape, tuple(sorted(members)))
    assert_same_language(key_language(others, DEFAULT_LIMITS), key_expression(others))


def test_unions_of_counted_shapes():
    patterns = [search_expression(pattern) for pattern in ("^a+$", "b", "^[^c]*$")]
    options = [Intersection((e, Repeat(ANY_CHARACTER, low, low + 3))) for low, e in enumerate(patterns)]
    found = Texts(None, Choice((*options, search_expression("^(yes|no)$"))))
    assert_same_language(string_language(found, DEFAULT_LIMITS), text_expression(found))


def spellings(text: str) -> list[str]:
    escaped = "".join(f"\\u{unit:04X}" for unit in utf16(text))
    return [json.dumps(text, ensure_ascii=False), json.dumps(text), f'"{escaped}"', f'"{escaped.lower()}"']


def utf16(text: str) -> list[int]:
    data = text.encode("utf-16-be")
    return [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]


@given(
    st.sampled_from([("[^ ]", 0, 1_000_000), (r"^[^ \n]+$", 2, 4), ("^[a-zé]*$", 0, 3), (r"\\|/", 1, 9_999)]),
    st.text('ab é\\"/\n\x1f日\ud7ff\U0001f600\U0010ffff\x7f', max_size=6),
)
@settings(max_examples=150, deadline=None)
def test_every_spelling_of_exactly_the_members(bounded, text):
    pattern, low, high = bounded
    shape = Intersection((search_expression(pattern), Repeat(ANY_CHARACTER, low, high)))
    language = string_language(Texts(None, shape), DEFAULT_LIMITS)
    expected = low <= len(text) <= high and re.search(pattern.replace("$", r"\Z"), text) is not None
    for spelling in spellings(text):
        assert json.loads(spelling) == text
        raw_controls = not all(char >= " " for char in spelling)
        if not (pattern == "^[a-zé]*$" and "\\" in spelling):  # those need no escapes, so they have none
            assert accepts(language, spelling.encode()) == (expected and not raw_controls), spelling


@given(st.sampled_from(["[^ ]", r"^[^\n]*$", "^.?.?$"]), st.text('"\\u0dDcC8beE1ntr/ a\n', max_size=14))
@settings(max_examples=200, deadline=None)
def test_nothing_but_json_strings(pattern, inside):
    shape = search_expression(pattern)
    language = string_language(Texts(None, shape), DEFAULT_LIMITS)
    text = json_spelling_denotes(inside)
    assert accepts(language, f'"{inside}"'.encode()) == (text is not None and matches(shape, text))


@given(st.binary(max_size=5))
@settings(max_examples=200, deadline=None)
def test_nothing_but_utf_8(data):
    language = string_language(Texts(None, search_expression("^[^a\\u{2000}-\\u{20000}]*$")), DEFAULT_LIMITS)
    try:
        text = json.loads(b'"' + data + b'"')
        expected = isinstance(text, str) and not re.search("[a\u2000-\U00020000]", text)
    except ValueError:
        expected = False
    assert accepts(language, b'"' + data + b'"') == expected


def test_surrogates_have_no_spelling():
    language = string_language(Texts(None, search_expression("[^ ]")), DEFAULT_LIMITS)
    for lone in ("\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83d\\u0041", "\\ud83dx", "\\uD83D\\n"):
        assert not accepts(language, f'"x{lone}"'.encode())
    assert accepts(language, b'"\\ud83d\\uDE00"')
    assert not accepts(language, b'"x\xed\xa0\xbd\xed\xb8\x80"')
