"""tiktoken: `encode_ordinary` knows no special tokens, and there is no other added vocabulary.

Long texts are encoded in fragments: its regular expression overflows its stack on a million blanks.

Takes an `Encoding`; imports nothing. The table of bytes is read once, about a second for 200,000 tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...vocabulary.control_literals import short
from ...vocabulary.tiktoken import read_encoding
from .law import LawfulTokenizer

__all__ = ["from_tiktoken"]

_FRAGMENT_CHARACTERS = 16_384


def from_tiktoken(encoding: Any) -> LawfulTokenizer:
    """The adapter. Raises `VocabularyError` for an encoding that cannot be read."""
    table = read_encoding(encoding)

    def template(text: str) -> Sequence[int]:
        return encoding.encode(text, allowed_special="all")  # type: ignore[no-any-return]  # untyped

    def data(text: str) -> list[int]:
        return [
            identifier for part in short(text, _FRAGMENT_CHARACTERS) for identifier in encoding.encode_ordinary(part)
        ]

    return LawfulTokenizer(
        template=template,
        data=data,
        table=table.tokens,
        control={identifier: text for text, identifier in table.special.items()},
    )
