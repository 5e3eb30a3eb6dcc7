"""Triggers of VOCAB_*: tokenizers."""

from __future__ import annotations

import json

from checkrail import Vocabulary
from checkrail.vocabulary import vocabulary as bounds
from error_triggers import Trigger
from error_triggers.grammar import BYTES


def too_many_tokens() -> object:
    return Vocabulary.from_bytes([b"a"] * (bounds.MAXIMUM_TOKENS + 1), eos=0)


def no_decoder() -> object:
    return Vocabulary.from_huggingface(json.dumps({"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}}}))


TRIGGERS: dict[str, Trigger] = {
    "VOCAB_FORMAT": lambda: Vocabulary.from_huggingface("{}"),
    "VOCAB_SHAPE": lambda: Vocabulary.from_bytes([b"a", b"b"], eos=1, logits_width=1),
    "VOCAB_BYTES_UNKNOWN": no_decoder,
    "VOCAB_NO_EOS": lambda: Vocabulary.from_bytes([b"a"], eos=()),
    "VOCAB_TOKEN": lambda: BYTES.token_bytes(1_000),
    "VOCAB_BUDGET": too_many_tokens,
}
