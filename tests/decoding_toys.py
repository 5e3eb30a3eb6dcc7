"""Small stand-ins for a model, a matcher and a clock, shared by the tests of the decode loop."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from checkrail.vocabulary.vocabulary import Vocabulary

EOS = 256
SPECIAL = 257
PADDING = 3


def byte_vocabulary(*longer: bytes, without: bytes = b"") -> Vocabulary:
    """256 bytes, the end token 256, a special token 257, then `longer`; three ids of padding."""
    single = [None if b in without else bytes([b]) for b in range(256)]
    tokens = [*single, b"<eos>", b"<special>", *longer]
    return Vocabulary.from_bytes(tokens, eos=EOS, special=[SPECIAL], logits_width=len(tokens) + PADDING)


class TextsMatcher:
    """Allows exactly the given texts."""

    def __init__(self, vocabulary: Vocabulary, texts: Iterable[bytes]) -> None:
        self.vocabulary = vocabulary
        self.texts = list(texts)
        self.prefix = b""
        self.ended = False

    def allows(self, token: int) -> bool:
        if token in self.vocabulary.eos:
            return self.is_completed() and not self.ended
        data = self.vocabulary.tokens[token]
        return bool(data) and any(t.startswith(self.prefix + (data or b"")) for t in self.texts)

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0) -> bool:
        words = [0] * ((self.vocabulary.size + 31) // 32)
        for token in range(self.vocabulary.size):
            words[token >> 5] |= self.allows(token) << (token & 31)
        memoryview(bitmask).cast("B")[:] = array("I", words).tobytes()
        return True

    def accept_token(self, token_id: int, /) -> bool:
        if not self.allows(token_id):
            return False
        self.ended = token_id in self.vocabulary.eos
        self.prefix += self.vocabulary.tokens[token_id] or b""
        return True

    def is_completed(self) -> bool:
        return self.prefix in self.texts


class Script:
    """A model that wants to write the given ids, one after the other, then the end token."""

    def __init__(self, vocabulary: Vocabulary, ids: Sequence[int], prompt_tokens: int) -> None:
        self.vocabulary = vocabulary
        self.ids = list(ids)
        self.prompt_tokens = prompt_tokens
        self.calls: list[Sequence[int]] = []
        self.hook: Callable[[], None] = lambda: None

    def logits(self, ids: Sequence[int], /) -> Any:
        self.hook()
        self.calls.append(ids)
        at = len(ids) - self.prompt_tokens
        scores = array("f", [0.0]) * self.vocabulary.logits_width
        scores[-1] = 99.0  # padding shouts the loudest
        scores[SPECIAL] = 50.0
        scores[self.ids[at] if at < len(self.ids) else EOS] = 10.0
        return scores


class Ticks:
    """A clock that moves by `step` seconds at each look."""

    def __init__(self, step: float = 0.0) -> None:
        self.step = step
        self.now = 100.0
        self.hook: Callable[[], None] = lambda: None

    def __call__(self) -> float:
        self.hook()
        self.now += self.step
        return self.now
