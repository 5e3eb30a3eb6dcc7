"""Both cases of letters, against Python's regular expressions."""

from __future__ import annotations

import re

import pytest

from checkrail.grammar.codepoints import ALL, contains, normalise
from checkrail.grammar.letter_case import both_cases

# all that have a case, and their neighbours
CODES = [c for c in range(0x20000) if c < 0x500 or chr(c).lower() != chr(c).upper()]


def single(char: str) -> tuple[tuple[int, int], ...]:
    return ((ord(char), ord(char)),)


@pytest.mark.parametrize("char", "aZ1éÉßσςΣяЯǆǅǄªıİ本")
def test_a_letter_and_what_python_takes_for_it(char: str) -> None:
    """All that Python's flag lets in, but for partners beyond ASCII of letters within, and those of `İ`."""
    found = both_cases(single(char))
    pattern = re.compile(re.escape(char), re.IGNORECASE)
    for code in CODES:
        same_side = (code < 128) == (char < "\x80")
        expected = same_side and pattern.fullmatch(chr(code)) is not None
        if char not in "ıİ":
            assert contains(found, code) == expected, chr(code)
    assert contains(found, ord(char))


def test_ascii_stays_ascii() -> None:
    assert both_cases(single("k")) == normalise([*single("k"), *single("K")])
    assert both_cases(single("\u212a")) == single("\u212a")
    assert both_cases(((0x61, 0x7A),)) == ((0x41, 0x5A), (0x61, 0x7A))


def test_everything_is_everything() -> None:
    assert both_cases(ALL) == ALL
    assert both_cases(()) == ()


def test_it_is_a_closure() -> None:
    greek = both_cases(((0x370, 0x3FF),))
    assert both_cases(greek) == greek
