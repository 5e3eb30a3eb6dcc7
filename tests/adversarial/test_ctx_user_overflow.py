"""Attack 14: so much text from the user that the developer's own would be pushed out."""

from __future__ import annotations

import pytest

from checkrail.boundary.reinsert import CHATML, Prompt, ReinsertKey, Trusted, Turn, UserText, build, safe_chat_ids
from checkrail.errors import ContextError
from toy_tokenizers import byte_tokenizer, read

SYSTEM = Turn.of("system", Trusted("Never delete anything."))


def prompt_of(text: str) -> Prompt:
    turns = [SYSTEM, Turn.of("user", UserText(text))]
    return build(byte_tokenizer(), turns, template=CHATML, key=ReinsertKey.new(), max_tokens=200)


def test_it_is_refused_and_not_cut() -> None:
    with pytest.raises(ContextError, match=r"CONTEXT_OVERFLOW: The input needs \d+ tokens; 200 are available"):
        prompt_of("x" * 500)
    with pytest.raises(ContextError, match="CONTEXT_OVERFLOW"):
        safe_chat_ids(byte_tokenizer(), [{"role": "user", "content": "x" * 500}], max_tokens=200)


def test_what_fits_is_there_to_the_last_letter() -> None:
    text = read(prompt_of("x" * 100 + "!").ids)
    assert "Never delete anything." in text
    assert "x" * 100 + "!" in text
