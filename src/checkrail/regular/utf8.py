"""UTF-8 and JSON escapes as digit sequences: from ranges of code points to ranges of bytes.

A range of code points of one encoded length is a range of fixed-length digit strings (bytes, where the bytes
after the first run from 0x80 to 0xBF). Such a range splits into at most 2k - 1 products of digit ranges for k
digits (the construction of Thompson's plan9 grep, told by Cox, "Regular Expression Matching in the Wild",
2010). The same split serves the four hex digits of `\\uXXXX` and the two halves of a surrogate pair.
"""

from __future__ import annotations

from collections.abc import Iterator

from .partition import Ranges

__all__ = ["digit_sequences", "hex_sequences", "surrogate_sequences", "utf8_sequences"]

_Digits = tuple[int, ...]
_Sequence = tuple[tuple[int, int], ...]
_ENCODED_LENGTHS = ((0x0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF))


def digit_sequences(low: _Digits, high: _Digits, least: int, most: int) -> Iterator[_Sequence]:
    """Products of digit ranges that together hold the digit strings from `low` to `high`, in order.

    Digits after the first run from `least` to `most`.
    """
    if len(low) == 1:
        yield ((low[0], high[0]),)
        return
    rest = len(low) - 1
    if low[0] == high[0]:
        for tail in digit_sequences(low[1:], high[1:], least, most):
            yield ((low[0], low[0]), *tail)
        return
    first, last = low[0], high[0]
    if low[1:] != (least,) * rest:
        for tail in digit_sequences(low[1:], (most,) * rest, least, most):
            yield ((first, first), *tail)
        first += 1
    whole_last = high[1:] == (most,) * rest
    if not whole_last:
        last -= 1
    if first <= last:
        yield ((first, last), *((least, most),) * rest)
    if not whole_last:
        for tail in digit_sequences((least,) * rest, high[1:], least, most):
            yield ((high[0], high[0]), *tail)


def utf8_sequences(ranges: Ranges) -> Iterator[_Sequence]:
    """The UTF-8 encodings of the code points in `ranges`, as products of byte ranges."""
    for low, high in ranges:
        for first, last in _ENCODED_LENGTHS:
            a, b = max(low, first), min(high, last)
            if a <= b:
                yield from digit_sequences(_encode(a), _encode(b), 0x80, 0xBF)


def _encode(code_point: int) -> _Digits:
    # Surrogates are never members of a class, yet a range may be cut at their border.
    return tuple(chr(code_point).encode("utf-8", "surrogatepass"))


def _hex_digits(value: int) -> _Digits:
    return (value >> 12, value >> 8 & 15, value >> 4 & 15, value & 15)


def hex_sequences(ranges: Ranges) -> Iterator[_Sequence]:
    """The four hex digits (as numbers from 0 to 15) of the values in `ranges`, all below 0x10000."""
    for low, high in ranges:
        yield from digit_sequences(_hex_digits(low), _hex_digits(high), 0, 15)


def surrogate_sequences(ranges: Ranges) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of (high surrogate range, low surrogate range) for the code points in `ranges`, all above 0xFFFF."""
    for low, high in ranges:
        a, b = low - 0x10000, high - 0x10000
        for (h1, h2), (l1, l2) in digit_sequences((a >> 10, a & 1023), (b >> 10, b & 1023), 0, 1023):
            yield (0xD800 + h1, 0xD800 + h2), (0xDC00 + l1, 0xDC00 + l2)
