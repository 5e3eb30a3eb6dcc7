"""The byte-level spelling of GPT-2: each byte as one printable character.

Byte-level BPE files spell a token as text in which every byte stands as one character: the printable bytes of
Latin-1 as themselves, the other 68 as U+0100 onwards in order of value (so space is U+0120 and newline U+010A).
The table is that of GPT-2's `bytes_to_unicode`. You need it to read tokenizer.json and GGUF files of that family;
tiktoken rank files hold plain bytes and do not.
"""

from __future__ import annotations

__all__ = ["BYTE_OF", "CHARACTER_OF", "decode_byte_level"]


def _characters() -> tuple[str, ...]:
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return tuple(chr(value if value in printable else next(spare)) for value in range(256))


CHARACTER_OF = _characters()
"""The character that stands for each byte."""

BYTE_OF = {character: value for value, character in enumerate(CHARACTER_OF)}
"""The byte that each of the 256 characters stands for."""


def decode_byte_level(token: str) -> bytes:
    """The bytes of a byte-level token.

    A token with a character outside the table was added as plain text: its UTF-8 bytes, as the tokenizers
    library reads it. Raises UnicodeEncodeError for half of a surrogate pair.

    >>> decode_byte_level("\\u0120a\\u010a"), decode_byte_level("\\u0120\\u2581")
    (b' a\\n', b'\\xc4\\xa0\\xe2\\x96\\x81')
    """
    try:
        return bytes([BYTE_OF[character] for character in token])
    except KeyError:
        return token.encode("utf-8")
