"""A stand-in for the llama.cpp library, and the small GGUF file that goes with it.

`FakeLibrary` has the methods of `LlamaLibrary`. Its tokens are the 256 bytes, then `CONTROLS`; like the real one it
finds user-defined tokens in any text and control tokens only when asked. Its context is a list of ids, so a test
can see what was evaluated and what was forgotten.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from checkrail.errors import ModelError

CONTROLS = {"<end>": 8, "<turn>": 8, "<tool>": 16, "<t": 16, "  ": 16, "#": 16, "<unk>": 1}
"""Text -> attribute bits: control, user-defined, unknown."""

END, TURN, TOOL, SHORT, SPACES, HASH, UNKNOWN = range(256, 263)
WIDTH = 256 + len(CONTROLS)
_TYPES = {8: 3, 16: 4, 1: 2}  # attribute bits -> GGUF's token type


def fake_scores(ids: Sequence[int]) -> np.ndarray[Any, Any]:
    """Scores that depend on each of the ids and on their order."""
    return np.random.default_rng(list(ids)).normal(size=WIDTH).astype(np.float32)


class FakeLibrary:
    """See above. trained: the context it claims; add_space: behave like SentencePiece models of llama.cpp."""

    def __init__(self, *, trained: int = 100, recurrent: bool = False, add_space: bool = False) -> None:
        self.trained, self.recurrent, self.add_space = trained, recurrent, add_space
        self.decoder, self.width, self.begin = True, WIDTH, None
        self.held: list[int] = []
        self.batches: list[int] = []
        self.tokenized: list[bytes] = []
        self.calls: list[str] = []
        self.threads = 0
        self.fail_at = -1  # the number of the batch that fails

    def load_model(self, path: Path) -> int:
        self.calls.append("load_model")
        return 1

    def free_model(self, model: int) -> None:
        self.calls.append("free_model")

    def new_context(self, model: int, *, context_size: int, batch_size: int, threads: int) -> int:
        self.calls.append("new_context")
        self.threads = threads
        return 2

    def free_context(self, context: int) -> None:
        self.calls.append("free_context")

    def vocab(self, model: int) -> int:
        return 3

    def trained_context(self, model: int) -> int:
        return self.trained

    def is_decoder(self, model: int) -> bool:
        return self.decoder

    def is_recurrent(self, model: int) -> bool:
        return self.recurrent

    def truncate(self, context: int, length: int) -> bool:
        if self.recurrent and 0 < length < len(self.held):
            return False
        del self.held[length:]
        return True

    def clear(self, context: int) -> None:
        self.held.clear()

    def decode(self, context: int, ids: Sequence[int]) -> int:
        self.batches.append(len(ids))
        if len(self.batches) - 1 == self.fail_at:
            return -3
        self.held += ids
        return 0

    def last_logits(self, context: int, width: int) -> np.ndarray[Any, Any]:
        return fake_scores(self.held)

    def token_count(self, vocab: int) -> int:
        return self.width

    def token_attributes(self, vocab: int, token: int) -> int:
        return 4 if token < 256 else list(CONTROLS.values())[token - 256]

    def token_text(self, vocab: int, token: int) -> str:
        return chr(token) if token < 256 else list(CONTROLS)[token - 256]

    def begin_token(self, vocab: int) -> int | None:
        return self.begin

    def tokenize(self, vocab: int, text: bytes, *, special: bool) -> list[int]:
        self.tokenized.append(text)
        ids: list[int] = []
        at = 0
        text = b" " + text if self.add_space else text
        while at < len(text):
            for number, (control, attributes) in enumerate(CONTROLS.items()):
                if (special or attributes == 16) and text.startswith(control.encode(), at):
                    ids.append(256 + number)
                    at += len(control)
                    break
            else:
                ids.append(text[at])
                at += 1
        return ids


class FailingLibrary(FakeLibrary):
    """One whose contexts cannot be made."""

    def new_context(self, model: int, *, context_size: int, batch_size: int, threads: int) -> int:
        raise ModelError("BACKEND_FAILED", what="no memory")


def write_model_file(path: Path) -> Path:
    """A GGUF file with the vocabulary of `FakeLibrary`, and nothing else."""
    tokens = [f"<0x{byte:02X}>" for byte in range(256)] + list(CONTROLS)
    types = [6] * 256 + [_TYPES[attributes] for attributes in CONTROLS.values()]
    pairs = [
        ("tokenizer.ggml.model", 8, _text("llama")),
        ("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, len(tokens)) + b"".join(map(_text, tokens))),
        ("tokenizer.ggml.token_type", 9, struct.pack(f"<IQ{len(types)}i", 5, len(types), *types)),
        ("tokenizer.ggml.eos_token_id", 4, struct.pack("<I", END)),
    ]
    body = b"".join(_text(key) + struct.pack("<I", kind) + value for key, kind, value in pairs)
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + body)
    return path


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data
