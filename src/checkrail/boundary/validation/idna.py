"""Host names with characters beyond ASCII: what IDNA 2008 permits in a label, and in all labels together.

You need this for `format: idn-hostname`, and for labels of a `hostname` that are Punycode. A label beyond ASCII must be
in NFC and made of code points that RFC 5892 permits, some of them only beside others; it must fit into 63 characters
of Punycode; and where any label is written from right to left, all of them must keep the rule of RFC 5893. The derived
properties follow from the running Python's Unicode tables; joining types stand here (Unicode 14), scripts in
`grammar.scripts`. Nothing is mapped: a capital letter beside one beyond ASCII is an error, as in registration.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Literal

from ...grammar.codepoints import Ranges
from ...grammar.scripts import script_ranges

__all__ = ["is_idn_hostname", "is_punycode_label"]

_SEPARATOR = re.compile("[.\u3002\uff0e\uff61]")
_ASCII_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_LONGEST_LABEL, _LONGEST_NAME = 63, 253
_PREFIX = "xn--"

_Class = Literal["valid", "in context", "disallowed"]

_PERMITTED = frozenset("\u00df\u03c2\u06fd\u06fe\u0f0b\u3007")
_DISALLOWED = frozenset("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b")
_ARABIC_DIGITS = frozenset(map(chr, range(0x660, 0x66A)))
_EXTENDED_DIGITS = frozenset(map(chr, range(0x6F0, 0x6FA)))
_NON_JOINER, _JOINER = "\u200c", "\u200d"
_MIDDLE_DOT, _KERAIA, _GERESH, _GERSHAYIM, _KATAKANA_DOT = "\u00b7", "\u0375", "\u05f3", "\u05f4", "\u30fb"
_CONTEXT = frozenset((_NON_JOINER, _JOINER, _MIDDLE_DOT, _KERAIA, _GERESH, _GERSHAYIM, _KATAKANA_DOT))
_LETTERS_AND_DIGITS = frozenset(("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"))
_VIRAMA = 9  # canonical combining class

# Old Hangul, the ignorable marks and the ignorable blocks of RFC 5892, sections 2.4, 2.5 and 2.9.
_LEFT_OUT = (
    (0x34F, 0x34F),
    (0x1100, 0x11FF),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x20D0, 0x20FF),
    (0x3164, 0x3164),
    (0xA960, 0xA97F),
    (0xD7B0, 0xD7FF),
    (0xFE00, 0xFE0F),
    (0x1D100, 0x1D24F),
    (0xE0100, 0xE01EF),
)

_JOINS_BOTH = """
    620 626 628 62A-62E 633-63F 641-647 649-64A 66E-66F 678-687 69A-6BF 6C1-6C2 6CC 6CE 6D0-6D1 6FA-6FC 6FF 712-714
    71A-71D 71F-727 729 72B 72D-72E 74E-758 75C-76A 76D-770 772 775-777 77A-77F 7CA-7EA 841-845 848 84A-853 855 860
    862-865 868 886 889-88D 8A0-8A9 8AF-8B0 8B3-8B8 8BA-8C8 1807 1820-1878 1887-18A8 18AA A840-A871 10AC0-10AC4
    10AD3-10AD6 10AD8-10ADC 10ADE-10AE0 10AEB-10AEE 10B80 10B82 10B86-10B88 10B8A-10B8B 10B8D 10B90 10BAD-10BAE
    10D01-10D21 10D23 10F30-10F32 10F34-10F44 10F51-10F53 10F70-10F73 10F76-10F81 10FB0 10FB2-10FB3 10FB8 10FBB-10FBC
    10FBE-10FBF 10FC1 10FC4 10FCA 1E900-1E943
"""
_JOINS_BEFORE = """
    622-625 627 629 62F-632 648 671-673 675-677 688-699 6C0 6C3-6CB 6CD 6CF 6D2-6D3 6D5 6EE-6EF 710 715-719 71E 728
    72A 72C 72F 74D 759-75B 76B-76C 771 773-774 778-779 840 846-847 849 854 856-858 867 869-86A 870-882 88E 8AA-8AC
    8AE 8B1-8B2 8B9 10AC5 10AC7 10AC9-10ACA 10ACE-10AD2 10ADD 10AE1 10AE4 10AEF 10B81 10B83-10B85 10B89 10B8C
    10B8E-10B8F 10B91 10BA9-10BAC 10D22 10F33 10F54 10F74-10F75 10FB4-10FB6 10FB9-10FBA 10FBD 10FC2-10FC3 10FC9
