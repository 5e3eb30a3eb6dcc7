"""What every reader returns: token id -> bytes, which ids are special, which end the text.

Readers (one per file format) know formats and nothing about masks; `Vocabulary` checks and freezes what they
found. This plain value stands between them, so that readers never import `Vocabulary`. You need it to write a
reader, not to use one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..errors import VocabularyError

__all__ = ["MAXIMUM_TOKENS", "TokenTable", "format_error"]

MAXIMUM_TOKENS = 2**22
"""The most ids a vocabulary may have, sixteen times the largest in use; keeps hostile files bounded."""


@dataclass(slots=True)
class TokenTable:
    """A tokenizer as a reader found it.

    tokens: id -> bytes; None for an id without text. special: text -> id of tokens that are not text.
    special_ids: all ids that are not text, named or not. eos: ids that end a text, in any order.
    logits_width: the number of scores of the model's head where the file says so, else None.
    """

    tokens: list[bytes | None]
    special: dict[str, int] = field(default_factory=dict)
    special_ids: set[int] = field(default_factory=set)
    eos: set[int] = field(default_factory=set)
    logits_width: int | None = None

    def put(self, identifier: int, token: bytes | None) -> None:
        """Set one id's bytes; ids past the end leave holes in between.

        Raises VOCAB_FORMAT for an id below 0 or past `MAXIMUM_TOKENS`.
        """
        if not 0 <= identifier < MAXIMUM_TOKENS:
            raise format_error(f"token id {identifier} is outside 0 to {MAXIMUM_TOKENS - 1}")
        if identifier >= len(self.tokens):
            self.tokens.extend([None] * (identifier + 1 - len(self.tokens)))
        self.tokens[identifier] = token

    def put_special(self, identifier: int, text: str) -> None:
        """Mark one id as special under its text; the first id of a text keeps the name, no text is no name."""
        self.put(identifier, None)
        if text:
            self.special.setdefault(text, identifier)
        self.special_ids.add(identifier)

    def end_at(self, texts: Iterable[str]) -> None:
        """Take as end tokens those special tokens whose text is one of `texts`."""
        self.eos.update(self.special[text] for text in texts if text in self.special)


def format_error(what: str, pointer: str | None = None) -> VocabularyError:
    """A VOCAB_FORMAT error; `what` says what is wrong and at which byte, line or JSON pointer."""
    return VocabularyError("VOCAB_FORMAT", what=what, pointer=pointer)
