"""End tokens known by their text. That the list agrees with llama.cpp's is tested on real files (test_gguf_tokens)."""

from __future__ import annotations

import pytest

from checkrail.vocabulary.end_tokens import END_TEXTS, end_texts


def test_every_text_of_the_list_is_found_alone() -> None:
    assert [end_texts({text, "a"}) for text in END_TEXTS] == [[text] for text in END_TEXTS]
    assert end_texts({"a", "<bos>"}) == []


@pytest.mark.parametrize(
    ("present", "found"),
    [
        ({"<|end|>", "<|return|>", "<|call|>"}, {"<|return|>", "<|call|>"}),
        ({"<|end|>", "<|flush|>", "<|calls|>"}, {"<|flush|>", "<|calls|>"}),
        ({"<|end|>", "<|return|>"}, {"<|end|>", "<|return|>"}),
        ({"</s>", "<|tool_response>", "<eos>"}, {"<|tool_response>", "<eos>"}),
        ({"</s>", "<|plamo:eos|>"}, set()),
    ],
)
def test_texts_that_mean_something_else_in_company(present: set[str], found: set[str]) -> None:
    assert set(end_texts(present)) == found
