r"""The character sets that regular expressions name: `\d \w \s .` and Unicode properties.

The shorthands are ECMA-262's: `\d` and `\w` are ASCII, `\s` is its WhiteSpace and LineTerminator, `.` is all but
four line terminators. Properties come from the running Python's Unicode tables, so a character assigned in a later
version of Unicode is not yet a letter. One pass over all code points (0.2 s) is made when the first is asked for.

Supported: general categories (`\p{L}`, `\p{Lu}`, `\p{Uppercase_Letter}`, `\p{gc=Nd}`, ...) and the binary
properties Any, Assigned, ASCII, ASCII_Hex_Digit, Lowercase, Uppercase, White_Space. Scripts and the other
properties are in no table of the standard library and are refused by name.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from .codepoints import ALL, Ranges, complement, is_surrogate, normalise, ranges_of, union

__all__ = ["DIGIT", "NOT_LINE_END", "SHORTHANDS", "SPACE", "WORD", "property_ranges"]

DIGIT: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = ranges_of(
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
NOT_LINE_END: Ranges = complement(ranges_of("\n\r\u2028\u2029"))

SHORTHANDS: dict[str, Ranges] = {
    "d": DIGIT,
    "D": complement(DIGIT),
    "w": WORD,
    "W": complement(WORD),
    "s": SPACE,
    "S": complement(SPACE),
}

# Long names and what they gather, as ECMA-262 takes them from Unicode's PropertyValueAliases.
_CATEGORIES = {
    "Cased_Letter": ("LC", "Lu Ll Lt"),
    "Letter": ("L", "Lu Ll Lt Lm Lo"),
    "Uppercase_Letter": ("Lu", "Lu"),
    "Lowercase_Letter": ("Ll", "Ll"),
    "Titlecase_Letter": ("Lt", "Lt"),
    "Modifier_Letter": ("Lm", "Lm"),
    "Other_Letter": ("Lo", "Lo"),
    "Mark": ("M", "Mn Mc Me"),
    "Nonspacing_Mark": ("Mn", "Mn"),
    "Spacing_Mark": ("Mc", "Mc"),
    "Enclosing_Mark": ("Me", "Me"),
    "Number": ("N", "Nd Nl No"),
    "Decimal_Number": ("Nd", "Nd"),
    "Letter_Number": ("Nl", "Nl"),
    "Other_Number": ("No", "No"),
    "Punctuation": ("P", "Pc Pd Ps Pe Pi Pf Po"),
    "Connector_Punctuation": ("Pc", "Pc"),
    "Dash_Punctuation": ("Pd", "Pd"),
    "Open_Punctuation": ("Ps", "Ps"),
    "Close_Punctuation": ("Pe", "Pe"),
    "Initial_Punctuation": ("Pi", "Pi"),
    "Final_Punctuation": ("Pf", "Pf"),
    "Other_Punctuation": ("Po", "Po"),
    "Symbol": ("S", "Sm Sc Sk So"),
    "Math_Symbol": ("Sm", "Sm"),
    "Currency_Symbol": ("Sc", "Sc"),
    "Modifier_Symbol": ("Sk", "Sk"),
    "Other_Symbol": ("So", "So"),
    "Separator": ("Z", "Zs Zl Zp"),
    "Space_Separator": ("Zs", "Zs"),
    "Line_Separator": ("Zl", "Zl"),
    "Paragraph_Separator": ("Zp", "Zp"),
    "Other": ("C", "Cc Cf Cn Co"),
    "Control": ("Cc", "Cc"),
    "Format": ("Cf", "Cf"),
    "Unassigned": ("Cn", "Cn"),
    "Private_Use": ("Co", "Co"),
}
_ALIASES = {"Combining_Mark": "Mark", "cntrl": "Control", "digit": "Decimal_Number", "punct": "Punctuation"}

_MEMBERS = {short: members.split() for short, members in _CATEGORIES.values()}
_MEMBERS |= {name: members.split() for name, (_, members) in _CATEGORIES.items()}
_MEMBERS |= {alias: _MEMBERS[name] for alias, name in _ALIASES.items()}


def property_ranges(name: str) -> Ranges | None:
    r"""The characters of `\p{name}`; None where the property is not known here.

    >>> property_ranges("Zl")
    ((8232, 8232),)
    """
    key, equals, value = name.partition("=")
    if equals and key in ("gc", "General_Category"):
        return _category(value)
    if equals:
        return None
    binary = _BINARY.get(name)
    return binary() if binary else _category(name)


def _category(name: str) -> Ranges | None:
    if name not in _MEMBERS:
        return None
    table = _categories()
    return union(*(table.get(member, ()) for member in _MEMBERS[name]))


@lru_cache(maxsize=1)
def _categories() -> dict[str, Ranges]:
    """Two-letter category -> its characters."""
    runs: dict[str, list[tuple[int, int]]] = {}
    current, start = unicodedata.category("\0"), 0
    for code in range(1, sys.maxunicode + 2):
        category = unicodedata.category(chr(code)) if code <= sys.maxunicode else ""
        if category != current:
            runs.setdefault(current, []).append((start, code - 1))
            current, start = category, code
    return {category: normalise(ranges) for category, ranges in runs.items()}


@lru_cache(maxsize=4)
def _where(test: Callable[[str], bool]) -> Ranges:
    codes = range(sys.maxunicode + 1)
    return normalise((code, code) for code in codes if not is_surrogate(code) and test(chr(code)))


def _assigned() -> Ranges:
    return complement(_category("Cn") or ())


# str.islower and str.isupper of one character are Unicode's derived properties Lowercase and Uppercase.
_BINARY: dict[str, Callable[[], Ranges]] = {
    "Any": lambda: ALL,
    "ASCII": lambda: ((0x0, 0x7F),),
    "Assigned": _assigned,
    "ASCII_Hex_Digit": lambda: ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
    "AHex": lambda: ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
    "Lowercase": lambda: _where(str.islower),
    "Lower": lambda: _where(str.islower),
    "Uppercase": lambda: _where(str.isupper),
    "Upper": lambda: _where(str.isupper),
    "White_Space": lambda: union(_category("Z") or (), ((0x9, 0xD), (0x85, 0x85))),
    "space": lambda: union(_category("Z") or (), ((0x9, 0xD), (0x85, 0x85))),
}
