"""tokenizer.json, the file of Hugging Face's tokenizers library.

The model part maps token texts to ids; how a text spells bytes is said by the decoder, a list of steps of which
these act on single tokens: ByteLevel, ByteFallback, Metaspace, WordPiece and Replace. Steps that act on the whole
text (Fuse, Strip after it) only drop its leading space, which a mask must not do. A decoder that needs more than
one token at a time (CTC, BPEDecoder) gives no bytes per token and is refused.

Added tokens with the special flag are special. Those without it (`<think>` in some models) are text. They pass
through the decoder too (Gemma adds runs of `▁`), but not through ByteLevel: their text is not spelled that way.

Which ids end a text is not in the file. `generation_config.json` and `tokenizer_config.json` beside it say so, and
the special tokens with one of the texts of `end_tokens` count as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any

from ..errors import VocabularyError
from .byte_level import decode_byte_level
from .pieces import SPACE_MARK, byte_piece
from .source import parse_json, read_file
from .token_table import MAXIMUM_TOKENS, TokenTable, format_error
from .wordpiece import CONTINUATION, END

__all__ = [
    "end_ids_of_configs",
    "is_tokenizer_json",
    "read",
    "read_tokenizer_beside",
    "read_tokenizer_file",
    "read_tokenizer_json",
    "tokenizer_json_of",
]

Step = Callable[[str], "str | bytes"]
"""One decoder step on one token: text to text, or to bytes, which no later step touches."""

_CONFIGS = ("generation_config.json", "tokenizer_config.json")
_WHOLE_TEXT = ("Fuse", "Strip")


def is_tokenizer_json(value: object) -> bool:
    """Whether a JSON value looks like a tokenizer.json."""
    return isinstance(value, dict) and isinstance(value.get("model"), dict) and "vocab" in value["model"]


def tokenizer_json_of(tokenizer: Any) -> tuple[str, set[int]]:
    """The JSON text inside a tokenizer object, and the end ids that the object knows.

    Takes a `tokenizers.Tokenizer`, or a fast tokenizer of transformers through `backend_tokenizer`.
    """
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    text = backend.to_str() if hasattr(backend, "to_str") else None
    if not isinstance(text, str):
        raise format_error(f"{type(tokenizer).__name__} is not a fast tokenizer: it has no to_str()")
    return text, _as_ids(getattr(tokenizer, "eos_token_id", None))


def read(source: object) -> TokenTable:
    """The table of a tokenizer object, or of a tokenizer.json as a path, a directory, its text or its value."""
    if isinstance(source, Mapping):
        return read_tokenizer_json(source)
    if isinstance(source, str) and source.lstrip()[:1] == "{":
        return read_tokenizer_json(parse_json(source))
    if isinstance(source, (str, PathLike)):
        return read_tokenizer_file(source)
    text, ends = tokenizer_json_of(source)
    table = read_tokenizer_json(parse_json(text))
    table.eos |= ends
    return table


def read_tokenizer_json(value: object) -> TokenTable:
    """The table of a parsed tokenizer.json. Raises VOCAB_FORMAT or VOCAB_BYTES_UNKNOWN with the JSON pointer."""
    if not isinstance(value, dict) or not is_tokenizer_json(value):
        raise format_error("expected an object with model and vocab", "")
    texts = _model_texts(value["model"])
    steps = _decoder_steps(value, len(texts))
    table = TokenTable([])
    for identifier in sorted(texts):
        table.put(identifier, _apply(steps, texts[identifier], identifier))
    _read_unknown(value["model"], texts, table)
    _read_added(value.get("added_tokens"), texts, [step for step in steps if step is not decode_byte_level], table)
    if value["model"].get("type") == "WordPiece":
        table.end_at([END])
    return table


def read_tokenizer_file(path: str | PathLike[str]) -> TokenTable:
    """The table of a tokenizer.json, or of a directory that holds one, with the end ids of the files beside it."""
    file = os.path.join(path, "tokenizer.json") if os.path.isdir(path) else os.fspath(path)
    return read_tokenizer_beside(parse_json(read_file(file)), os.path.dirname(file))


def read_tokenizer_beside(value: object, directory: str) -> TokenTable:
    """The table of a parsed tokenizer.json, with the end ids that the configuration files in `directory` name."""
    table = read_tokenizer_json(value)
    files = [os.path.join(directory, name) for name in _CONFIGS]
    table.eos |= end_ids_of_configs([parse_json(read_file(file)) for file in files if os.path.exists(file)], table)
    return table


def end_ids_of_configs(configs: Iterable[object], table: TokenTable) -> set[int]:
    """The end ids that `generation_config.json` and `tokenizer_config.json` name: all of them together."""
    found: set[int] = set()
    for config in configs:
        if not isinstance(config, dict):
            continue
        found |= _as_ids(config.get("eos_token_id"))
        token = config.get("eos_token")
        text = token.get("content") if isinstance(token, dict) else token
        if isinstance(text, str) and text in table.special:
            found.add(table.special[text])
    return found


def _as_ids(value: object) -> set[int]:
    values = value if isinstance(value, list) else [value]
    return {v for v in values if isinstance(v, int) and not isinstance(v, bool)}


def _model_texts(model: Mapping[str, Any]) -> dict[int, str]:
    """Id -> text, from the two forms of `model.vocab`."""
    vocab = model["vocab"]
    texts: dict[int, str] = {}
    if isinstance(vocab, dict):  # BPE, WordPiece, WordLevel
        for text, identifier in vocab.items():
            if type(identifier) is not int or not 0 <= identifier < MAXIMUM_TOKENS:
                raise format_error(f"the id of {text[:50]!r} is not a token id", "/model/vocab")
            if identifier in texts:
                raise format_error(f"id {identifier} occurs twice", "/model/vocab")
            texts[identifier] = text
    elif isinstance(vocab, list):  # Unigram: pairs of text and score
        for index, entry in enumerate(vocab):
            if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], str):
                raise format_error("expected a text and its score", f"/model/vocab/{index}")
            texts[index] = entry[0]
    else:
        raise format_error("expected an object or an array", "/model/vocab")
    return texts


def _decoder_steps(value: Mapping[str, Any], size: int) -> list[Step]:
    decoder = value.get("decoder")
    if decoder is None:
        # Without a decoder the library joins tokens with spaces; only byte-level tokens still speak for themselves.
        if not any(kind == "ByteLevel" for kind, _, _ in _flatten(value.get("pre_tokenizer"), "pretokenizers")):
            raise VocabularyError("VOCAB_BYTES_UNKNOWN", count=size, pointer="/decoder")
        return [decode_byte_level]
    steps: list[Step] = []
    fused = False
    for kind, settings, pointer in _flatten(decoder, "decoders"):
        fused = fused or kind == "Fuse"
        if kind in _WHOLE_TEXT and (fused or not (settings.get("start") or settings.get("stop"))):
            continue
        if kind not in _STEPS:
            raise VocabularyError("VOCAB_BYTES_UNKNOWN", count=size, pointer=pointer)
        steps.append(_STEPS[kind](settings, pointer))
    return steps


def _flatten(part: object, inner: str) -> list[tuple[str, Mapping[str, Any], str]]:
    """The steps of a decoder or pre-tokenizer: type, settings and JSON pointer; a sequence is opened once.

    inner: the key under which a sequence holds its steps, `decoders` or `pretokenizers`.
    """
    base = "/decoder" if inner == "decoders" else "/pre_tokenizer"
    parts: list[tuple[Any, str]] = [] if part is None else [(part, base)]
    if isinstance(part, dict) and part.get("type") == "Sequence":
        steps = part.get(inner)
        if not isinstance(steps, list):
            raise format_error("expected an array", f"{base}/{inner}")
        parts = [(step, f"{base}/{inner}/{index}") for index, step in enumerate(steps)]
    for step, pointer in parts:
        if not isinstance(step, dict) or not isinstance(step.get("type"), str):
            raise format_error("expected an object with a type", pointer)
    return [(step["type"], step, pointer) for step, pointer in parts]


def _replace_step(settings: Mapping[str, Any], pointer: str) -> Step:
    pattern, content = settings.get("pattern"), settings.get("content")
    old = pattern.get("String") if isinstance(pattern, dict) else None
    if not isinstance(old, str) or not isinstance(content, str) or not old or len(content) > len(old):
        # growth is refused because a file could multiply its own size with it; no real file needs it
        raise format_error("only the replacement of a fixed string by one that is not longer is supported", pointer)
    return lambda text: text.replace(old, content)


def _metaspace_step(settings: Mapping[str, Any], pointer: str) -> Step:
    mark = settings.get("replacement", SPACE_MARK)
    if not isinstance(mark, str) or len(mark) != 1:
        raise format_error("expected one character", f"{pointer}/replacement")
    return lambda text: text.replace(mark, " ")


def _wordpiece_step(settings: Mapping[str, Any], pointer: str) -> Step:
    prefix = settings.get("prefix", CONTINUATION)
    if not isinstance(prefix, str):
        raise format_error("expected a string", f"{pointer}/prefix")
    return lambda text: text.removeprefix(prefix)


_STEPS: Mapping[str, Callable[[Mapping[str, Any], str], Step]] = {
    "ByteLevel": lambda settings, pointer: decode_byte_level,
    "ByteFallback": lambda settings, pointer: lambda text: byte_piece(text) or text,
    "Metaspace": _metaspace_step,
    "Replace": _replace_step,
    "WordPiece": _wordpiece_step,
}


def _apply(steps: list[Step], text: str, identifier: int, pointer: str = "/model/vocab") -> bytes:
    try:
        current: str | bytes = text
        for step in steps:
            if isinstance(current, str):
                current = step(current)
        return current.encode("utf-8") if isinstance(current, str) else current
    except UnicodeEncodeError:
        raise format_error(f"token {identifier} holds half of a surrogate pair", pointer) from None


def _read_unknown(model: Mapping[str, Any], texts: Mapping[int, str], table: TokenTable) -> None:
    """The token for what the tokenizer cannot write is never text."""
    index, name = model.get("unk_id"), model.get("unk_token")
    for identifier, text in texts.items():
        if identifier == index or text == name:
            table.put_special(identifier, text)


def _read_added(entries: object, texts: Mapping[int, str], steps: list[Step], table: TokenTable) -> None:
    if entries is None:
        return
    if not isinstance(entries, list):
        raise format_error("expected an array", "/added_tokens")
    by_text = {text: identifier for identifier, text in texts.items()}
    seen: set[int] = set()
    for index, entry in enumerate(entries):
        pointer = f"/added_tokens/{index}"
        identifier = entry.get("id") if isinstance(entry, dict) else None
        text = entry.get("content") if isinstance(entry, dict) else None
        if type(identifier) is not int or not isinstance(text, str) or not text:
            raise format_error("expected an object with id and content", pointer)
        if identifier in seen or by_text.setdefault(text, identifier) != identifier:
            raise format_error(f"token {text[:50]!r} or its id {identifier} occurs twice", pointer)
        seen.add(identifier)
        if entry.get("special"):
            table.put_special(identifier, text)
        elif identifier not in table.special_ids:
            table.put(identifier, _apply(steps, text, identifier, pointer))
