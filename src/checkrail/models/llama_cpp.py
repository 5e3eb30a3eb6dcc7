"""A GGUF model, run by llama.cpp on this machine.

Given the ids of a sequence, `LlamaCppModel` evaluates what the last call did not and returns the scores of the
next token. Going back is a shorter sequence, so `logits` needs no notion of a rollback.

The scores are a function of the ids: bit for bit the same however the ids came in, in one call or many, after a
detour or afresh, on one thread or several. That is what makes a seed replay, and llama.cpp does not give it by
itself. Two of its shortcuts round differently, so both are avoided (measured on version b11549, x86-64):

- attention over 64 or more new tokens is computed in tiles: no batch here is larger than 32. Costs 9 % of the
  speed at which a prompt is read.
- attention of a single new token over a cache of 512 entries (from the 257th token on) is split by the number of
  threads: with several threads the last token is evaluated once more beside the new one. One thread needs it not.

Threads: one by default. llama.cpp waits by spinning, so a second thread on a busy core makes a small model many
times slower. `CHECKRAIL_THREADS`, or the argument, overrides.

You need this to run a model file. For the model that `checkrail models install` brings, use `load_model()`.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path

from ..errors import InputError, ModelError, VocabularyError
from ..vocabulary.vocabulary import Vocabulary
from .llama_library import load_library
from .llama_tokenizer import LlamaTokenizer
from .protocol import Logits, Model

__all__ = ["DEFAULT_CONTEXT_SIZE", "THREADS_VARIABLE", "LlamaCppModel"]

THREADS_VARIABLE = "CHECKRAIL_THREADS"
DEFAULT_CONTEXT_SIZE = 4_096

_BATCH = 32
_MAXIMUM_THREADS = 512


class LlamaCppModel(Model):
    """A model file, loaded.

    path: a GGUF file of a decoder-only model. context_size: tokens of the longest sequence; memory grows with
    it; by default 4,096, or what the model was trained for if that is less. threads: of llama.cpp, see above.
    name: by default the file's name without its ending. sha256: of the file, where the caller has checked it; kept.

    It may be called from several threads, one at a time: calls wait for one another.

    Raises InputError (INPUT_MISSING, INPUT_UNREADABLE, INPUT_FORMAT) and ModelError (MODEL_FILE, MODEL_RUNTIME,
    BACKEND_FAILED), VocabularyError (VOCAB_SHAPE, VOCAB_NO_EOS and the like).
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        context_size: int | None = None,
        threads: int | None = None,
        name: str | None = None,
        sha256: str | None = None,
    ) -> None:
        path = Path(path)
        threads = _threads(threads)
        library = load_library()
        self.name = path.stem if name is None else name
        self.sha256 = sha256
        self.vocabulary = _read_vocabulary(path)
        with ExitStack() as stack:
            model = library.load_model(path)
            stack.callback(library.free_model, model)
            if not library.is_decoder(model):
                raise ModelError("MODEL_FILE", what="it is not a decoder-only model")
            vocab = library.vocab(model)
            width = library.token_count(vocab)
            if width != self.vocabulary.logits_width:
                raise VocabularyError("VOCAB_SHAPE", tokens=self.vocabulary.size, width=width)
            self.context_size = _context_size(context_size, library.trained_context(model))
            self._context = library.new_context(
                model, context_size=self.context_size, batch_size=_BATCH, threads=threads
            )
            stack.callback(library.free_context, self._context)
            begin = library.begin_token(vocab)
            self.prefix_ids = () if begin is None else (begin,)
            self._tokenizer = LlamaTokenizer(library, vocab, self.vocabulary)
            self._pairs = threads > 1 and not library.is_recurrent(model)
            # Runs at `close`, when the model is collected, or at the latest when the interpreter ends.
            self._release = weakref.finalize(self, stack.pop_all().close)
        self._library = library
        self._lock = threading.Lock()
        self._cached: list[int] = []  # at most what the context holds

    def logits(self, ids: Sequence[int], /) -> Logits:
        """See `Model.logits`."""
        with self._lock:
            self._check_open()
            self._evaluate(list(ids))
            return self._library.last_logits(self._context, self.vocabulary.logits_width)

    def encode_template(self, text: str, /) -> list[int]:
        """See `Model.encode_template`. Raises InputError (INPUT_FORMAT) for more than 8,192 characters."""
        with self._lock:
            self._check_open()
            return self._tokenizer.encode_template(text)

    def encode_data(self, text: str, /) -> list[int]:
        """See `Model.encode_data`."""
        with self._lock:
            self._check_open()
            return self._tokenizer.encode_data(text)

    @property
    def control_ids(self) -> frozenset[int]:
        """The ids that data never becomes: `vocabulary.special_ids`, and user-defined tokens."""
        return self._tokenizer.control_ids

    def close(self) -> None:
        """See `Model.close`."""
        with self._lock:
            self._release()

    def __repr__(self) -> str:
        return f"<LlamaCppModel {self.name}, {self.vocabulary.size} tokens, context {self.context_size}>"

    def _check_open(self) -> None:
        if not self._release.alive:
            raise ModelError("BACKEND_FAILED", what="the model was closed")

    def _evaluate(self, ids: list[int]) -> None:
        """Bring the context to exactly `ids`, with the last of them evaluated by this call."""
        self._check_ids(ids)
        keep = min(_common_prefix(self._cached, ids), len(ids) - 1)
        if self._pairs and keep == len(ids) - 1 and keep > 0:
            keep -= 1
        # An interrupt may come between any two lines: `_cached` must never claim more than the context holds.
        del self._cached[keep:]
        if not self._library.truncate(self._context, keep):
            self._cached.clear()
            self._library.clear(self._context)
        for start, stop in _batches(len(self._cached), len(ids)):
            status = self._library.decode(self._context, ids[start:stop])
            if status != 0:
                self._cached.clear()
                raise ModelError("BACKEND_FAILED", what=f"llama_decode returned {status}")
            self._cached += ids[start:stop]

    def _check_ids(self, ids: list[int]) -> None:
        if not ids:
            raise InputError("INPUT_FORMAT", name="ids", what="at least one token is needed")
        if len(ids) > self.context_size:
            raise ModelError("CONTEXT_OVERFLOW", need=len(ids), have=self.context_size)
        if min(ids) < 0 or max(ids) >= self.vocabulary.logits_width:
            what = f"the ids run from 0 to {self.vocabulary.logits_width - 1}"
            raise InputError("INPUT_FORMAT", name="ids", what=what)


