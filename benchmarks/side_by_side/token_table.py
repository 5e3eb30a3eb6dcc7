"""The one vocabulary that every engine gets: the bytes of each token, the special ids, the end token.

`TokenTable.load(folder)` reads Llama-3's (vocab.jsonl, meta.json, tokenizer.json). `first(n)` keeps the n first
tokens in the order of the merges, which is again the vocabulary of a byte-pair encoding, and a smaller one:
that gives vocabularies of several sizes out of one. `of_bytes()` has a token for each byte and needs no data.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["TokenTable"]


@dataclass(frozen=True)
class TokenTable:
    """tokens: the bytes of each id. special: ids that are no text. end: the end token, one of them."""

    tokens: tuple[bytes, ...]
    special: frozenset[int]
    end: int
    tokenizer: Path | None = None

    @classmethod
    def of_bytes(cls) -> TokenTable:
        """256 tokens of one byte each, and an end token."""
        return cls((*(bytes([b]) for b in range(256)), b"<end>"), frozenset([256]), 256)

    @classmethod
    def load(cls, folder: Path) -> TokenTable:
        """Read a folder with vocab.jsonl (base64, one id a line), meta.json and tokenizer.json."""
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        lines = (folder / "vocab.jsonl").read_text("utf-8").splitlines()
        tokens = tuple(base64.b64decode(json.loads(line)) for line in lines)
        return cls(tokens, frozenset(meta["special_ids"]), meta["eot"], folder / "tokenizer.json")

    def first(self, count: int) -> TokenTable:
        """The first `count` text tokens and an end token; itself where it has no more than that."""
        text = [token for identifier, token in enumerate(self.tokens) if identifier not in self.special]
        if count >= len(text):
            return self
        return replace(self, tokens=(*text[:count], b"<end>"), special=frozenset([count]), end=count, tokenizer=None)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def words(self) -> int:
        """32-bit words of one mask."""
        return (len(self.tokens) + 31) // 32

    def text_tokens(self) -> list[tuple[int, bytes]]:
        """(id, bytes) of the tokens that are text."""
        return [(i, token) for i, token in enumerate(self.tokens) if i not in self.special]

    def without_special(self) -> list[bytes | None]:
        """The bytes of each id; None for a special one."""
        return [None if i in self.special else token for i, token in enumerate(self.tokens)]

    def encode(self, text: str) -> list[int]:
        """The ids of a text: the tokenizer's own, or the longest tokens from left to right where there is none."""
        if self.tokenizer is not None:
            ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
            return ids
        return self._greedy(text.encode())

    def _greedy(self, data: bytes) -> list[int]:
        ids = []
        start = 0
        while start < len(data):
            ends = range(min(len(data), start + self._longest), start, -1)
            end = next(end for end in ends if data[start:end] in self._id_of)
            ids.append(self._id_of[data[start:end]])
            start = end
        return ids

    @cached_property
    def _tokenizer(self) -> Any:
        return import_module("tokenizers").Tokenizer.from_file(str(self.tokenizer))

    @cached_property
    def _id_of(self) -> dict[bytes, int]:
        return {token: identifier for identifier, token in self.text_tokens()}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._id_of))
