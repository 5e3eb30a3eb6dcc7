"""Find llama.cpp on this machine and bind the part of its C interface that Checkrail calls.

Several Python packages carry llama.cpp as a compiled library. Any of them will do, and none is imported: the
library file is found in the package's folder and opened with ctypes. `xllamacpp` comes first (one wheel without
dependencies, whose extension module exports the C functions), then llama-cpp-python's `libllama`.
`CHECKRAIL_LLAMA_LIBRARY` names a file that is used instead of both.

A C library tells nobody its layout, so what can be checked is checked before the first real call: each symbol is
there; the default parameters hold the known values at the known offsets; a batch made by the library reads back
as it was made. The two parameter structures pass through as opaque blobs, larger than they are, in which only
the first three numbers of the context's are set. (A blob is passed as its callee expects on every ABI that copies
large structures or passes their address, that is on all that CPython runs on.)

You need this module to write another adapter for llama.cpp. To run a model, use `LlamaCppModel`.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Error, MissingExtra, ModelError

if TYPE_CHECKING:
    from .protocol import Logits

__all__ = ["LIBRARY_VARIABLE", "LlamaLibrary", "find_library", "load_library"]

LIBRARY_VARIABLE = "CHECKRAIL_LLAMA_LIBRARY"

_PACKAGES = (
    ("xllamacpp", ("xllamacpp*.so", "xllamacpp*.dylib", "xllamacpp*.pyd")),
    ("llama_cpp", ("lib/libllama.so", "lib/libllama.dylib", "lib/llama.dll", "lib/libllama.dll")),
)

_Pointer = ctypes.c_void_p
_Int = ctypes.c_int32
_Token = ctypes.c_int32
_BLOB_BYTES = 512  # the structures take 80 and 168 bytes
_CONTEXT_DEFAULTS = struct.pack("=4I", 512, 2048, 512, 1)  # n_ctx, n_batch, n_ubatch, n_seq_max
_CONTEXT_SETTINGS = struct.Struct("=3I")
_ERROR_LEVEL = 4  # GGML_LOG_LEVEL_ERROR
_LogCallback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)


class _Parameters(ctypes.Structure):
    """`llama_model_params` or `llama_context_params`, opaque."""

    _fields_ = [("bytes", ctypes.c_uint8 * _BLOB_BYTES)]


class _Batch(ctypes.Structure):
    """`llama_batch`."""

    _fields_ = [
        ("n_tokens", _Int),
        ("token", _Pointer),
        ("embd", _Pointer),
        ("pos", _Pointer),
        ("n_seq_id", _Pointer),
        ("seq_id", _Pointer),
        ("logits", _Pointer),
    ]


_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "llama_backend_init": (None, ()),
    "llama_log_set": (None, (_LogCallback, _Pointer)),
    "llama_model_default_params": (_Parameters, ()),
    "llama_context_default_params": (_Parameters, ()),
    "llama_model_load_from_file": (_Pointer, (ctypes.c_char_p, _Parameters)),
    "llama_model_free": (None, (_Pointer,)),
    "llama_model_get_vocab": (_Pointer, (_Pointer,)),
    "llama_model_n_ctx_train": (_Int, (_Pointer,)),
    "llama_model_has_encoder": (ctypes.c_bool, (_Pointer,)),
    "llama_model_has_decoder": (ctypes.c_bool, (_Pointer,)),
    "llama_model_is_recurrent": (ctypes.c_bool, (_Pointer,)),
    "llama_model_is_hybrid": (ctypes.c_bool, (_Pointer,)),
    "llama_init_from_model": (_Pointer, (_Pointer, _Parameters)),
    "llama_free": (None, (_Pointer,)),
    "llama_n_ctx": (ctypes.c_uint32, (_Pointer,)),
    "llama_n_batch": (ctypes.c_uint32, (_Pointer,)),
    "llama_set_n_threads": (None, (_Pointer, _Int, _Int)),
    "llama_get_memory": (_Pointer, (_Pointer,)),
    "llama_memory_clear": (None, (_Pointer, ctypes.c_bool)),
    "llama_memory_seq_rm": (ctypes.c_bool, (_Pointer, _Int, _Int, _Int)),
    "llama_batch_get_one": (_Batch, (ctypes.POINTER(_Token), _Int)),
    "llama_decode": (_Int, (_Pointer, _Batch)),
    "llama_get_logits_ith": (ctypes.POINTER(ctypes.c_float), (_Pointer, _Int)),
    "llama_vocab_n_tokens": (_Int, (_Pointer,)),
    "llama_vocab_get_attr": (ctypes.c_int, (_Pointer, _Token)),
    "llama_vocab_get_text": (ctypes.c_char_p, (_Pointer, _Token)),
    "llama_vocab_get_add_bos": (ctypes.c_bool, (_Pointer,)),
    "llama_vocab_bos": (_Token, (_Pointer,)),
    "llama_tokenize": (
        _Int,
        (_Pointer, ctypes.c_char_p, _Int, ctypes.POINTER(_Token), _Int, ctypes.c_bool, ctypes.c_bool),
    ),
}


def find_library() -> Path | None:
    """The file of the llama.cpp library that is tried first, or None. Imports and loads nothing."""
    return next(_candidates(), None)


def load_library() -> LlamaLibrary:
    """The llama.cpp library of this process, loaded and checked once: the first candidate that fits.

    Raises MissingExtra (MISSING_EXTRA) where no installed package carries it; ModelError (MODEL_RUNTIME) where
    none fits, about the first candidate.
    """
    failure: Error | None = None
    for path in _candidates():
        try:
            return _load(path)
        except ModelError as error:
            failure = failure or error
    raise failure or MissingExtra("MISSING_EXTRA", package="llama.cpp", command="pip install 'checkrail[local]'")


def _candidates() -> Iterator[Path]:
    """The library files of the installed packages, or the one that the environment names."""
    named = os.environ.get(LIBRARY_VARIABLE)
    if named:
        yield Path(named)
        return
    for package, patterns in _PACKAGES:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            for pattern in patterns:
                yield from sorted(Path(folder).glob(pattern))


@cache
def _load(path: Path) -> LlamaLibrary:
    return LlamaLibrary(path)


_errors: deque[str] = deque(maxlen=32)
"""What llama.cpp logged as an error since a call began; its log is one for the whole process."""


def _note(level: int, text: bytes | None, _: object) -> None:
    """Take a line of llama.cpp's log: errors are kept for our own message, the rest is dropped."""
    if level == _ERROR_LEVEL and text:
        _errors.append(text.decode("utf-8", "replace"))


