"""The spelling of SentencePiece-like tokens: U+2581 for a space, `<0xNN>` for a byte.

SentencePiece models, their GGUF and tokenizer.json forms share it. A piece is text in which a lower one eighth
block stands for each space; a byte that no piece can write is a token spelled `<0xNN>`. Some decoders drop the
space before the first word of a text. A mask must not: here `_P` (with the block) is always " P", and whether a
leading space may be written is the grammar's decision.

You need it to write a reader for such a file.
"""

from __future__ import annotations

import re

__all__ = ["SPACE_MARK", "byte_piece", "decode_piece"]

SPACE_MARK = "\N{LOWER ONE EIGHTH BLOCK}"
"""Stands for a space."""

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def decode_piece(piece: str) -> bytes:
    """The UTF-8 bytes of an ordinary piece, marks as spaces. Lone surrogates stand for the bytes they escape."""
    return piece.replace(SPACE_MARK, " ").encode("utf-8", "surrogateescape")


def byte_piece(piece: str) -> bytes | None:
    """The byte that a `<0xNN>` piece writes, else None.

    >>> byte_piece("<0x0A>"), byte_piece("<0x0A")
    (b'\\n', None)
    """
    match = _BYTE.fullmatch(piece)
    return bytes.fromhex(match[1]) if match else None
