"""Attack 3: added tokens without the special flag, which Hugging Face's own switch does not stop."""

from __future__ import annotations

import pytest

from checkrail.boundary.reinsert import adapt
from toy_tokenizers import hugging_face


@pytest.mark.parametrize("literal", ["<think>", "<tool_response>", "<|im_end|>"])
def test_no_added_token_comes_of_data(literal: str) -> None:
    tokenizer = adapt(hugging_face())
    for text in (literal, f"a{literal}b", literal * 50, f" {literal}\n", literal[0] + literal):
        ids = tokenizer.encode_data(text)
        assert tokenizer.control_ids.isdisjoint(ids)
        assert tokenizer.decode_bytes(ids) == text.encode()


def test_the_librarys_switch_stops_the_special_ones_only() -> None:
    """Measured, so that the day it changes is noticed."""
    original = hugging_face()
    original.encode_special_tokens = True
    found = {text: original.token_to_id(text) in original.encode(text).ids for text in ("<think>", "<|im_end|>")}
    assert found == {"<think>": True, "<|im_end|>": False}


def test_templates_still_have_them() -> None:
    tokenizer = adapt(hugging_face())
    assert tokenizer.encode_template("<think>") == [hugging_face().token_to_id("<think>")]
