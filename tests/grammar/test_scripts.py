"""Scripts of Unicode against an engine that has tables of its own."""

from __future__ import annotations

import random

import pytest
import regress

from checkrail.grammar.codepoints import is_surrogate
from checkrail.grammar.regex_classes import property_ranges
from checkrail.grammar.scripts import script_ranges
from checkrail.grammar.unicode_scripts import SCRIPTS

NAMES = [word.removesuffix(":").split("|") for word in SCRIPTS.split() if word.endswith(":")]
SAMPLE = 12


@pytest.mark.parametrize("key", ["Script", "Script_Extensions"])
def test_ends_of_ranges(key: str) -> None:
    choose = random.Random(1)
    for names in NAMES:
        ranges = property_ranges(f"{key}={names[0]}")
        assert ranges
        peer = regress.Regex(f"^\\p{{{key}={names[0]}}}$", "u")
        ends = [code for low, high in ranges for code in (low - 1, low, high, high + 1)]
        for code in choose.sample(ends, min(len(ends), SAMPLE)):
            if 0 <= code < 0x110000 and not is_surrogate(code):
                inside = any(low <= code <= high for low, high in ranges)
                assert (peer.find(chr(code)) is not None) == inside, (names, hex(code))


def test_short_names_mean_the_same() -> None:
    for long, *others in NAMES:
        for short in others:
            assert property_ranges(f"sc={short}") == script_ranges(long)
            assert property_ranges(f"scx={short}") == script_ranges(long, extended=True)


def test_each_character_has_one_script() -> None:
    taken: set[int] = set()
    for long, *_ in NAMES:
        codes = {code for low, high in script_ranges(long) or () for code in range(low, high + 1)}
        assert codes
        assert taken.isdisjoint(codes)
        taken |= codes
    assert len(NAMES) > 170


def test_unknown_names() -> None:
    assert script_ranges("Klingon") is None
    assert property_ranges("Script=greek") is None
    assert property_ranges("Greek") is None