_log = _LogCallback(_note)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_log))  # the library keeps it until the process ends


def _reason() -> str:
    """The first error that llama.cpp logged, made fit for one line."""
    line = re.sub(r"^\w+: ", "", _errors[0]) if _errors else "llama.cpp gives no reason"
    return "".join(c if c.isprintable() else " " for c in line).strip()[:200]


class LlamaLibrary:
    """The C functions, typed. Pointers are integers; none is checked here, so pass only what came from here.

    path: the library's file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        functions = _bind(path)
        _check_layout(functions, path)
        self._call = functions
        functions["llama_log_set"](_log, None)
        functions["llama_backend_init"]()

    def __repr__(self) -> str:
        return f"<LlamaLibrary {self.path.name}>"

    def load_model(self, path: str | os.PathLike[str]) -> int:
        """Load a GGUF file. Returns a model, to be freed. Raises ModelError (MODEL_FILE)."""
        name = os.fspath(path)
        encoded = name.encode() if sys.platform == "win32" else os.fsencode(name)
        _errors.clear()
        model = self._call["llama_model_load_from_file"](encoded, self._call["llama_model_default_params"]())
        if not model:
            raise ModelError("MODEL_FILE", what=_reason())
        return int(model)

    def free_model(self, model: int) -> None:
        """Free a model. Its contexts must be gone."""
        self._call["llama_model_free"](model)

    def new_context(self, model: int, *, context_size: int, batch_size: int, threads: int) -> int:
        """A context for one sequence, to be freed. Raises ModelError (BACKEND_FAILED: memory; MODEL_RUNTIME)."""
        parameters = self._call["llama_context_default_params"]()
        _CONTEXT_SETTINGS.pack_into(parameters.bytes, 0, context_size, batch_size, batch_size)
        _errors.clear()
        context = self._call["llama_init_from_model"](model, parameters)
        if not context:
            raise ModelError("BACKEND_FAILED", what=_reason())
        if self._call["llama_n_ctx"](context) < context_size or self._call["llama_n_batch"](context) < batch_size:
            self.free_context(context)
            raise ModelError("MODEL_RUNTIME", what=f"{self.path.name} did not take the context's settings")
        self._call["llama_set_n_threads"](context, threads, threads)
        return int(context)

    def free_context(self, context: int) -> None:
        """Free a context."""
        self._call["llama_free"](context)

    def vocab(self, model: int) -> int:
        """The model's vocabulary; it lives as long as the model."""
        return int(self._call["llama_model_get_vocab"](model))

    def trained_context(self, model: int) -> int:
        """The number of tokens that the model was trained to read."""
        return int(self._call["llama_model_n_ctx_train"](model))

    def is_decoder(self, model: int) -> bool:
        """Whether the model only continues a text: it has no encoder to be fed first."""
        return bool(self._call["llama_model_has_decoder"](model) and not self._call["llama_model_has_encoder"](model))

    def is_recurrent(self, model: int) -> bool:
        """Whether the model has a running state, which cannot be cut back to an earlier token."""
        return bool(self._call["llama_model_is_recurrent"](model) or self._call["llama_model_is_hybrid"](model))

    def truncate(self, context: int, length: int) -> bool:
        """Forget all but the first `length` tokens. False, and nothing done, if the model cannot forget a part."""
        memory = self._call["llama_get_memory"](context)
        return bool(self._call["llama_memory_seq_rm"](memory, 0, length, -1))

    def clear(self, context: int) -> None:
        """Forget all tokens."""
        self._call["llama_memory_clear"](self._call["llama_get_memory"](context), True)

    def decode(self, context: int, ids: Sequence[int]) -> int:
        """Evaluate `ids` behind what the context holds. Returns llama.cpp's status: 0 is success."""
        tokens = (_Token * len(ids))(*ids)  # must outlive the call, because the batch only points to it
        batch = self._call["llama_batch_get_one"](tokens, len(ids))
        return int(self._call["llama_decode"](context, batch))

    def last_logits(self, context: int, width: int) -> Logits:
        """A copy of the scores behind the last token that was evaluated. Raises ModelError (BACKEND_FAILED)."""
        import numpy as np

        scores = self._call["llama_get_logits_ith"](context, -1)
        if not scores:
            raise ModelError("BACKEND_FAILED", what="llama.cpp gave no scores")
        return np.ctypeslib.as_array(scores, (width,)).copy()

    def token_count(self, vocab: int) -> int:
        """The number of token ids, which is also the number of scores."""
        return int(self._call["llama_vocab_n_tokens"](vocab))

    def token_attributes(self, vocab: int, token: int) -> int:
        """llama.cpp's attribute bits of a token."""
        return int(self._call["llama_vocab_get_attr"](vocab, token))

    def token_text(self, vocab: int, token: int) -> str:
        """The text of a token as the model file spells it."""
        text: bytes | None = self._call["llama_vocab_get_text"](vocab, token)
        return (text or b"").decode("utf-8", "surrogateescape")

    def begin_token(self, vocab: int) -> int | None:
        """The token that every prompt should start with, or None where the model has none."""
        token = int(self._call["llama_vocab_bos"](vocab))
        return token if token >= 0 and self._call["llama_vocab_get_add_bos"](vocab) else None

    def tokenize(self, vocab: int, text: bytes, *, special: bool) -> list[int]:
        """llama.cpp's ids of a text, without begin or end token. special: parse control tokens in it."""
        room = len(text) + 8  # no tokenizer writes more than a token a byte and a leading space
        ids = (_Token * room)()
        count = self._call["llama_tokenize"](vocab, text, len(text), ids, room, False, special)
        if count < 0:
            raise ModelError("BACKEND_FAILED", what=f"llama_tokenize returned {count}")
        return ids[:count]


def _bind(path: Path) -> dict[str, Callable[..., Any]]:
    """Open the library and look up every function."""
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ModelError("MODEL_RUNTIME", what=f"{path.name} cannot be opened ({error})") from None
    functions: dict[str, Callable[..., Any]] = {}
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name, None)
        if function is None:
            raise ModelError("MODEL_RUNTIME", what=f"{path.name} has no function {name}")
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    return functions


def _check_layout(functions: dict[str, Callable[..., Any]], path: Path) -> None:
    """Refuse a library whose structures are not those that are described above."""
    defaults = bytes(functions["llama_context_default_params"]().bytes)
    tokens = (_Token * 3)(1, 2, 3)
    batch = functions["llama_batch_get_one"](tokens, 3)
    unset = (batch.embd, batch.pos, batch.n_seq_id, batch.seq_id, batch.logits)
    as_made = batch.n_tokens == 3 and batch.token == ctypes.addressof(tokens) and not any(unset)
    if not defaults.startswith(_CONTEXT_DEFAULTS) or not as_made:
        raise ModelError("MODEL_RUNTIME", what=f"{path.name} is a version of llama.cpp with another interface")
