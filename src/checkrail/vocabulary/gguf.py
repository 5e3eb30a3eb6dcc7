"""Read the metadata of a GGUF file: the keys and values before the tensors.

GGUF is llama.cpp's container: a header, typed key-value pairs (the tokenizer among them), tensor descriptions,
tensors. This reader does the first two, for versions 2 and 3 in either byte order, over a memory map, so that a
model of many gigabytes costs what its metadata costs. Every count is checked against the bytes that are left
before anything is allocated. Format: `docs/gguf.md` in the ggml project.

You need it for what a model file says about itself (`read_metadata`). For the vocabulary in it, use
`Vocabulary.from_gguf`; tensors are llama.cpp's business.
"""

from __future__ import annotations

import mmap
import struct
import sys
from array import array
from collections.abc import Mapping
from os import PathLike

from .source import open_file
from .token_table import MAXIMUM_TOKENS, format_error

__all__ = ["MAXIMUM_METADATA_BYTES", "Metadata", "read_metadata"]

Metadata = Mapping[str, object]
"""Key -> int, float, bool, str, or a list of them (numbers: `array.array`)."""

MAXIMUM_METADATA_BYTES = 2**27
"""The most bytes that keys and values may take; the largest vocabularies take 16 MB."""

_MAXIMUM_PAIRS = 65_536
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 10: "Q", 11: "q", 12: "d"}
_BOOL, _STRING, _ARRAY = 7, 8, 9


def read_metadata(path: str | PathLike[str]) -> Metadata:
    """All key-value pairs of a GGUF file, in the file's order.

    Strings are UTF-8; bytes that are not come as lone surrogates (`surrogateescape`), so nothing is lost.
    Raises InputError (INPUT_MISSING, INPUT_UNREADABLE) and VocabularyError (VOCAB_FORMAT, with the byte offset).
    """
    with open_file(path) as file:
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            raise format_error("byte 0: the file is empty, or is not a file") from None
        with data:
            return _Reader(data).metadata()


class _Reader:
    """A cursor over the map. `at` is the offset of the next byte."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data = data
        self.stop = min(len(data), MAXIMUM_METADATA_BYTES)
        self.at = 0
        self.order = "<"
        self.strings = 0

    def metadata(self) -> dict[str, object]:
        if self.take(4, "the magic number") != b"GGUF":
            raise format_error("byte 0: not a GGUF file")
        version = self.number("I", "the version")
        if version & 0xFFFF == 0:  # a big-endian version read as little-endian
            self.order = ">"
            self.at -= 4
            version = self.number("I", "the version")
        if version not in (2, 3):
            raise format_error(f"byte 4: GGUF version {version}; versions 2 and 3 are supported")
        self.number("Q", "the number of tensors")
        pairs = self.count("the number of keys", 13, _MAXIMUM_PAIRS)
        result: dict[str, object] = {}
        for _ in range(pairs):
            start = self.at
            key = self.string("a key")
            if key in result:
                raise format_error(f"byte {start}: key {key[:100]!r} occurs twice")
            result[key] = self.value(self.number("I", "a value's type"), f"the value of {key[:100]!r}")
        return result

    def take(self, length: int, what: str) -> bytes:
        if length > self.stop - self.at:
            self.short(what)
        self.at += length
        return self.data[self.at - length : self.at]

    def short(self, what: str) -> None:
        bound = (
            f"ends within {what}" if self.stop == len(self.data) else f"needs more than {self.stop} bytes for {what}"
        )
        raise format_error(f"byte {self.at}: the file {bound}")

    def number(self, code: str, what: str) -> int:
        value: int = struct.unpack(self.order + code, self.take(struct.calcsize("=" + code), what))[0]
        return value

    def count(self, what: str, item_bytes: int, limit: int) -> int:
        """A 64-bit count of items that take at least `item_bytes` each and are at most `limit`."""
        start = self.at
        value = self.number("Q", what)
        if value * item_bytes > self.stop - self.at or value > limit:
            raise format_error(f"byte {start}: {what} is {value}, more than the file can hold")
        return value

    def string(self, what: str) -> str:
        return self.take(self.count(f"the length of {what}", 1, self.stop), what).decode("utf-8", "surrogateescape")

    def value(self, kind: int, what: str) -> object:
        if kind == _ARRAY:
            return self.array(what)
        if kind == _STRING:
            return self.string(what)
        if kind == _BOOL:
            return self.number("B", what) != 0
        if kind in _NUMBERS:
            return self.number(_NUMBERS[kind], what)
        raise format_error(f"byte {self.at - 4}: {what} has the unknown type {kind}")

    def array(self, what: str) -> object:
        start = self.at
        kind = self.number("I", what)
        if kind == _STRING:
            return self.string_array(what)
        if kind not in _NUMBERS and kind != _BOOL:
            raise format_error(f"byte {start}: {what} is an array of type {kind}, which is not supported")
        values: array[int] | array[float] = array(_NUMBERS.get(kind, "B"))
        length = self.count(f"the length of {what}", values.itemsize, self.stop)
        values.frombytes(self.take(length * values.itemsize, what))
        if (self.order == ">") != (sys.byteorder == "big"):
            values.byteswap()
        return [value != 0 for value in values] if kind == _BOOL else values

    def string_array(self, what: str) -> list[str]:
        length = self.count(f"the length of {what}", 8, MAXIMUM_TOKENS)
        self.strings += length
        if self.strings > 2 * MAXIMUM_TOKENS:
            raise format_error(f"byte {self.at}: more than {2 * MAXIMUM_TOKENS} strings")
        unpack = struct.Struct(self.order + "Q").unpack_from
        data, at, stop = self.data, self.at, self.stop
        result: list[str] = []
        for _ in range(length):
            size = unpack(data, at)[0] if stop - at >= 8 else stop
            if size > stop - at - 8:
                self.at = at
                self.short(what)
            at += 8 + size
            result.append(data[at - size : at].decode("utf-8", "surrogateescape"))
        self.at = at
        return result
