"""What a reading can still become: which of the values that were written begin as it does.

A value in JSON has many spellings, but a beginning of a string stands for certain characters, and perhaps for a
part of one more (an escape or a sequence of UTF-8 that is not complete). A beginning of a number without an exponent
is that of plain decimals; one with an exponent could be that of any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ...json_schema.literals import quote
from .reading import Reading
from .seen import Seen
from .values import plain_number

__all__ = ["Beginning", "beginning_of", "is_over", "likely", "may_repeat", "number_may_repeat", "strings_like"]

_DIGITS = "-0123456789"
_WORDS = ("null", "true", "false")

_WHOLE = re.compile(
    rb'"(?:[^\\]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u(?![dD][89abAB])[0-9a-fA-F]{4}|\\[^u])*', re.DOTALL
)


class Beginning:
    """The beginning of a string. whole: its complete characters, in their one spelling, opening quote included.
    part: the bytes of a character that is not complete."""

    __slots__ = ("part", "whole")

    def __init__(self, whole: str, part: bytes) -> None:
        self.whole = whole
        self.part = part


def beginning_of(scalar: bytes) -> Beginning:
    """Of the bytes of a string that is not closed, opening quote included."""
    if b"\\" not in scalar:
        if scalar.isascii():
            return Beginning(scalar.decode(), b"")
        size = len(scalar) - _cut_character(scalar)
        return Beginning(scalar[:size].decode(), scalar[size:])
    match = _WHOLE.match(scalar)
    assert match is not None
    end = match.end()
    if end == len(scalar):
        end -= _cut_character(scalar)
    return Beginning(quote(json.loads(scalar[:end] + b'"'))[:-1], scalar[end:])


def _cut_character(data: bytes) -> int:
    """How many bytes at the end begin a character of UTF-8 that is not complete."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte < 0x80:
            return 0
        if byte >= 0xC0:
            need = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if back < need else 0
    return 0


def strings_like(reading: Reading) -> bool:
    """Whether a string that the reading is in could be one that was written there."""
    assert reading.scalar is not None
    return next(likely(reading, beginning_of(reading.scalar)), None) is not None


def likely(reading: Reading, beginning: Beginning) -> Iterator[str]:
    """The strings, in their one spelling, that the one being read could be: among the values that were written, or in
    containers that agree with the reading so far."""
    if not reading.is_container:
        yield from reading.seen.strings(beginning.whole)
        return
    for other in reading.alike:
        for scalar in other.scalars:
            if scalar.startswith(beginning.whole):
                yield scalar


def may_repeat(reading: Reading) -> bool:
    """Whether what is being written could still become something that was written."""
    scalar = reading.scalar
    if not len(reading.seen):
        return False
    if reading.is_container:
        return bool(reading.alike) and _agrees(reading)
    if reading.in_string:
        return scalar is not None and strings_like(reading)
    text = (scalar or b"").decode()
    if text[:1].isalpha():
        return any(word in reading.seen for word in _WORDS if word.startswith(text))
    return number_may_repeat(reading.seen, text)


def _agrees(reading: Reading) -> bool:
    """Whether the scalar that is open in a container could be one of those in a container that agrees so far."""
    if reading.in_string:
        return reading.scalar is not None and strings_like(reading)
    text = (reading.scalar or b"").decode()
    if not text or text[0].isalpha():
        return True
    return any(_is_number_like(text, key) for other in reading.alike for key in other.scalars if key[0] in _DIGITS)


def number_may_repeat(seen: Seen, text: str) -> bool:
    """The same for the beginning of a number."""
    if "e" in text or "E" in text:
        return not is_zero(text) or "0" in seen
    return seen.has_number(text)


def is_zero(text: str) -> bool:
    """Whether the beginning of a number has an exponent, and is zero whatever that becomes."""
    mantissa, exponent, _ = text.lower().partition("e")
    return bool(exponent) and not mantissa.strip("-0.")


def is_over(reading: Reading) -> bool:
    """Whether it is seen that the value can only become one that was written."""
    return is_zero((reading.scalar or b"").decode("latin-1")) and not reading.is_container and "0" in reading.seen


def _is_number_like(text: str, key: str) -> bool:
    if "e" in text or "E" in text:
        return not is_zero(text) or key == "0"
    if not text.strip("-0."):
        return key == "0" or plain_number(key).startswith(text)
    plain = plain_number(key)
    return plain.startswith(text) or ("." in text and text.rstrip("0").rstrip(".") == plain)
