r"""The character sets that regular expressions name: `\d \w \s .` and Unicode properties.

The shorthands are ECMA-262's: `\d` and `\w` are ASCII, `\s` is its WhiteSpace and LineTerminator, `.` is all but
four line terminators. Properties come from the running Python's Unicode tables, so a character assigned in a later
version of Unicode is not yet a letter. One pass over all code points (0.2 s) is made when the first is asked for.

Supported: general categories (`\p{L}`, `\p{Lu}`, `\p{Uppercase_Letter}`, `\p{gc=Nd}`, ...) and the binary
properties Alphabetic, Any, ASCII, ASCII_Hex_Digit, Assigned, Lowercase, Uppercase, White_Space; scripts and their
extensions (see `scripts`). The other properties are in no table and are refused by name.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from .codepoints import ALL, Ranges, complement, intersect, is_surrogate, normalise, ranges_of, union
from .scripts import script_ranges

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

# The combining marks that are Alphabetic, as of Unicode 17 (DerivedCoreProperties): hexadecimal ranges. All other
# alphabetic characters follow from categories and case.
_ALPHABETIC_MARKS = """
    345 363-36F 5B0-5BD 5BF 5C1-5C2 5C4-5C5 5C7 610-61A 64B-657 659-65F 670 6D6-6DC 6E1-6E4 6E7-6E8 6ED 711
    730-73F 7A6-7B0 816-817 81B-823 825-827 829-82C 897 8D4-8DF 8E3-8E9 8F0-903 93A-93B 93E-94C 94E-94F 955-957
    962-963 981-983 9BE-9C4 9C7-9C8 9CB-9CC 9D7 9E2-9E3 A01-A03 A3E-A42 A47-A48 A4B-A4C A51 A70-A71 A75 A81-A83
    ABE-AC5 AC7-AC9 ACB-ACC AE2-AE3 AFA-AFC B01-B03 B3E-B44 B47-B48 B4B-B4C B56-B57 B62-B63 B82 BBE-BC2 BC6-BC8
    BCA-BCC BD7 C00-C04 C3E-C44 C46-C48 C4A-C4C C55-C56 C62-C63 C81-C83 CBE-CC4 CC6-CC8 CCA-CCC CD5-CD6 CE2-CE3
    CF3 D00-D03 D3E-D44 D46-D48 D4A-D4C D57 D62-D63 D81-D83 DCF-DD4 DD6 DD8-DDF DF2-DF3 E31 E34-E3A E4D EB1
    EB4-EB9 EBB-EBC ECD F71-F83 F8D-F97 F99-FBC 102B-1036 1038 103B-103E 1056-1059 105E-1060 1062-1064 1067-106D
    1071-1074 1082-108D 108F 109A-109D 1712-1713 1732-1733 1752-1753 1772-1773 17B6-17C8 1885-1886 18A9
    1920-192B 1930-1938 1A17-1A1B 1A55-1A5E 1A61-1A74 1ABF-1AC0 1ACC-1ACE 1B00-1B04 1B35-1B43 1B80-1B82
    1BA1-1BA9 1BAC-1BAD 1BE7-1BF1 1C24-1C36 1DD3-1DF4 2DE0-2DFF A674-A67B A69E-A69F A802 A80B A823-A827
    A880-A881 A8B4-A8C3 A8C5 A8FF A926-A92A A947-A952 A980-A983 A9B4-A9BF A9E5 AA29-AA36 AA43 AA4C-AA4D
    AA7B-AA7D AAB0 AAB2-AAB4 AAB7-AAB8 AABE AAEB-AAEF AAF5 ABE3-ABEA FB1E 10376-1037A 10A01-10A03 10A05-10A06
    10A0C-10A0F 10D24-10D27 10D69 10EAB-10EAC 10EFA-10EFC 11000-11002 11038-11045 11073-11074 11080-11082
    110B0-110B8 110C2 11100-11102 11127-11132 11145-11146 11180-11182 111B3-111BF 111CE-111CF 1122C-11234 11237
    1123E 11241 112DF-112E8 11300-11303 1133E-11344 11347-11348 1134B-1134C 11357 11362-11363 113B8-113C0 113C2
    113C5 113C7-113CA 113CC-113CD 11435-11441 11443-11445 114B0-114C1 115AF-115B5 115B8-115BE 115DC-115DD
    11630-1163E 11640 116AB-116B5 1171D-1172A 1182C-11838 11930-11935 11937-11938 1193B-1193C 11940 11942
    119D1-119D7 119DA-119DF 119E4 11A01-11A0A 11A35-11A39 11A3B-11A3E 11A51-11A5B 11A8A-11A97 11B60-11B67
    11C2F-11C36 11C38-11C3E 11C92-11CA7 11CA9-11CB6 11D31-11D36 11D3A 11D3C-11D3D 11D3F-11D41 11D43 11D47
    11D8A-11D8E 11D90-11D91 11D93-11D96 11EF3-11EF6 11F00-11F01 11F03 11F34-11F3A 11F3E-11F40 1611E-1612E 16F4F
    16F51-16F87 16F8F-16F92 16FF0-16FF1 1BC9E 1E000-1E006 1E008-1E018 1E01B-1E021 1E023-1E024 1E026-1E02A 1E08F
    1E6E3 1E6E6 1E6EE-1E6EF 1E6F5 1E947
"""

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
    if equals and key in ("sc", "Script", "scx", "Script_Extensions"):
        return script_ranges(value, extended=key in ("scx", "Script_Extensions"))
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


def _alphabetic() -> Ranges:
    bounds = (part.partition("-") for part in _ALPHABETIC_MARKS.split())
    marks = normalise((int(low, 16), int(high or low, 16)) for low, _, high in bounds)
    letters = union(_category("L") or (), _category("Nl") or (), _where(str.islower), _where(str.isupper))
    return union(letters, intersect(marks, _category("M") or ()))


# str.islower and str.isupper of one character are Unicode's derived properties Lowercase and Uppercase.
_BINARY: dict[str, Callable[[], Ranges]] = {
    "Any": lambda: ALL,
    "ASCII": lambda: ((0x0, 0x7F),),
    "Assigned": _assigned,
    "ASCII_Hex_Digit": lambda: ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
    "AHex": lambda: ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
    "Alphabetic": _alphabetic,
    "Alpha": _alphabetic,
    "Lowercase": lambda: _where(str.islower),
    "Lower": lambda: _where(str.islower),
    "Uppercase": lambda: _where(str.isupper),
    "Upper": lambda: _where(str.isupper),
    "White_Space": lambda: union(_category("Z") or (), ((0x9, 0xD), (0x85, 0x85))),
    "space": lambda: union(_category("Z") or (), ((0x9, 0xD), (0x85, 0x85))),
}
