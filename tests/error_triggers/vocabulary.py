"""Triggers of VOCAB_*: tokenizers."""

from __future__ import annotations

import json

from checkrail import Constraint, Grammar, Vocabulary, compile
from checkrail.vocabulary import vocabulary as bounds
from error_triggers import Trigger
from error_triggers.grammar import BYTES

WORD = Grammar.from_gbnf('root ::= "ab"')


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
    "VOCAB_DEAD_END": lambda: compile(WORD, Vocabulary.from_bytes([b"a", None], eos=1)).matcher(token_budget=9),
    "VOCAB_HASH": lambda: Constraint.deserialize_json(
        compile(WORD, BYTES).serialize_json(), Vocabulary.from_bytes([b"a", None], eos=1)
    ),
}
