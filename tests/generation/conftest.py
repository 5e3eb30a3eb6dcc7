"""A small vocabulary with the marks of a chat template, and models over it that say what a test wants."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from checkrail.models.scripted import ScriptedModel
from checkrail.vocabulary.vocabulary import Vocabulary

TOKENS = [*(bytes([b]) for b in range(256)), b'{"', b'": ', b'", "', b'"}', b"true", b"false", b"null", None, None]
START, END = len(TOKENS) - 2, len(TOKENS) - 1


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return Vocabulary.from_bytes(TOKENS, eos=END, special={"<|im_start|>": START, "<|im_end|>": END})


@pytest.fixture
def says(vocabulary: Vocabulary) -> Callable[..., ScriptedModel]:
    """A model that wants to write one of the given texts."""
    return lambda *texts, **options: ScriptedModel(vocabulary, *texts, **options)
