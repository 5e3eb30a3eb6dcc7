"""Models for tests: deterministic, without a network of weights, over any vocabulary.

`ScriptedModel` wants to write a given text, `ReplayedModel` returns given scores, and `RandomModel` returns seeded
noise. All three are pure functions of the ids, like the real thing, and tokenize by taking the longest token that
fits. With them a test can say what the model wants and watch what the grammar lets it do.

You need these to test code that takes a `Model`. They tell nothing about how well a real model writes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ..errors import InputError, ModelError
from ..vocabulary.trie import Trie
from ..vocabulary.vocabulary import Vocabulary
from .protocol import Logits, Model

__all__ = ["RandomModel", "ReplayedModel", "ScriptedModel"]

_UNWANTED, _WANTED = 0.0, 10.0
_NO_SPECIAL: Mapping[str, int] = MappingProxyType({})


class _VocabularyModel(Model):
    """What the three share: the vocabulary, and greedy tokenization over its trie."""

    def __init__(self, vocabulary: Vocabulary, *, name: str, context_size: int) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.context_size = context_size
        self.prefix_ids: tuple[int, ...] = ()
        self._trie = Trie.build(vocabulary)

    def encode_template(self, text: str, /) -> list[int]:
        """See `Model.encode_template`."""
        return self._encode(text, self.vocabulary.special)

    def encode_data(self, text: str, /) -> list[int]:
        """See `Model.encode_data`. It holds by construction: special ids are not in the trie."""
        return self._encode(text, _NO_SPECIAL)

    def close(self) -> None:
        """Nothing to free."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}, {self.vocabulary.size} tokens>"

    def _check_ids(self, ids: Sequence[int]) -> None:
        """Refuse what a real model refuses."""
        if len(ids) == 0:
            raise InputError("INPUT_FORMAT", name="ids", what="at least one token is needed")
        if len(ids) > self.context_size:
            raise ModelError("CONTEXT_OVERFLOW", need=len(ids), have=self.context_size)

    def _encode(self, text: str, special: Mapping[str, int]) -> list[int]:
        literals = sorted(special, key=len, reverse=True)
        ids: list[int] = []
        plain, at = 0, 0
        while at < len(text):
            literal = next((x for x in literals if text.startswith(x, at)), None)
            if literal is None:
                at += 1
                continue
            ids += self._longest_tokens(text[plain:at].encode())
            ids.append(special[literal])
            plain = at = at + len(literal)
        return [*ids, *self._longest_tokens(text[plain:].encode())]

    def _longest_tokens(self, data: bytes) -> Iterator[int]:
        at = 0
        while at < len(data):
            length, identifier = max(self._tokens_of(data, at), default=(0, -1))
            if not length:
                raise ModelError("CONTEXT_TEXT_LOST", source="data", offset=at)
            yield identifier
            at += length

    def _tokens_of(self, data: bytes, at: int) -> Iterator[tuple[int, int]]:
        """(length, least id) of the tokens that are a prefix of data[at:]."""
        node = 0
        for length, value in enumerate(data[at : at + self._trie.max_depth], start=1):
            found = next((child for child in self._trie.children(node) if self._trie.byte[child] == value), None)
            if found is None:
                return
            node = found
            if self._trie.token[node] >= 0:
                yield length, self._trie.token[node]


class ScriptedModel(_VocabularyModel):
    """A model that wants to write one of the given texts and then to end.

    How far it is follows from the ids alone: the longest beginning of a text that the sequence ends with. So it
    can start after any prompt that does not happen to end like a text begins, and it starts over where a grammar
    made it leave its text. Of several texts it prefers the one it is furthest in, then the first.

    Scores: 0 for an unwanted token; for one that continues the text 10 and its length in bytes, so greedy
    sampling takes the longest; after the text 10 for the end tokens.

    >>> model = ScriptedModel(Vocabulary.from_bytes([b"a", b"b", b"ab", None], eos=3), "aab")
    >>> model.logits([1]).tolist(), model.logits([1, 0]).tolist()
    ([11.0, 0.0, 0.0, 0.0], [11.0, 0.0, 12.0, 0.0])
    """

    def __init__(
        self, vocabulary: Vocabulary, *texts: str | bytes, name: str = "scripted", context_size: int = 1_000_000
    ) -> None:
        super().__init__(vocabulary, name=name, context_size=context_size)
        self._texts = [text.encode() if isinstance(text, str) else text for text in texts]

    def logits(self, ids: Sequence[int], /) -> Logits:
        """See `Model.logits`."""
        import numpy as np

        self._check_ids(ids)
        scores = np.full(self.vocabulary.logits_width, _UNWANTED, dtype=np.float32)
        rest = self._rest(self.vocabulary.decode(ids))
        if not rest:
            scores[list(self.vocabulary.eos)] = _WANTED
        for length, identifier in self._tokens_of(rest, 0):
            scores[identifier] = _WANTED + length
        return scores

    def _rest(self, written: bytes) -> bytes:
        """What is still to be written of the text that is furthest along."""
        best, rest = -1, b""
        for text in self._texts:
            done = next(n for n in range(len(text), -1, -1) if written.endswith(text[:n]))
            if done > best:
                best, rest = done, text[done:]
        return rest


class ReplayedModel(_VocabularyModel):
    """A model that returns the given rows of scores: row k after k tokens behind the prompt.

    rows: each as wide as the vocabulary's `logits_width`. prompt_tokens: how many ids come before the first row.
    Past the last row it fails like a broken runtime (BACKEND_FAILED).
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        rows: Sequence[Sequence[float]],
        *,
        prompt_tokens: int,
        name: str = "replayed",
        context_size: int = 1_000_000,
    ) -> None:
        super().__init__(vocabulary, name=name, context_size=context_size)
        for row in rows:
            if len(row) != vocabulary.logits_width:
                raise ModelError("LOGITS_SHAPE", need=vocabulary.logits_width, have=len(row))
        self._rows = rows
        self._prompt_tokens = prompt_tokens

    def logits(self, ids: Sequence[int], /) -> Logits:
        """See `Model.logits`."""
        import numpy as np

        self._check_ids(ids)
        step = len(ids) - self._prompt_tokens
        if not 0 <= step < len(self._rows):
            raise ModelError("BACKEND_FAILED", what=f"there is no row of scores for step {step}")
        return np.array(self._rows[step], dtype=np.float32)


class RandomModel(_VocabularyModel):
    """A model whose scores are noise: normal, with standard deviation `scale`, fixed by `seed` and the ids."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        seed: int = 0,
        *,
        scale: float = 3.0,
        name: str = "random",
        context_size: int = 1_000_000,
    ) -> None:
        super().__init__(vocabulary, name=name, context_size=context_size)
        self._seed = seed
        self._scale = scale

    def logits(self, ids: Sequence[int], /) -> Logits:
        """See `Model.logits`."""
        import numpy as np

        self._check_ids(ids)
        digest = hashlib.sha256(repr((self._seed, list(map(int, ids)))).encode()).digest()
        noise = np.random.default_rng(int.from_bytes(digest, "little"))
        return noise.normal(0.0, self._scale, self.vocabulary.logits_width).astype(np.float32)
