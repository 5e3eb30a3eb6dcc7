"""The secret of one session: it names the boundaries of inserted text and signs the history.

A boundary is 128 bits of the HMAC-SHA256 (RFC 2104) of the insertion's id, under 256 random bits that exist in this
process alone. So nobody who writes a document can know its boundary, and one that was seen is of no use for the next.

It is made with the session and never stored; a history that was signed by another session counts as unsigned.
"""

from __future__ import annotations

import hmac
import secrets

__all__ = ["ReinsertKey"]


class ReinsertKey:
    """Make one with `new`. It cannot be shown, copied or pickled."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def new(cls) -> ReinsertKey:
        """A fresh one."""
        return cls(secrets.token_bytes(32))

    def boundary(self, request_id: str, attempt: int = 0) -> str:
        """The boundary of one insertion, 32 hexadecimal digits. attempt: another one for the same insertion."""
        message = f"boundary\0{request_id}\0{attempt}" if attempt else f"boundary\0{request_id}"
        return self._mac(message.encode())[:32]

    def sign(self, data: bytes) -> str:
        """The MAC of a record, 64 hexadecimal digits."""
        return self._mac(b"history\0" + data)

    def verify(self, data: bytes, mac: str) -> bool:
        """Whether this key signed the record."""
        return hmac.compare_digest(self.sign(data).encode(), mac.encode("utf-8", "replace"))

    def _mac(self, data: bytes) -> str:
        return hmac.digest(self._key, data, "sha256").hex()

    def __reduce__(self) -> str:
        raise TypeError("the key of a session stays in its process")

    def __repr__(self) -> str:
        return "<ReinsertKey>"