"""
_JOINS_AFTER = "A872 10ACD 10AD7 10D00 10FCB"


def is_idn_hostname(text: str) -> bool:
    """Labels of ASCII or permitted characters beyond it, separated by full stops of any kind."""
    labels = [_label(part) for part in _SEPARATOR.split(text)]
    known = [label for label in labels if label is not None]
    if len(known) < len(labels) or sum(len(written) + 1 for _, written in known) - 1 > _LONGEST_NAME:
        return False
    shown = [meant for meant, _ in known]
    return not any(map(_has_right_to_left, shown)) or all(map(_keeps_direction, shown))


def is_punycode_label(label: str) -> bool:
    """Whether a label that begins with `xn--` is the Punycode of a permitted one."""
    return _from_punycode(label) is not None


def _label(label: str) -> tuple[str, str] | None:
    """A label as it is meant and as it is written in ASCII; None where it is none."""
    if label[:4].lower() == _PREFIX:
        return _from_punycode(label)
    if label.isascii():
        return (label, label) if _ASCII_LABEL.fullmatch(label) else None
    if len(label) > _LONGEST_LABEL:  # each character takes one of Punycode or more, and encoding takes quadratic time
        return None
    try:
        written = _PREFIX + label.encode("punycode").decode("ascii")
    except UnicodeError:  # half of a surrogate pair
        return None
    return (label, written) if len(written) <= _LONGEST_LABEL and _is_permitted(label) else None


def _from_punycode(label: str) -> tuple[str, str] | None:
    if len(label) > _LONGEST_LABEL:
        return None
    encoded = label[4:].lower()
    try:
        meant = encoded.encode("ascii").decode("punycode")
        same = meant.encode("punycode").decode("ascii") == encoded
    except (UnicodeError, ValueError, OverflowError):
        return None
    return (meant, label) if same and not meant.isascii() and _is_permitted(meant) else None


def _is_permitted(label: str) -> bool:
    """RFC 5891, section 4.2.3, for a label that is not all ASCII."""
    if label.startswith("-") or label.endswith("-") or label[2:4] == "--" or unicodedata.category(label[0])[0] == "M":
        return False
    if not unicodedata.is_normalized("NFC", label):
        return False
    classes = [(i, _class_of(char)) for i, char in enumerate(label)]
    return all(kind == "valid" or (kind == "in context" and _in_context(label, i)) for i, kind in classes)


@lru_cache(maxsize=4096)
def _class_of(char: str) -> _Class:
    """RFC 5892, section 3."""
    if char in _PERMITTED:
        return "valid"
    if char in _DISALLOWED:
        return "disallowed"
    if char in _CONTEXT or char in _ARABIC_DIGITS or char in _EXTENDED_DIGITS:
        return "in context"
    if char.isascii():
        return "valid" if char == "-" or char.isdigit() or char.islower() else "disallowed"
    if any(low <= ord(char) <= high for low, high in _LEFT_OUT) or _folded(_folded(char)) != char:
        return "disallowed"
    return "valid" if unicodedata.category(char) in _LETTERS_AND_DIGITS else "disallowed"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _in_context(label: str, i: int) -> bool:
    """RFC 5892, appendix A: whether a character may stand at its place."""
    char, before, after = label[i], label[i - 1 : i] if i else "", label[i + 1 : i + 2]
    if char == _MIDDLE_DOT:
        return before == after == "l"
    if char == _KERAIA:
        return _is_of(after, "Greek")
    if char in (_GERESH, _GERSHAYIM):
        return _is_of(before, "Hebrew")
    if char == _KATAKANA_DOT:
        return any(_is_of(other, script) for other in label for script in ("Hiragana", "Katakana", "Han"))
    if char in _ARABIC_DIGITS:
        return _EXTENDED_DIGITS.isdisjoint(label)
    if char in _EXTENDED_DIGITS:
        return _ARABIC_DIGITS.isdisjoint(label)
    if before and unicodedata.combining(before) == _VIRAMA:
        return True
    return char == _NON_JOINER and _stands_between_joining(label, i)


def _is_of(char: str, script: str) -> bool:
    return bool(char) and _is_in(char, script_ranges(script) or ())


def _is_in(char: str, ranges: Ranges) -> bool:
    return any(low <= ord(char) <= high for low, high in ranges)


@cache
def _joining(text: str) -> Ranges:
    bounds = (part.partition("-") for part in text.split())
    return tuple((int(low, 16), int(high or low, 16)) for low, _, high in bounds)


def _stands_between_joining(label: str, i: int) -> bool:
    """Whether the letters around a place would join across it; marks between do not count."""
    before = next((char for char in reversed(label[:i]) if not _is_transparent(char)), "")
    after = next((char for char in label[i + 1 :] if not _is_transparent(char)), "")
    if not before or not after:
        return False
    return any(_is_in(before, _joining(table)) for table in (_JOINS_BOTH, _JOINS_AFTER)) and any(
        _is_in(after, _joining(table)) for table in (_JOINS_BOTH, _JOINS_BEFORE)
    )


def _is_transparent(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me", "Cf") and char not in (_NON_JOINER, _JOINER)


# Direction: RFC 5893, section 2

_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_NEUTRAL = frozenset(("EN", "ES", "CS", "ET", "ON", "BN", "NSM"))


def _has_right_to_left(label: str) -> bool:
    return any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in label)


def _keeps_direction(label: str) -> bool:
    kinds = [unicodedata.bidirectional(char) for char in label]
    last = next((kind for kind in reversed(kinds) if kind != "NSM"), "")
    if kinds[0] in ("R", "AL"):
        inside = _RIGHT_TO_LEFT | _NEUTRAL
        return set(kinds) <= inside and last in ("R", "AL", "EN", "AN") and not {"EN", "AN"} <= set(kinds)
    return kinds[0] == "L" and set(kinds) <= _NEUTRAL | {"L"} and last in ("L", "EN")
