"""Bytes in, whole code points out: the buffer between tokens and text.

A token may end in the middle of a character. `Utf8Buffer` gives out the longest prefix that is whole and
keeps the rest, three bytes at the most. It never waits for a grapheme cluster: a code point is final.

The decoder is a table driven automaton (the idea is Hoehrmann's, 2010), built here from the definition
instead of copied: table 3-7 of the Unicode standard lists nine shapes of well-formed sequences, each a row of
byte ranges. A state is what may still follow, a tuple of ranges; the empty tuple is the start. Reading a
byte inside the first range leaves the other ranges. Eight states, 2 KiB, one look-up a byte. The table has no
entry for overlong forms, surrogates or values above U+10FFFF, so they are refused at the first byte that
proves them wrong, and the pending bytes are then exactly a *maximal subpart*, for which the standard
recommends one U+FFFD.

You need it wherever token bytes become text. For a text that is complete, `bytes.decode` is enough.
"""

from __future__ import annotations

from typing import Literal

from ..errors import SamplingError, StreamError

__all__ = ["REJECT", "START", "STATES", "Utf8Buffer", "Utf8Repair", "state_after"]

Utf8Repair = Literal["fail", "replace"]

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_TAIL = (0x80, 0xBF)
_WELL_FORMED = (
    ((0x00, 0x7F),),
    ((0xC2, 0xDF), _TAIL),
    ((0xE0, 0xE0), (0xA0, 0xBF), _TAIL),
    ((0xE1, 0xEC), _TAIL, _TAIL),
    ((0xED, 0xED), (0x80, 0x9F), _TAIL),
    ((0xEE, 0xEF), _TAIL, _TAIL),
    ((0xF0, 0xF0), (0x90, 0xBF), _TAIL, _TAIL),
    ((0xF1, 0xF3), _TAIL, _TAIL, _TAIL),
    ((0xF4, 0xF4), (0x80, 0x8F), _TAIL, _TAIL),
)
_Ranges = tuple[tuple[int, int], ...]
START = 0
"""The state where everything read so far is whole code points."""
REJECT = 0xFF
"""No state: the bytes are no beginning of well-formed text."""


def _build_table() -> bytes:
    """table[256 * state + byte] is the next state, or REJECT."""
    shapes: tuple[_Ranges, ...] = _WELL_FORMED
    rows: list[tuple[_Ranges, _Ranges]] = [((), shape) for shape in shapes]  # (state to leave, ranges to read)
    numbers: dict[_Ranges, int] = {(): START}
    for shape in shapes:
        for cut in range(1, len(shape)):
            if shape[cut:] not in numbers:
                numbers[shape[cut:]] = len(numbers)
                rows.append((shape[cut:], shape[cut:]))
    table = bytearray([REJECT]) * (256 * len(numbers))
    for state, ((low, high), *rest) in rows:
        first = 256 * numbers[state]
        table[first + low : first + high + 1] = bytes([numbers[tuple(rest)]]) * (high - low + 1)
    return bytes(table)


_TABLE = _build_table()
STATES = len(_TABLE) // 256


def state_after(state: int, data: bytes) -> int:
    """The state after some bytes, or REJECT.

    >>> state_after(START, b"a") == START, state_after(state_after(START, b"\\xe2"), b"\\x82\\xac") == START
    (True, True)
    """
    for byte in data:
        state = _TABLE[256 * state + byte]
        if state == REJECT:
            break
    return state


class Utf8Buffer:
    """Decodes UTF-8 that comes in pieces.

    mode "replace": each maximal subpart of an ill-formed sequence becomes U+FFFD, as in `bytes.decode`.
    mode "fail": the first ill-formed sequence raises StreamError STREAM_UTF8 with its byte offset; the bytes
    from there on stay in `pending`, the text before it that this push had read is in `salvaged`, and every
    later call raises the same error.

    >>> buffer = Utf8Buffer()
    >>> [buffer.push(piece) for piece in (b"a\\xe2", b"\\x82", b"\\xac")]
    ['a', '', '€']
    """

    __slots__ = ("_error", "_offset", "_pending", "_state", "mode", "replaced", "salvaged")

    def __init__(self, mode: Utf8Repair = "replace") -> None:
        if mode not in ("fail", "replace"):
            raise SamplingError("SAMPLING_PARAM", name="utf8", range="fail or replace")
        self.mode = mode
        self.replaced = 0
        """How many U+FFFD were put in so far."""
        self.salvaged = ""
        self._pending = b""
        self._state = START
        self._offset = 0  # in the whole stream, of the first pending byte
        self._error: StreamError | None = None

    @property
    def pending(self) -> bytes:
        """Bytes taken but not given out: a proper prefix of a code point, or all from the error on."""
        return self._pending

    def push(self, data: bytes) -> str:
        """Take bytes, give out the code points that they complete."""
        if self._error is not None:
            self._pending += data
            raise self._error
        if not self._pending and data.isascii():
            self._offset += len(data)
            return data.decode("ascii")
        return self._decode(self._pending + data, len(self._pending))

    def _decode(self, data: bytes, at: int) -> str:
        """Decode from byte `at`; those before are a prefix in `_state`."""
        parts: list[str] = []
        state = self._state
        good = start = 0  # data[good:start] is whole and not yet in parts; data[start:at] is the open sequence
        while at < len(data):
            following = _TABLE[256 * state + data[at]]
            if following != REJECT:
                at += 1
                state = following
                if state == START:
                    start = at
                continue
            parts.append(data[good:start].decode("utf-8"))
            if self.mode == "fail":
                self._fail(data[start:], start, "".join(parts))
            parts.append(_REPLACEMENT)
            self.replaced += 1
            # A byte that breaks an open sequence may begin the next one; a byte that cannot begin one is spent.
            at += state == START
            state, good, start = START, at, at
        parts.append(data[good:start].decode("utf-8"))
        self._state, self._pending = state, data[start:]
        self._offset += start
        return "".join(parts)

    def flush(self) -> str:
        """The stream has ended: an unfinished sequence becomes one U+FFFD, or raises in mode "fail"."""
        if self._error is not None:
            raise self._error
        if not self._pending:
            return ""
        if self.mode == "fail":
            self._fail(self._pending, 0, "")
        self._offset += len(self._pending)
        self._pending, self._state = b"", START
        self.replaced += 1
        return _REPLACEMENT

    def _fail(self, rest: bytes, start: int, salvaged: str) -> None:
        self._offset += start
        self._pending, self.salvaged = rest, salvaged
        self._error = StreamError("STREAM_UTF8", offset=self._offset)
        raise self._error

    def __repr__(self) -> str:
        return f"<Utf8Buffer {self.mode} pending={self._pending.hex()!r}>"
