"""JSON texts as values that can be compared: one spelling for all texts of one value.

Strings by their characters, numbers by what they are worth (1, 1.0 and 10e-1 are one value), objects whatever the
order of their members. The automaton has read the text, so it is known to be JSON. No recursion; linear, but for the
sorting of members.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ...json_schema.literals import quote

__all__ = ["canonical", "number_key", "plain_number", "scalars_of", "string_of"]

_TOKEN = re.compile(rb'[ \t\n\r]*(?:("(?:[^"\\]|\\.)*")|(-?[0-9][0-9.eE+-]*)|([a-z]+)|([\[\]{},:]))', re.DOTALL)
_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


def canonical(text: bytes) -> str:
    """The one spelling of the value of a JSON text."""
    stack: list[tuple[str, list[str]]] = []
    parts: list[str] = []
    for token in _tokens(text):
        if token in ("[", "{"):
            stack.append((token, parts))
            parts = []
        elif token in ("]", "}"):
            opening, outer = stack.pop()
            if opening == "{":
                members = [f"{key}:{value}" for key, value in zip(parts[::2], parts[1::2], strict=True)]
                outer.append("{" + ",".join(sorted(members)) + "}")
            else:
                outer.append("[" + ",".join(parts) + "]")
            parts = outer
        else:
            parts.append(token)
    return parts[0]


def scalars_of(text: bytes) -> list[str]:
    """The spellings of the scalars in a value, keys among them."""
    return [token for token in _tokens(text) if token not in ("[", "]", "{", "}")]


def _tokens(text: bytes) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        string, number, word, mark = match.groups()
        if string is not None:
            yield quote(string_of(string))
        elif number is not None:
            yield number_key(number.decode())
        elif word is not None:
            yield word.decode()
        elif mark not in (b",", b":"):
            yield mark.decode()


def string_of(text: bytes) -> str:
    """The characters of a JSON string, quotes included in the text."""
    if b"\\" not in text:
        return text[1:-1].decode()
    found = json.loads(text)
    assert isinstance(found, str)
    return found


def number_key(text: str) -> str:
    """The one spelling of a number.

    >>> number_key("1.50e1"), number_key("-0.0"), number_key("15")
    ('15e0', '0', '15e0')
    """
    match = _NUMBER.fullmatch(text)
    assert match is not None
    sign, whole, fraction, exponent = match[1], match[2], match[3] or "", int(match[4] or 0)
    digits = (whole + fraction).lstrip("0")
    kept = digits.rstrip("0")
    return f"{sign}{kept}e{exponent - len(fraction) + len(digits) - len(kept)}" if kept else "0"


def plain_number(key: str) -> str:
    """The shortest spelling without an exponent of a number in its one spelling.

    >>> plain_number("15e-3"), plain_number("-15e1"), plain_number("0")
    ('0.015', '-150', '0')
    """
    if key == "0":
        return key
    sign = "-" if key[0] == "-" else ""
    digits, _, power = key.removeprefix("-").partition("e")
    exponent = int(power)
    if exponent >= 0:
        return sign + digits + "0" * exponent
    point = len(digits) + exponent
    return f"{sign}{digits[:point]}.{digits[point:]}" if point > 0 else f"{sign}0.{'0' * -point}{digits}"
