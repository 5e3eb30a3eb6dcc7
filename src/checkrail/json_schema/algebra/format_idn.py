"""`idn-hostname` and `idn-email`: a part of each that is regular, of which every text is valid.

What IDNA 2008 (RFC 5890 to 5893) permits depends on Unicode's tables, on the direction of all labels together and on
the length of the Punycode. Here are names of up to three labels. One beyond ASCII has up to twelve small ASCII letters,
digits, and letters of the basic plane that are permitted everywhere: small ones and those without case, written from
left to right, that no normalisation changes. The check after generation knows the whole of it
(`boundary.validation.idna`).
"""

from __future__ import annotations

import unicodedata
from functools import cache

from ...grammar.codepoints import Ranges, difference, normalise
from ...grammar.expression import ANY_CHARACTER, CharacterClass, Expression
from ..combine import alt, chars, optional, seq, times
from ..hostnames import EMAIL, label

__all__ = ["any_idn_email", "any_idn_hostname", "idn_email", "idn_hostname"]

_CATEGORIES = ("Ll", "Lo")
_OLD_HANGUL: Ranges = ((0x1100, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF))  # disallowed, RFC 5892, section 2.9
_ASCII = chars("a-z0-9")
_MOST = 12  # in a label: no such label has more than 60 characters in Punycode, whatever the letters
_MORE_LABELS = 2
_MOST_IN_NAME = 15  # of four bytes each, before the at sign
_BEYOND_ASCII: Ranges = ((0x80, 0xD7FF), (0xE000, 0x10FFFF))


@cache
def _letters() -> Ranges:
    """Letters that IDNA permits in every place, whatever stands beside them."""
    found = []
    for code in range(0x80, 0x10000):
        char = chr(code)
        if (
            unicodedata.category(char) in _CATEGORIES
            and unicodedata.bidirectional(char) == "L"
            and _folded(_folded(char)) == char
        ):
            found.append((code, code))
    return difference(normalise(found), _OLD_HANGUL)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


@cache
def idn_hostname() -> Expression:
    """Host names, some of whose labels have letters beyond ASCII."""
    beyond = times(CharacterClass(normalise([*_letters(), *_ASCII.ranges])), 1, _MOST)
    one = alt(label(), beyond)
    return seq(one, times(seq(".", one), 0, _MORE_LABELS))


@cache
def idn_email() -> Expression:
    """Mail addresses, with letters beyond ASCII on either side."""
    character = CharacterClass(normalise([*_letters(), *chars("a-zA-Z0-9!#$%&'*+/=?^_`{|}~-").ranges]))
    name = seq(character, times(seq(optional("."), character), 0, _MOST_IN_NAME // 2))
    return alt(EMAIL, seq(name, "@", idn_hostname()))


def any_idn_hostname() -> Expression:
    """All of them, and others."""
    return times(alt(chars("a-zA-Z0-9.-"), CharacterClass(_BEYOND_ASCII)), 1, None)


def any_idn_email() -> Expression:
    """All of them, and others."""
    return seq(times(ANY_CHARACTER, 1, None), "@", times(ANY_CHARACTER, 1, None))
