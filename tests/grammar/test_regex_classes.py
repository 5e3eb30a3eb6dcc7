r"""The named character sets, against the ECMA-262 engine `regress` and Python's own ASCII `re`."""

from __future__ import annotations

import re
import unicodedata

import pytest
import regress

from checkrail.grammar.codepoints import ALL, complement, contains, union
from checkrail.grammar.regex_classes import NOT_LINE_END, SHORTHANDS, property_ranges

CODES = [*range(0x800), *range(0x800, 0x3100, 5), *range(0x3100, 0xD800, 397), *range(0xE000, 0x1E000, 197), 0x10FFFF]


def is_stable(code: int) -> bool:
    """Later versions of Unicode add characters and move a few; only what never changed is compared."""
    old, new = unicodedata.ucd_3_2_0.category(chr(code)), unicodedata.category(chr(code))
    return old == new != "Cn" and code != 0x295  # a letter without case since Unicode 17


KNOWN = [code for code in CODES if is_stable(code)]

LETTERS = ["L", "Letter", "LC", "Cased_Letter", "Lu", "Uppercase_Letter", "Ll", "Lt", "Lm", "Lo"]
OTHERS = ["M", "Mark", "Combining_Mark", "Mn", "Mc", "Me", "N", "Number", "Nd", "digit", "Nl", "No"]
SIGNS = ["P", "punct", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Symbol", "Sm", "Sc", "Sk", "So"]
SPACES = ["Z", "Separator", "Zs", "Zl", "Zp", "C", "Other", "Cc", "cntrl", "Cf", "Co"]
SPELLED = ["gc=Lu", "General_Category=Decimal_Number"]
BINARY = ["Any", "ASCII", "ASCII_Hex_Digit", "AHex", "Alphabetic", "Alpha", "Assigned"]
CASES = ["Lowercase", "Lower", "Uppercase", "Upper", "White_Space", "space"]


@pytest.mark.parametrize("name", [*LETTERS, *OTHERS, *SIGNS, *SPACES, *SPELLED, *BINARY, *CASES])
def test_properties_agree_with_an_ecma_engine(name):
    ranges = property_ranges(name)
    assert ranges is not None
    members = {code for low, high in ranges for code in range(low, high + 1)}
    positive, negative = (regress.Regex(rf"\{letter}{{{name}}}", "u") for letter in "pP")
    for code in KNOWN:
        char = chr(code)
        assert (code in members) == (positive.find(char) is not None), hex(code)
        assert (code in members) != (negative.find(char) is not None), hex(code)


def test_unassigned_is_the_complement_of_assigned():
    assert union(property_ranges("Cn") or (), property_ranges("Assigned") or ()) == ALL
    assert property_ranges("Unassigned") == property_ranges("Cn")
    assert not contains(property_ranges("Cn") or ALL, 0x61)


def test_all_categories_together_are_everything_once():
    parts = [property_ranges(name) or () for name in ("L", "M", "N", "P", "S", "Z", "C")]
    assert union(*parts) == ALL
    assert sum(high - low + 1 for part in parts for low, high in part) == sum(high - low + 1 for low, high in ALL)


@pytest.mark.parametrize("name", ["Script=Grek!", "sc=Hann", "Greek", "Emoji", "gc=X", "gc", "l", "", "Lx", "IsGreek"])
def test_unknown_properties_are_unknown(name):
    assert property_ranges(name) is None


@pytest.mark.parametrize("letter", "dDwWsS")
def test_shorthands_agree_with_an_ecma_engine(letter):
    pattern = regress.Regex(rf"^\{letter}$", "u")
    for code in CODES:
        assert contains(SHORTHANDS[letter], code) == (pattern.find(chr(code)) is not None), hex(code)


def test_digits_and_word_characters_are_ascii():
    for letter in "dw":
        pattern = re.compile(rf"\{letter}", re.ASCII)
        assert all(contains(SHORTHANDS[letter], code) == bool(pattern.fullmatch(chr(code))) for code in range(0x3000))
        assert SHORTHANDS[letter.upper()] == complement(SHORTHANDS[letter])


def test_the_dot_leaves_out_four_line_ends():
    assert complement(NOT_LINE_END) == ((0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029))
