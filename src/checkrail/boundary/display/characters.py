"""Which characters may be shown as they are, what they attach to, and how wide a terminal can draw them.

You need this to show text that somebody else wrote; `display` and `terminal` are made of it. The answers come from the
Unicode data of the running Python (`unicodedata.unidata_version`). A character that is newer than that data counts as
unassigned, and is hidden.

Invisible are not only the control and format characters: blanks other than the space, variation selectors, letters
without a glyph, marks that do not belong to the letter in front of them. Each could carry a message that no reader
sees. What is invisible in all fonts but in no list of Unicode is listed here by hand.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import bidirectional, category, east_asian_width, name

__all__ = ["DIGIT", "HIDDEN", "LETTER", "MARK", "OTHER", "can_carry", "columns", "is_right_to_left", "kind", "script"]

HIDDEN, MARK, LETTER, DIGIT, OTHER = "hidden", "mark", "letter", "digit", "other"

_HIDDEN_CATEGORIES = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"])
_INVISIBLE = frozenset(
    [
        *range(0xFE00, 0xFE10),  # variation selectors
        *range(0xE0100, 0xE01F0),
        *range(0x180B, 0x1810),
        0x034F,  # combining grapheme joiner
        *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
        *(0x17B4, 0x17B5),  # Khmer vowels that are inherent
        0x2800,  # Braille pattern blank
        0x16FE4,  # Khitan filler
        0x1D159,  # musical null notehead
    ]
)
# Vowels and finals of Hangul have no width after a leading consonant: they are as good as marks.
_JAMO = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
# Symbols that newer versions of Unicode, or terminals, draw two columns wide.
_WIDE_SYMBOLS = (
    range(0x2630, 0x2638),
    range(0x268A, 0x2690),
    range(0x4DC0, 0x4E00),
    range(0x1D300, 0x1D377),
    range(0x1F1E6, 0x1F200),
)
_CACHED = 8192


@lru_cache(maxsize=_CACHED)
def kind(character: str) -> str:
    """HIDDEN, MARK (what has no width of its own), LETTER, DIGIT (decimal) or OTHER. The space is OTHER."""
    code, general = ord(character), category(character)
    if (general in _HIDDEN_CATEGORIES and character != " ") or code in _INVISIBLE:
        return HIDDEN
    if general[0] == "M" or any(code in jamo for jamo in _JAMO):
        return MARK
    if general[0] == "L" or general == "Nl":
        return LETTER
    return DIGIT if general == "Nd" else OTHER


@lru_cache(maxsize=_CACHED)
def script(character: str) -> str:
    """The first word of the character's Unicode name: LATIN, CYRILLIC, CJK, COMBINING...; "" if it has none."""
    return name(character, "").partition(" ")[0]


def can_carry(base: str, mark: str) -> bool:
    """Whether a mark may stand on a character: marks for all scripts on any, those of one script on its own letters."""
    return script(mark) in ("COMBINING", script(base))


@lru_cache(maxsize=_CACHED)
def columns(character: str, ambiguous: int) -> int:
    """The most columns that a terminal gives a character that is shown. `ambiguous`: what it gives those of class A."""
    width = east_asian_width(character)
    if width in "WF" or any(ord(character) in symbols for symbols in _WIDE_SYMBOLS):
        return 2
    return ambiguous if width == "A" else 1


def is_right_to_left(text: str) -> bool:
    """Whether a terminal could draw parts of the text from right to left."""
    return not text.isascii() and any(_direction(character) in ("R", "AL", "AN") for character in text)


@lru_cache(maxsize=_CACHED)
def _direction(character: str) -> str:
    return bidirectional(character)
