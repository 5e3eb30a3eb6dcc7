"""Canonical JSON (RFC 8785, JCS) and its SHA-256: one spelling for each value, so that bytes can be compared and bound.

You need it wherever a value is hashed, approved, sent to another process or compared as bytes. You do not need it to
write JSON for people.

Members are sorted by the UTF-16 code units of their names, numbers are written as JavaScript writes them, strings with
the fewest escapes, and there are no blanks. What RFC 8785 leaves without a form is refused and never replaced: numbers
that are not finite, integers that a double may change, halves of surrogate pairs, and whatever is not plain JSON data.

The writer keeps its own stack, so nesting costs no Python stack, and stops at bounds of depth and size: a value that
holds itself, or one list in many places, ends in an error. O(n log n) for n members of one object, else linear.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from ..errors import DocumentError
from .document import Document
from .number_text import number_text
from .pointers import join
from .strictjson import LARGEST_INTEGER

__all__ = ["DEFAULT_MAX_BYTES", "DEFAULT_MAX_DEPTH", "digest", "dumps"]

DEFAULT_MAX_DEPTH = 32
DEFAULT_MAX_BYTES = 4 * 1024 * 1024

_ESCAPED = re.compile(rb'["\\\x00-\x1f]')
_ESCAPES = {bytes([code]): b"\\u%04x" % code for code in range(0x20)}
_ESCAPES |= {b"\b": b"\\b", b"\t": b"\\t", b"\n": b"\\n", b"\f": b"\\f", b"\r": b"\\r", b'"': b'\\"', b"\\": b"\\\\"}


def dumps(value: Any, *, max_depth: int = DEFAULT_MAX_DEPTH, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes:
    """The canonical UTF-8 bytes of plain Python data, or of a `Document`.

    value: None, bool, int, float, str, list, tuple (an array, too) and dict, exactly of these types.
    max_depth: objects and arrays within one another. max_bytes: of the result.

    Raises `DocumentError` with the JSON pointer of the place: CANON_TYPE, CANON_NUMBER, CANON_SURROGATE,
    CANON_DEPTH, CANON_TOO_LARGE.

    >>> dumps({"b": [1.0, 1e21, -0.0], "a": "€\\n"}).decode()
    '{"a":"€\\\\n","b":[1,1e+21,0]}'
    """
    plain = value.value if isinstance(value, Document) else value
    return _Writer(max_depth, max_bytes).write(plain)


def digest(value: Any, *, max_depth: int = DEFAULT_MAX_DEPTH, max_bytes: int = DEFAULT_MAX_BYTES) -> str:
    """SHA-256 of the canonical bytes, as 64 lowercase hexadecimal digits. Takes and raises what `dumps` does.

    There is no prefix, so anyone can compute it again: it says that two values are equal. It is no signature, and for a
    value that can be guessed it hides nothing.

    >>> digest({"expression": "2^10"})
    '3f448e6caae75b8365f54af916ac5955576ba692893fac7f90f6885d405c71a3'
    """
    return hashlib.sha256(dumps(value, max_depth=max_depth, max_bytes=max_bytes)).hexdigest()


class _Writer:
    """One value being written. `open` holds, for each open container, the members to come and its closing bracket."""

    def __init__(self, max_depth: int, max_bytes: int) -> None:
        self.max_depth = max_depth
        self.max_bytes = max_bytes
        self.written = bytearray()
        self.open: list[tuple[Iterator[tuple[str | int, Any]], bytes]] = []
        self.path: list[str | int | None] = []  # for each open container, its member that is being written

    def write(self, value: Any) -> bytes:
        self.begin(value)
        while self.open:
            members, closing = self.open[-1]
            member = next(members, None)
            if member is None:
                self.leave(closing)
                continue
            key, item = member
            if self.path[-1] is not None:
                self.put(b",")
            self.path[-1] = key
            if isinstance(key, str):
                self.put(self.string(key))
                self.put(b":")
            self.begin(item)
        return bytes(self.written)

    def begin(self, value: Any) -> None:
        """Write a value that holds no others, or the opening bracket of one that does."""
        kind = type(value)
        if value is None:
            self.put(b"null")
        elif kind is bool:
            self.put(b"true" if value else b"false")
        elif kind is int or kind is float:
            self.put(self.number(value))
        elif kind is str:
            self.put(self.string(value))
        elif kind is list or kind is tuple:
            self.enter(enumerate(value), b"[", b"]")
        elif kind is dict:
            self.enter(self.sorted_members(value), b"{", b"}")
        else:
            self.fail("CANON_TYPE", found=f"a value of type {kind.__name__}")

    def enter(self, members: Iterator[tuple[str | int, Any]], opening: bytes, closing: bytes) -> None:
        if len(self.open) >= self.max_depth:
            self.fail("CANON_DEPTH", limit=self.max_depth)
        self.put(opening)
        self.open.append((members, closing))
        self.path.append(None)

    def leave(self, closing: bytes) -> None:
        self.open.pop()
        self.path.pop()
        self.put(closing)

    def sorted_members(self, value: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
        """The members by the UTF-16 code units of their names, which big-endian bytes sort alike."""
        for key in value:
            if type(key) is not str:
                self.fail("CANON_TYPE", found=f"a key of type {type(key).__name__}")
        try:
            names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        except UnicodeEncodeError:
            self.fail("CANON_SURROGATE", what="a key of the object")
        return ((name, value[name]) for name in names)

    def string(self, text: str) -> bytes:
        try:
            encoded = text.encode("utf-8")
        except UnicodeEncodeError:
            self.fail("CANON_SURROGATE", what="the string")
        return b'"%s"' % _ESCAPED.sub(lambda found: _ESCAPES[found[0]], encoded)

    def number(self, value: int | float) -> bytes:
        if isinstance(value, int):
            if abs(value) > LARGEST_INTEGER:
                self.fail("CANON_NUMBER", what="is an integer beyond 2**53 - 1")
            return b"%d" % value
        if not math.isfinite(value):
            self.fail("CANON_NUMBER", what="is not finite")
        return number_text(value).encode("ascii")

    def put(self, piece: bytes) -> None:
        self.written += piece
        if len(self.written) > self.max_bytes:
            self.fail("CANON_TOO_LARGE", limit=self.max_bytes)

    def fail(self, code: str, **params: Any) -> NoReturn:
        place = join(key for key in self.path if key is not None)
        raise DocumentError(code, pointer=place, **params) from None
