"""The structural bytes of JSON, as classes of bytes, and the blanks that may stand between them."""

from __future__ import annotations

from ..grammar.expression import EMPTY, Expression, Repeat
from ..json_schema.whitespace import Whitespace

__all__ = [
    "BLANK",
    "CLASS_MAP",
    "CLOSE_ARRAY",
    "CLOSE_OBJECT",
    "COLON",
    "COMMA",
    "FALSE",
    "NULL",
    "NUMBER",
    "OPEN_ARRAY",
    "OPEN_OBJECT",
    "QUOTE",
    "SPACE",
    "TRUE",
    "WIDTH",
    "Blanks",
]

_SETS = (b" ", b"\t\n\r", b'"', b",", b":", b"{", b"}", b"[", b"]", b"-0123456789", b"t", b"f", b"n")
SPACE, BLANK, QUOTE, COMMA, COLON, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, NUMBER, TRUE, FALSE, NULL = (
    range(len(_SETS))
)
WIDTH = len(_SETS) + 1  # the last class is that of all other bytes


def _class_map() -> bytes:
    classes = bytearray([WIDTH - 1]) * 256
    for number, members in enumerate(_SETS):
        for byte in members:
            classes[byte] = number
    return bytes(classes)


CLASS_MAP = _class_map()


class Blanks:
    """A whitespace policy as numbers: the most blanks at a place, or -1 for exactly one space."""

    __slots__ = ("after_colon", "after_comma", "padding")

    def __init__(self, policy: Whitespace) -> None:
        self.padding = _most(policy.padding)
        self.after_comma = _most(policy.after_comma)
        self.after_colon = _most(policy.after_colon)


def _most(blanks: Expression) -> int:
    if blanks == EMPTY:
        return 0
    return blanks.maximum or 0 if isinstance(blanks, Repeat) else -1
