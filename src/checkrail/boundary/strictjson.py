"""The strict JSON reader: RFC 8259 and nothing more, with the place of every key and value.

You need it for any JSON that crosses the boundary: model output, tool arguments, tool results, schemas from
elsewhere. You do not need it for JSON that this process wrote itself.

Beyond the grammar of RFC 8259 it refuses what common parsers take silently and each in its own way (compare
RFC 7493, I-JSON): repeated keys, also in another spelling; numbers that overflow a double; integers that a double
would change; lone surrogates; a byte order mark; invalid UTF-8; and texts too deep, too large or of too many
values. Nothing is repaired. Every refusal is a `DocumentError` with its code and place.

One pass, O(n). The reader is a machine whose states are methods that return the next state, so nesting costs no
Python stack. The regular expressions are fixed, contain no nested repetition, and are matched only at the place
where the reader stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

from ..errors import DocumentError, Position
from .document import ABSENT, DEFAULT_MAX_DEPTH, Columns, Document, Json
from .number_text import number_text

__all__ = ["DEFAULT_MAX_BYTES", "DEFAULT_MAX_VALUES", "LARGEST_INTEGER", "parse"]

DEFAULT_MAX_BYTES = 32 * 1024 * 1024
DEFAULT_MAX_VALUES = 500_000  # a second or two of reading, 130 MiB
_SMALL = 4 * 1024 * 1024  # bytes: who allows no more has bounded the values, too
LARGEST_INTEGER = 2**53 - 1
_LONGEST_NUMBER = 2048  # characters; an exact double needs at most 1,077

_BLANKS = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_HEX4 = re.compile(r"[0-9a-fA-F]{4}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: tuple[tuple[str, Json], ...] = (("true", True), ("false", False), ("null", None))
_VALUE = ("an object", "an array", "a string", "a number", "true", "false", "null")


def parse(
    data: bytes | str,
    *,
    max_depth: int = DEFAULT_MAX_DEPTH,
    max_bytes: int = DEFAULT_MAX_BYTES,
    max_values: int | None = None,
    big_integers: bool = False,
) -> Document:
    """Read one JSON text.

    max_depth: objects and arrays within one another. max_bytes: size in UTF-8. max_values: values of all kinds,
    objects and arrays among them; by default 500,000, or as many as there are if `max_bytes` is at most 4 MiB.
    big_integers: keep integers of any size below 2**1024 as exact `int`. Without it an integer beyond
    2**53 - 1 is read as the double that equals it or that canonical JSON writes so, and refused if there is none.

    Raises `DocumentError` with a code JSON_*; its position counts code points.

    >>> parse('{"a": [1, 2.50]}').node("/a/1").literal
    '2.50'
    """
    text = _decode(data, max_bytes)
    if max_values is None:
        max_values = max_bytes if max_bytes <= _SMALL else DEFAULT_MAX_VALUES
    return _Reader(text, max_depth, max_values, big_integers).read()


def _decode(data: bytes | str, max_bytes: int) -> str:
    """The text, or the error that says why these bytes are none."""
    if isinstance(data, str):
        text = data
        lone = _SURROGATE.search(text)
        if lone:
            raise DocumentError("JSON_SURROGATE", position=Position.at(text, lone.start()))
        size = len(text) if text.isascii() else len(text.encode("utf-8"))
    else:
        size = len(data)
    if size > max_bytes:
        raise DocumentError("JSON_TOO_LARGE", reached=size, limit=max_bytes)
    if not isinstance(data, str):
        try:
            text = bytes(data).decode("utf-8")
        except UnicodeDecodeError as error:
            before = bytes(data[: error.start]).decode("utf-8")
            raise DocumentError(
                "JSON_ENCODING", position=Position.at(before, len(before)), offset=error.start
            ) from None
    if text.startswith("\ufeff"):
        raise DocumentError("JSON_BOM", position=Position.at(text, 0))
    return text


class _Reader:
    """One text being read: `at` is where the reader stands, `open` the rows of the open containers."""

    def __init__(self, text: str, max_depth: int, max_values: int, big_integers: bool) -> None:
        self.text = text
        self.at = 0
        self.max_depth = max_depth
        self.max_values = max_values
        self.big_integers = big_integers
        self.columns = Columns()
        self.open: list[int] = []
        self.key: str | int | None = None
        self.key_span = (ABSENT, ABSENT)

    def read(self) -> Document:
        state: Callable[[], Any] | None = self.value
        while state is not None:
            state = state()
        return Document(self.text, self.columns)

    # States. Each reads one thing and returns the state that follows.

    def value(self) -> Callable[[], Any]:
        head = self.skip()
        start = self.at
        if head == '"':
            self.add(self.string(), start)
        elif head == "{":
            self.enter({}, start)
            return self.first_key
        elif head == "[":
            self.enter([], start)
            return self.first_item
        elif head == "-" or "0" <= head <= "9":
            self.add(self.number(), start)
        else:
            self.add(self.word(), start)
        return self.after_value

    def first_item(self) -> Callable[[], Any]:
        if self.skip() == "]":
            return self.leave
        self.key = 0
        return self.value

    def first_key(self) -> Callable[[], Any]:
        if self.skip() == "}":
            return self.leave
        return self.property_name

    def property_name(self) -> Callable[[], Any]:
        if self.skip() != '"':
            self.refuse("a key was expected", "a string")
        start = self.at
        key = self.string()
        members = self.columns.values[self.open[-1]]
        assert isinstance(members, dict)
        if key in members:
            self.fail("JSON_DUPLICATE_KEY", start, pointer=self.columns.pointer(self.open[-1]))
        self.key, self.key_span = key, (start, self.at)
        if self.skip() != ":":
            self.refuse("a colon was expected after the key", "':'")
        self.at += 1
        return self.value

    def after_value(self) -> Callable[[], Any]:
        if not self.open:
            return self.finish
        head = self.skip()
        container = self.columns.values[self.open[-1]]
        closing = "]" if isinstance(container, list) else "}"
        if head == closing:
            return self.leave
        if head != ",":
            self.refuse("the value is not followed by a comma or the closing bracket", "','", f"'{closing}'")
        self.at += 1
        if isinstance(container, list):
            self.key, self.key_span = len(container), (ABSENT, ABSENT)
            return self.value
        return self.property_name

    def leave(self) -> Callable[[], Any]:
        self.at += 1
        self.columns.close(self.open.pop(), self.at)
        return self.after_value

    def finish(self) -> None:
        if self.skip():
            self.refuse("there is text after the value", "the end of the text")

    # Steps.

    def skip(self) -> str:
        """Pass blanks; the character that stands there, or "" at the end."""
        blanks = _BLANKS.match(self.text, self.at)
        assert blanks is not None  # it matches nothing, too
        self.at = blanks.end()
        return self.text[self.at : self.at + 1]

    def add(self, value: Json, start: int) -> int:
        """Put a value that began at `start` into the open container."""
        if len(self.columns.values) >= self.max_values:
            self.fail("JSON_TOO_MANY", start, limit=self.max_values)
        parent = ABSENT
        if self.open:
            parent = self.open[-1]
            container = self.columns.values[parent]
            if isinstance(container, list):
                container.append(value)
            elif isinstance(container, dict):
                assert isinstance(self.key, str)
                container[self.key] = value
        return self.columns.add(value, parent, self.key, (start, self.at), self.key_span)

    def enter(self, container: Json, start: int) -> None:
        if len(self.open) >= self.max_depth:
            self.fail("JSON_DEPTH", start, limit=self.max_depth)
        self.at += 1
        self.open.append(self.add(container, start))
        self.key, self.key_span = None, (ABSENT, ABSENT)

    def word(self) -> Json:
        found = next((pair for pair in _WORDS if self.text.startswith(pair[0], self.at)), None)
        if found is None:
            self.refuse("a value was expected", *_VALUE)
        self.at += len(found[0])
        return found[1]

    def number(self) -> int | float:
        start = self.at
        match = _NUMBER.match(self.text, start)
        if match is None:
            self.at += 1
            self.refuse("a digit was expected after the minus sign", "a digit")
        self.at = match.end()
        follows = self.text[self.at : self.at + 1]
        if follows and follows in "0123456789.eE+-":
            self.refuse("the number is malformed: no leading zeros, and digits after '.' and after 'e'")
        literal = match.group()
        if len(literal) > _LONGEST_NUMBER:
            self.fail("JSON_NUMBER_LENGTH", start, pointer=self.place(), reached=len(literal), limit=_LONGEST_NUMBER)
        double = float(literal)
        if math.isinf(double):
            self.fail("JSON_NUMBER_RANGE", start, pointer=self.place())
        if not literal.removeprefix("-").isdigit():
            return double
        integer = int(literal)
        if self.big_integers or abs(integer) <= LARGEST_INTEGER:
            return integer
        # 2.0**60 is written 1152921504606847000: what canonical JSON writes, this reader must take
        if integer != double and literal != number_text(double):
            self.fail("JSON_NUMBER_PRECISION", start, pointer=self.place())
        return double

    def string(self) -> str:
        """The decoded string whose opening quote stands here."""
        opening = self.at
        pieces = []
        self.at += 1
        while True:
            plain = _PLAIN.match(self.text, self.at)
            assert plain is not None
            pieces.append(plain.group())
            self.at = plain.end()
            head = self.text[self.at : self.at + 1]
            if head == '"':
                self.at += 1
                return "".join(pieces)
            if head == "\\":
                pieces.append(self.escape())
            elif head:
                self.refuse("a control character in a string must be escaped")
            else:
                self.fail("JSON_SYNTAX", opening, what="the string that begins here does not end")

    def escape(self) -> str:
        """The character that the escape sequence here stands for."""
        start = self.at
        letter = self.text[start + 1 : start + 2]
        if letter in _ESCAPES:
            self.at += 2
            return _ESCAPES[letter]
        if letter != "u":
            self.fail("JSON_SYNTAX", start, what="an unknown escape in a string", expected=[*_ESCAPES, "uXXXX"])
        unit = self.code_unit()
        if 0xDC00 <= unit <= 0xDFFF:
            self.fail("JSON_SURROGATE", start)
        if not 0xD800 <= unit <= 0xDBFF:
            return chr(unit)
        if not self.text.startswith("\\u", self.at):
            self.fail("JSON_SURROGATE", start)
        low = self.code_unit()
        if not 0xDC00 <= low <= 0xDFFF:
            self.fail("JSON_SURROGATE", start)
        return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))

    def code_unit(self) -> int:
        """The UTF-16 unit of the `\\uXXXX` that stands here."""
        digits = _HEX4.match(self.text, self.at + 2)
        if digits is None:
            self.fail("JSON_SYNTAX", self.at, what="\\u must be followed by four hexadecimal digits")
        self.at = digits.end()
        return int(digits.group(), 16)

    # Failures.

    def place(self) -> str:
        """The pointer of the value that is being read."""
        if not self.open:
            return ""
        token = str(self.key).replace("~", "~0").replace("/", "~1")
        return f"{self.columns.pointer(self.open[-1])}/{token}"

    def refuse(self, what: str, *expected: str) -> NoReturn:
        """The text is not JSON here."""
        head = self.text[self.at : self.at + 1]
        found = f"U+{ord(head):04X}" if head else "the end of the text"
        self.fail("JSON_SYNTAX", self.at, what=f"{what}, found {found}", expected=expected)

    def fail(self, code: str, offset: int, **params: Any) -> NoReturn:
        raise DocumentError(code, position=Position.at(self.text, offset), **params)
