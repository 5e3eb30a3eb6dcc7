"""`format: regex` in the mask: what it lets through are regular expressions, and common ones are let through."""

from __future__ import annotations

import random
import re

import pytest
import regress

from checkrail.boundary.validation.patterns import is_pattern
from checkrail.json_schema.algebra.format_regex import REGEX
from checkrail.limits import DEFAULT_LIMITS
from checkrail.regular.texts import text_automaton

AUTOMATON = text_automaton(REGEX, (), DEFAULT_LIMITS)

COMMON = ["", "old text", "^[a-z]+$", "^$|^[A-Z][a-z0-9A-Z]*$", "^\\d{4}-\\d{2}$", "(?:a|b)+?", "^(?!foo).*$", "a{2,}"]
COMMON += ['[^\\s"\\\\]', "a{1,255}", "a{10,200}", "^((25[0-5]|2[0-4]\\d)\\.){3}(x(y(z)))$", "[\\w.-]+@[\\w-]+"]
COMMON += ["\\p{L}+", "\\u00e9", "é|日", "[]", "a|b||c"]
WRONG = ["[", "(", ")", "a**", "+", "a{2,1}", "[z-a]", "\\", "(?<n", "{", "}", "]", "a{", "x{1,0}", "(?=a)*", "\\q"]


@pytest.mark.parametrize("text", COMMON)
def test_common_ones(text):
    regress.Regex(text, "u")
    assert AUTOMATON.accepts(text)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_none(text):
    with pytest.raises(regress.RegressError):
        regress.Regex(text, "u")
    assert not AUTOMATON.accepts(text)


def test_random_members_are_regular_expressions():
    rng = random.Random(3)
    row, partition = AUTOMATON.characters.row, AUTOMATON.partition
    samples = [[] for _ in range(partition.width)]
    for code in (*range(0x20, 0x7F), 0xE9, 0x65E5, 0xFFFD):
        samples[partition.letter(code)].append(chr(code))
    lengths = []
    for _ in range(600):
        state, text = AUTOMATON.characters.start, ""
        for _ in range(rng.randint(1, 40)):
            moves = [(letter, target) for letter, target in enumerate(row(state)) if target >= 0 and samples[letter]]
            letter, state = rng.choice(moves)
            text += rng.choice(samples[letter])
        if AUTOMATON.characters.accepting(state):
            lengths.append(len(text))
            regress.Regex(text, "u")
            assert is_pattern(text) or "(?<" in text or re.search(r"\\[pbB]", text), text
    assert len(lengths) > 100
    assert max(lengths) > 30


def test_in_a_schema(opened):
    accepts = opened({"type": "string", "format": "regex"})
    assert accepts('"^[a-z]\\\\d+$"')
    assert accepts('"a\\u002b"')
    assert not accepts('"["')
