"""What gives scores: the embedded model, any GGUF file through llama.cpp, and scripted models for tests.

`load_model` is the way in. An adapter for another runtime implements `protocol.Model`; `chat.encode_chat` turns
a conversation into ids for any of them.
"""

from __future__ import annotations

from os import PathLike, fspath

from . import catalog
from .llama_cpp import LlamaCppModel
from .protocol import Model

__all__ = ["load_model"]


def load_model(
    spec: str | PathLike[str] = "default", *, context_size: int | None = None, threads: int | None = None
) -> Model:
    """Load a model: the embedded one by its name (`default`), or a GGUF file by its path.

    context_size, threads: as in `LlamaCppModel`. A model is a context manager. Nothing is downloaded: the embedded
    model is installed with `checkrail models install`, and its hash is checked each time it is loaded.

    Raises ModelError (MODEL_MISSING, MODEL_HASH) and what `LlamaCppModel` raises.
    """
    entry = catalog.find(fspath(spec))
    if entry is None:
        return LlamaCppModel(spec, context_size=context_size, threads=threads)
    path = catalog.verify(entry.name)
    return LlamaCppModel(path, context_size=context_size, threads=threads, name=entry.name, sha256=entry.sha256)
