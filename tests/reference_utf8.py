"""What a UTF-8 buffer must give out after each piece, from CPython's one-shot decoder and a table of all code points.

CPython's *incremental* decoder is not the oracle: after ED A0 it waits for a third byte, although no character
begins so (it serves the "surrogatepass" handler). Joined up, its text is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

# The last byte of a code point carries 6 bits, so every 64th one shows every beginning.
_POINTS = [cp for cp in range(0x80, 0x110000, 64) if not 0xD800 <= cp <= 0xDFFF]
BEGINNINGS = {chr(cp).encode()[:n] for cp in _POINTS for n in range(1, len(chr(cp).encode()))}


def decode(chunks: Sequence[bytes]) -> list[str]:
    """The text after each piece, and at the end."""
    texts, sent, data = [], "", b""
    for chunk in chunks:
        data += chunk
        ends = [max(len(data) - n, 0) for n in (3, 2, 1)]
        open_at = next((end for end in ends if data[end:] in BEGINNINGS), len(data))
        text = data[:open_at].decode("utf-8", "replace")
        assert text.startswith(sent)
        texts.append(text[len(sent) :])
        sent = text
    return [*texts, data.decode("utf-8", "replace")[len(sent) :]]