def _common_prefix(a: list[int], b: list[int]) -> int:
    if b[: len(a)] == a:  # the usual case, at the speed of C
        return len(a)
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(b))


def _batches(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Spans of at most 32 tokens from `start` to `stop`; none of one token unless that is all."""
    while start < stop:
        size = min(_BATCH, stop - start)
        if stop - start - size == 1:
            size -= 1
        yield start, start + size
        start += size


def _read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary in the model file. What is no GGUF file is refused here, before llama.cpp sees it."""
    try:
        return Vocabulary.from_gguf(path)
    except VocabularyError as error:
        if error.code != "VOCAB_FORMAT":
            raise
        raise ModelError("MODEL_FILE", what=error.params["what"]) from error


def _context_size(asked: int | None, trained: int) -> int:
    if asked is None:
        return min(DEFAULT_CONTEXT_SIZE, trained)
    if isinstance(asked, bool) or not 1 <= asked <= trained:
        raise InputError("INPUT_FORMAT", name="context_size", what=f"must be an integer from 1 to {trained}")
    return asked


def _threads(asked: int | None) -> int:
    """The number of threads: the argument, else the environment's, else one."""
    name, value = "threads", asked
    if asked is None:
        name, text = THREADS_VARIABLE, os.environ.get(THREADS_VARIABLE, "1")
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else None
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MAXIMUM_THREADS:
        raise InputError("INPUT_FORMAT", name=name, what=f"must be an integer from 1 to {_MAXIMUM_THREADS}")
    return value
