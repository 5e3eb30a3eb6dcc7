"""The vocabulary in a GGUF file's metadata: `tokenizer.ggml.*`.

How a token spells its bytes follows from `tokenizer.ggml.model`: byte-level for `gpt2`; SentencePiece-like for
`llama`, `t5` and `gemma4`; WordPiece with the space mark for `bert`. `token_type` says which tokens are not text.
The reading is llama.cpp's `token_to_piece` and its search for end tokens, with these differences:

- byte-level tokens with foreign characters are plain text (llama.cpp writes `[UNK_BYTE_...]`);
- the rows `[PADn]` by which converters widen a vocabulary to the model's head write nothing;
- WordPiece tokens have no leading space (see `wordpiece`);
- a token of normal text ends nothing, whatever its text (Qwen has an ordinary `</s>`), unless the file names its id.

`tokenizer.ggml.add_space_prefix` tells whether the encoder puts a space before a text. It says nothing about
decoding, so it plays no part here; `gguf.read_metadata` shows it.
"""

from __future__ import annotations

import reprlib
from array import array
from collections.abc import Callable
from os import PathLike

from .byte_level import decode_byte_level
from .end_tokens import FILL_TEXTS, end_texts
from .gguf import Metadata, read_metadata
from .pieces import SPACE_MARK, byte_piece, decode_piece
from .token_table import MAXIMUM_TOKENS, TokenTable, format_error

__all__ = ["read_gguf", "table_of"]

_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = 1, 2, 3, 4, 5, 6
_END_KEYS = ("eos", "eot", "eom", "fim_pad", "fim_rep", "fim_sep")


def _byte_level(text: str) -> bytes:
    try:
        return decode_byte_level(text)
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def _word(text: str) -> bytes:
    return decode_piece(text.removeprefix(SPACE_MARK))


_SPELLING: dict[str, Callable[[str], bytes]] = {
    "gpt2": _byte_level,
    "llama": decode_piece,
    "t5": decode_piece,
    "gemma4": decode_piece,
    "bert": _word,
}


def read_gguf(path: str | PathLike[str]) -> TokenTable:
    """The token table of a GGUF file. Raises as `read_metadata`, and VOCAB_FORMAT for a tokenizer it cannot read."""
    return table_of(read_metadata(path))


def table_of(metadata: Metadata) -> TokenTable:
    """The token table that GGUF metadata describes; the model's scores are as many as its tokens."""
    model = metadata.get("tokenizer.ggml.model")
    if not isinstance(model, str) or model not in _SPELLING:
        raise format_error(f"tokenizer.ggml.model is {reprlib.repr(model)}; supported are {', '.join(_SPELLING)}")
    texts = metadata.get("tokenizer.ggml.tokens")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise format_error("tokenizer.ggml.tokens is missing or is not an array of strings")
    if len(texts) > MAXIMUM_TOKENS:
        raise format_error(f"tokenizer.ggml.tokens has more than {MAXIMUM_TOKENS} entries")
    kinds = _kinds(metadata, len(texts), required=_SPELLING[model] is decode_piece)
    table = TokenTable([None] * len(texts))
    for identifier, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
        if kind != _NORMAL and text == f"[PAD{identifier}]":
            continue
        if kind in (_CONTROL, _UNKNOWN):
            table.put_special(identifier, text)
        else:
            table.tokens[identifier] = _token(text, kind, identifier, _SPELLING[model])
    _mark_ends(metadata, texts, kinds, table)
    return table


def _kinds(metadata: Metadata, size: int, *, required: bool) -> list[int]:
    kinds = metadata.get("tokenizer.ggml.token_type")
    if kinds is None and not required:
        return [_NORMAL] * size
    values = list(kinds) if isinstance(kinds, (list, array)) else []
    if len(values) != size or not all(isinstance(kind, int) for kind in values):
        raise format_error("tokenizer.ggml.token_type is missing or is not an integer for each token")
    return values


def _token(text: str, kind: int, identifier: int, spelling: Callable[[str], bytes]) -> bytes | None:
    if kind == _NORMAL:
        return spelling(text)
    if kind == _USER_DEFINED:
        # Converters put plain spaces here; older ones left the marks of SentencePiece models.
        return decode_piece(text) if spelling is decode_piece else text.encode("utf-8", "surrogateescape")
    if kind == _BYTE:
        byte = byte_piece(text)
        if byte is None:
            raise format_error(f"token {identifier} is a byte, but is spelled {text[:20]!r} instead of <0xNN>")
        return byte
    return None  # unused or undefined: llama.cpp writes nothing for them


def _mark_ends(metadata: Metadata, texts: list[str], kinds: list[int], table: TokenTable) -> None:
    """Make the end tokens special: those that the file names, and those that are known by their text."""
    by_text = {text: i for i, (text, kind) in enumerate(zip(texts, kinds, strict=True)) if kind != _NORMAL}
    named = {key: _identifier(metadata, key, len(texts)) for key in _END_KEYS}
    ends = {by_text[text] for text in end_texts(by_text)}
    for key, known in FILL_TEXTS.items():
        found = [by_text[text] for text in known if text in by_text]
        for identifier in found:
            table.put_special(identifier, texts[identifier])
        if key in named and named[key] is None:
            named[key] = next(iter(found), None)
    if named["eos"] is None and metadata["tokenizer.ggml.model"] == "bert":
        named["eos"] = _identifier(metadata, "seperator", len(texts))  # so spelled in the format
    ends.update(identifier for identifier in named.values() if identifier is not None)
    for identifier in ends:
        table.put_special(identifier, texts[identifier])
    table.eos = ends


def _identifier(metadata: Metadata, name: str, size: int) -> int | None:
    key = f"tokenizer.ggml.{name}_token_id"
    value = metadata.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < size:
        raise format_error(f"{key} is {reprlib.repr(value)}; the ids run from 0 to {size - 1}")
    return value
