"""Triggers of MODEL_*, CONTEXT_* and BACKEND_*: model files, runtimes, prompts."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast
from unittest import mock

from checkrail import Vocabulary, load_model
from checkrail.models import catalog, llama_library
from checkrail.models.llama_tokenizer import LlamaTokenizer
from checkrail.models.scripted import ScriptedModel
from error_triggers import Trigger

LETTERS = Vocabulary.from_bytes([b"a", b"b", b"<end>"], eos=2)


@contextmanager
def empty_cache() -> Iterator[Path]:
    """A cache of models with nothing in it."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {catalog.CACHE_VARIABLE: folder}):
        yield Path(folder)


def missing() -> object:
    with empty_cache():
        return load_model()


def other_file() -> object:
    with empty_cache():
        catalog.models_folder().mkdir()
        catalog.CATALOG[0].path.write_bytes(b"GGUF")
        return load_model()


def unreadable_file() -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.gguf")
        path.write_bytes(b"not a model")
        runtime = mock.create_autospec(llama_library.LlamaLibrary, instance=True)
        with mock.patch("checkrail.models.llama_cpp.load_library", return_value=runtime):
            return load_model(path)


def runtime_from(*candidates: Path) -> object:
    with mock.patch.object(llama_library, "_candidates", return_value=iter(candidates)):
        return llama_library.load_library()


def unusable_runtime() -> object:
    with tempfile.NamedTemporaryFile() as file:
        return runtime_from(Path(file.name))


class Careless:
    """A tokenizer library that finds the control token in data, against its instructions."""

    def token_count(self, vocab: int) -> int:
        return 3

    def token_attributes(self, vocab: int, token: int) -> int:
        return 8 if token == 2 else 0

    def token_text(self, vocab: int, token: int) -> str:
        return ("a", "b", "<end>")[token]

    def tokenize(self, vocab: int, data: bytes, *, special: bool) -> list[int]:
        return [2] if data == b"b" else [0] * len(data)


def control_token() -> object:
    return LlamaTokenizer(cast(llama_library.LlamaLibrary, Careless()), 0, LETTERS).encode_data("b")


def failing_pip() -> object:
    failed = mock.Mock(spec=subprocess.Popen, returncode=1)
    with empty_cache(), mock.patch.object(catalog.subprocess, "Popen", return_value=failed):
        return catalog.install()


TRIGGERS: dict[str, Trigger] = {
    "MODEL_MISSING": missing,
    "MODEL_FILE": unreadable_file,
    "MODEL_HASH": other_file,
    "MODEL_RUNTIME": unusable_runtime,
    "MISSING_EXTRA": runtime_from,
    "MODEL_INSTALL": failing_pip,
    "CONTEXT_OVERFLOW": lambda: ScriptedModel(LETTERS, "ab", context_size=2).logits([0, 0, 0]),
    "CONTEXT_CONTROL_TOKEN": control_token,
    "CONTEXT_TEXT_LOST": lambda: ScriptedModel(LETTERS, "ab").encode_data("c"),
}
