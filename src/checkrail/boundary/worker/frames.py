"""Frames: messages with their length before them, on a descriptor that host and worker share.

A frame is four bytes, the length as a big-endian integer, and as many bytes of canonical JSON (or of arguments, which
are canonical JSON too). The reader says what it is willing to take: a length above that is refused before a byte of the
message is read, and nothing is ever unpickled.

You need it on both sides of the process boundary. The worker's side blocks; the host's side, `Inbox`, is fed whatever
has arrived and never waits.
"""

from __future__ import annotations

import os
import struct

__all__ = ["FrameError", "Inbox", "frame", "read_frame", "write_all"]

_LENGTH = struct.Struct(">I")
_PIECE = 65_536


class FrameError(Exception):
    """What arrived is no frame, or one that is too long."""


def frame(message: bytes) -> bytes:
    """The message with its length before it.

    >>> frame(b"{}")
    b'\\x00\\x00\\x00\\x02{}'
    """
    return _LENGTH.pack(len(message)) + message


def read_frame(descriptor: int, limit: int) -> bytes:
    """The next message, at most `limit` bytes long; waits for it.

    Raises FrameError where it is longer, EOFError where the other side is gone.
    """
    (length,) = _LENGTH.unpack(_read_exactly(descriptor, _LENGTH.size))
    if length > limit:
        raise FrameError(f"a frame of {length} bytes; {limit} are allowed")
    return _read_exactly(descriptor, length)


def _read_exactly(descriptor: int, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        piece = os.read(descriptor, min(count - len(data), _PIECE))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; waits until the other side has taken them."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class Inbox:
    """Frames that arrive in pieces. At most one frame and its length are held: what follows stays outside.

    limit: bytes of a message; it may be changed between messages.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held = bytearray()

    @property
    def wants(self) -> int:
        """How many bytes to read next, so that nothing beyond the frame is read; 0 when a message is whole."""
        if len(self._held) < _LENGTH.size:
            return _LENGTH.size - len(self._held)
        return min(_LENGTH.size + self._length() - len(self._held), _PIECE)

    def feed(self, piece: bytes) -> None:
        """Take bytes that arrived, at most `wants`. Raises FrameError for a length above the limit."""
        self._held += piece
        if len(self._held) >= _LENGTH.size and self._length() > self.limit:
            raise FrameError(f"a frame of {self._length()} bytes; {self.limit} are allowed")

    def take(self) -> bytes | None:
        """The message if it is whole, and make room for the next one."""
        if len(self._held) < _LENGTH.size or self.wants:
            return None
        message = bytes(self._held[_LENGTH.size :])
        self._held.clear()
        return message

    def _length(self) -> int:
        return int(_LENGTH.unpack_from(self._held)[0])
