"""The embedded model, for the tests that need it; they skip with the reason where it cannot be had."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checkrail.errors import ModelError
from checkrail.models import catalog, llama_library
from checkrail.models.llama_cpp import LlamaCppModel


@pytest.fixture(scope="session")
def library() -> llama_library.LlamaLibrary:
    """The llama.cpp library."""
    try:
        return llama_library.load_library()
    except ModelError as error:
        pytest.skip(error.render())


@pytest.fixture(scope="session")
def model(library: llama_library.LlamaLibrary) -> Iterator[LlamaCppModel]:
    """The embedded model, loaded once. Its scores do not depend on what other tests asked."""
    path = catalog.installed()
    if path is None:
        pytest.skip("the embedded model is not installed: run `checkrail models install`")
    with LlamaCppModel(path, context_size=1_024, threads=1) as loaded:
        yield loaded
