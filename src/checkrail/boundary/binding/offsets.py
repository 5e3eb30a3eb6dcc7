"""Offsets of one text in two units: code points, as Python counts, and UTF-8 bytes, as files do.

You need it to report a span in bytes when it was found in code points. You do not need it for ASCII text,
where the two are equal; the class notices that by itself.

A checkpoint every `_STEP` code points bounds memory and the cost of one question: building is O(n), asking is
O(_STEP). A full table would answer in O(1) with eight bytes a character; spans are too few for that.
"""

from __future__ import annotations

from array import array

__all__ = ["ByteOffsets"]

_STEP = 512


class ByteOffsets:
    """Answers for one immutable text: `offsets.byte(i)` is the number of UTF-8 bytes before code point `i`.

    >>> ByteOffsets("aé€").byte(2)
    3
    """

    __slots__ = ("_ascii", "_checkpoints", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._checkpoints = array("q", [0])
        if not self._ascii:
            for start in range(0, len(text), _STEP):
                self._checkpoints.append(self._checkpoints[-1] + _size(text[start : start + _STEP]))

    def byte(self, offset: int) -> int:
        """The byte offset of code point `offset`, for `0 <= offset <= len(text)`."""
        if self._ascii:
            return offset
        checkpoint = offset // _STEP
        return self._checkpoints[checkpoint] + _size(self._text[checkpoint * _STEP : offset])


def _size(text: str) -> int:
    return len(text.encode("utf-8"))
