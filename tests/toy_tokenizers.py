"""Tokenizers small enough to see through: one token for each byte, and a few control tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from checkrail.boundary.calls.envelopes import Failed, ToolRef, ToolResult
from checkrail.boundary.canon import digest
from checkrail.boundary.evidence.types import Id
from checkrail.boundary.reinsert import LawfulTokenizer
from checkrail.vocabulary.control_literals import Literals

CONTROL = {
    256: "<|im_start|>",
    257: "<|im_end|>",
    258: "<think>",
    259: "<tool_response>",
    260: "<|result_start|>",
    261: "<|result_end|>",
    262: "<s>",
}
START, END, THINK, RESPONSE, RESULT_START, RESULT_END, BEGIN = CONTROL
NOTHING = "0" * 64


def byte_tokenizer(control: Mapping[int, str] = CONTROL, **options: Any) -> LawfulTokenizer:
    """One token for each byte. options: of `LawfulTokenizer`, and instead of its functions."""
    ids = {text: identifier for identifier, text in control.items()}

    def template(text: str) -> list[int]:
        pieces = Literals(ids).split(text)
        return [i for piece, is_control in pieces for i in ([ids[piece]] if is_control else piece.encode())]

    functions: dict[str, Any] = {"template": template, "data": lambda text: list(text.encode())}
    table = [*(bytes([byte]) for byte in range(256)), *(text.encode() for text in control.values())]
    return LawfulTokenizer(**{**functions, "table": table, "control": dict(control), **options})


def parsing_tokenizer(**options: Any) -> LawfulTokenizer:
    """One that makes control tokens of data as well, as real ones do where nobody stops them."""
    plain = byte_tokenizer()
    return byte_tokenizer(data=plain.encode_template, **options)


def read(ids: list[int] | tuple[int, ...], control: Mapping[int, str] = CONTROL) -> str:
    """What the ids say; control tokens between ⟦ and ⟧."""
    parts = [f"⟦{control[i]}⟧".encode() if i in control else bytes([i]) for i in ids]
    return b"".join(parts).decode()


def tool_result(result: Any = None, *, name: str = "notes.read", failed: Failed | None = None) -> ToolResult:
    """The envelope of a call that came to this."""
    known: dict[str, Any] = {"state": "done", "result": result, "result_sha256": None, "error": None}
    if failed is None:
        known["result_sha256"] = digest(result)
    else:
        known.update(state="failed", error=failed)
    return ToolResult(
        request_id=str(Id.new("tr")),
        session_id=str(Id.new("ts")),
        tool=ToolRef(name, "1.0.0", NOTHING, NOTHING),
        arguments_sha256=NOTHING,
        composition_sha256=NOTHING,
        effects="none",
        **known,
    )


def insertion(text: str) -> tuple[dict[str, Any], Any]:
    """The header and the value of an insertion as it stands in a prompt."""
    header, payload = text.split("\n")[:2]
    return json.loads(header), json.loads(payload)


def hugging_face(*, normalizer: str | None = None) -> Any:
    """A byte-level tokenizer of Hugging Face with special and other added tokens, and a few merges."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("t", "h"), ("th", "e"), ("<", "|"), ("|", ">"), ("Ġ", "the")]
    words = [*letters, *("".join(pair) for pair in merges)]
    model = models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=merges)
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    if normalizer is not None:
        tokenizer.normalizer = getattr(normalizers, normalizer)()
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>", "<s>"])
    tokenizer.add_tokens([AddedToken("<think>", normalized=True), "<tool_response>", "  "])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))]
    )
    tokenizer.enable_truncation(64)
    return tokenizer
