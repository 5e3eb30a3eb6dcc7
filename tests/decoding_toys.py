"""Small stand-ins for a model, a matcher and a clock, and runs of them, shared by the tests of the decode loop."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

from checkrail.decoding.loop import decode
from checkrail.decoding.run import Run
from checkrail.decoding.sampler import Sampler
from checkrail.decoding.sampling import Sampling
from checkrail.decoding.stream import Delta, End, Event, Start
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


BYTES = byte_vocabulary()
PROMPT = [104, 105]


def make(
    wanted: bytes | Sequence[int] = b"", texts: Any = None, **options: Any
) -> tuple[Generator[Event, None, None], Script, Run]:
    """A run over bytes in which the model wants to write `wanted`; `texts` is the grammar."""
    vocabulary = options.pop("vocabulary", BYTES)
    sampling = options.pop("sampling", Sampling())
    sampler = options.pop("sampler", None) or Sampler(
        sampling, logits_width=vocabulary.logits_width, vocabulary_size=vocabulary.size, seed=0
    )
    source = options.pop("source", None) or Script(vocabulary, list(wanted), len(PROMPT))
    run = options.pop("run", None) or Run("r")
    matcher = options.pop("matcher", None) or (None if texts is None else TextsMatcher(vocabulary, texts))
    options = {"max_tokens": 1000, "clock": Ticks(), **options}
    return decode(source, PROMPT, matcher, sampler, vocabulary=vocabulary, run=run, **options), source, run


def play(*arguments: Any, **options: Any) -> tuple[str, End, list[Event]]:
    stream, _, run = make(*arguments, **options)
    events = list(stream)
    end = check_envelope(events)
    assert run.end is end
    return "".join(e.text for e in events if isinstance(e, Delta)), end, events


def check_envelope(events: list[Event]) -> End:
    """What holds for every stream."""
    assert [e.seq for e in events] == list(range(len(events)))
    assert [e for e in events if isinstance(e, Start)] == events[:1]
    assert [e for e in events if isinstance(e, End)] == events[-1:]
    at = 0
    for event in events:
        assert json.loads(event.to_json())["type"] == event.type
        if isinstance(event, Delta):
            assert event.text
            assert event.at == at
            at += len(event.text)
    end = events[-1]
    assert isinstance(end, End)
    assert end.text_len == at + len(end.held_text)
    assert end.complete == (end.error is None)
    return end
