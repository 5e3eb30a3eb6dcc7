"""Arrays of one vocabulary as bytes: fixed fields, then little-endian numbers. No pickle, nothing that runs.

    16 bytes  what it is: `checkrail-vocab`, `checkrail-masks` or `checkrail-count`, and a line feed
    32        SHA-256 of all that follows
     4        FORMAT, the version of this structure and of what the sections hold
     4        LAYOUT, the version of the records of tries (`token_tries`)
    32        fingerprint of the vocabulary
     4        number of tokens
     4        bytes of the longest token
   8 each     bytes of each section
              the sections, each filled up with NULs to a multiple of 8 bytes

Integers are 32 bits. The digest finds what was damaged or cut off, and no more than that: anyone can compute one.

Design not taken: mapping the file into memory. It saves three milliseconds, and a file that another process cuts off
later would end this one with a bus error.
"""

from __future__ import annotations

import hashlib
import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..vocabulary.vocabulary import Vocabulary
from .token_tries import LAYOUT

__all__ = ["FORMAT", "HEAD_BYTES", "Head", "Unusable", "head_of", "little_endian", "pack", "unpack"]

FORMAT = 2
_KINDS = {"tables": b"checkrail-vocab\n", "masks": b"checkrail-masks\n", "counts": b"checkrail-count\n"}
_DIGESTED = 16 + 32  # where what the digest covers begins
_FACTS = struct.Struct("<II32sII")
HEAD_BYTES = _DIGESTED + _FACTS.size


class Unusable(Exception):
    """The bytes are not those of this vocabulary in this version. Not for users: they get what is made anew."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a file says of itself. kind: `tables`, `masks` or `counts`. tokens: of the vocabulary. longest: bytes of its
    longest token."""

    kind: str
    format: int
    layout: int
    fingerprint: str
    tokens: int
    longest: int

    @property
    def is_current(self) -> bool:
        """Whether this version reads it."""
        return (self.format, self.layout) == (FORMAT, LAYOUT)


def pack(kind: str, vocabulary: Vocabulary, longest: int, sections: Sequence[array[int] | bytes]) -> bytes:
    """The bytes; equal sections, equal bytes."""
    contents = [little_endian(section) for section in sections]
    body = bytearray(_FACTS.pack(FORMAT, LAYOUT, bytes.fromhex(vocabulary.fingerprint), len(vocabulary), longest))
    body += struct.pack(f"<{len(contents)}Q", *map(len, contents))
    for content in contents:
        body += content + bytes(-len(content) % 8)
    return _KINDS[kind] + hashlib.sha256(body).digest() + body


def head_of(data: bytes) -> Head:
    """What the first `HEAD_BYTES` bytes or more of a file say. Raises Unusable."""
    kind = next((kind for kind, magic in _KINDS.items() if data.startswith(magic)), None)
    if kind is None or len(data) < HEAD_BYTES:
        raise Unusable("it is nothing of ours")
    version, layout, fingerprint, tokens, longest = _FACTS.unpack_from(data, _DIGESTED)
    return Head(kind, version, layout, fingerprint.hex(), tokens, longest)


def unpack(kind: str, data: bytes, vocabulary: Vocabulary, types: str) -> tuple[Head, list[array[int]]]:
    """The head and the sections, whose items are of these types of `array`. Raises Unusable."""
    head = head_of(data)
    if head.kind != kind or not head.is_current:
        raise Unusable("it is of another version")
    if (head.fingerprint, head.tokens) != (vocabulary.fingerprint, len(vocabulary)):
        raise Unusable("it is of another vocabulary")
    if hashlib.sha256(memoryview(data)[_DIGESTED:]).digest() != data[16:_DIGESTED]:
        raise Unusable("its digest is wrong: it was changed or cut off")
    return head, list(_sections(data, types))


def _sections(data: bytes, types: str) -> Iterator[array[int]]:
    start = HEAD_BYTES + 8 * len(types)
    if len(data) < start:
        raise Unusable("it has no sections")
    view = memoryview(data)
    for kind, size in zip(types, struct.unpack_from(f"<{len(types)}Q", data, HEAD_BYTES), strict=True):
        values = array(kind)
        if size > len(data) - start or size % values.itemsize:
            raise Unusable("a section has a wrong size")
        values.frombytes(view[start : start + size])
        if sys.byteorder == "big":
            values.byteswap()
        yield values
        start += size + -size % 8
    if start != len(data):
        raise Unusable("there is more than its sections")


def little_endian(values: array[int] | bytes) -> bytes:
    """The bytes of numbers, the lowest of each first."""
    if isinstance(values, bytes):
        return values
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()
