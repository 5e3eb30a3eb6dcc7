"""The tokens that end a model's turn, known by their text.

Tokenizer files name one end token, models use several: the end of the text, of the turn, of a message. Where no
configuration lists them all, their texts do. The list is llama.cpp's (`special_eog_ids`), with its two exceptions.

You need it to read a file that does not say which ids end a text. A caller who knows them passes `eos`.
"""

from __future__ import annotations

from collections.abc import Container

__all__ = ["END_TEXTS", "FILL_TEXTS", "end_texts"]

END_TEXTS = (
    "</s>",
    "<eos>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "[e~[",
    "<turn|>",
    "<|call|>",
    "<|calls|>",
    "<|end|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|flush|>",
    "<|im_end|>",
    "<|return|>",
    "<|tool_response>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<｜end▁of▁sentence｜>",
)
"""Texts of tokens that end a text, a turn or a message."""

FILL_TEXTS = {
    "fim_pre": ("<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>",
                "<|code_prefix|>", "<|prefix|>"),
    "fim_suf": ("<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>",
                "<|code_suffix|>", "<|suffix|>"),
    "fim_mid": ("<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>",
                "<|code_middle|>", "<|middle|>"),
    "fim_pad": ("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"),
    "fim_rep": ("<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"),
    "fim_sep": ("<|file_sep|>",),
}  # fmt: skip
"""GGUF key -> texts of the tokens by which code models fill in the middle. llama.cpp counts the last three as ends."""


def end_texts(present: Container[str]) -> list[str]:
    """Those end texts that are in `present`, without the two that mean something else beside certain others.

    Where a harmony-like template has its own ends, `<|end|>` only ends a part of the message; where the model
    has `<|tool_response>` or `<|plamo:eos|>`, `</s>` is ordinary text.
    """
    found = [text for text in END_TEXTS if text in present]
    calls = "<|call|>" in present or "<|calls|>" in present
    if calls and ("<|return|>" in present or "<|flush|>" in present) and "<|end|>" in found:
        found.remove("<|end|>")
    if ("<|tool_response>" in present or "<|plamo:eos|>" in present) and "</s>" in found:
        found.remove("</s>")
    return found
