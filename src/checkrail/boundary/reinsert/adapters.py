"""Whatever tokenizer a program has, as one that obeys the law of data.

The libraries are told apart by the methods of their objects, and none is imported. You need it once for each model;
keep what it returns, since reading a vocabulary takes a second or more.
"""

from __future__ import annotations

from typing import Any

from ...errors import InputError
from .huggingface import from_huggingface
from .law import LawfulTokenizer, TokenizerAdapter
from .llama_cpp import from_llama_cpp
from .model import from_model
from .sentencepiece import from_sentencepiece
from .tiktoken import from_tiktoken

__all__ = ["adapt"]

_KINDS = (
    (("vocabulary", "encode_template", "encode_data"), from_model),
    (("backend_tokenizer",), from_huggingface),
    (("to_str", "encode_batch"), from_huggingface),
    (("encode_ordinary", "special_tokens_set"), from_tiktoken),
    (("serialized_model_proto",), from_sentencepiece),
    (("tokenize", "n_vocab", "model_path"), from_llama_cpp),
)
_ADAPTER = ("control_ids", "control_literals", "encode_template", "encode_data", "decode_bytes")


def adapt(tokenizer: Any) -> TokenizerAdapter:
    """The adapter of a tokenizer.

    tokenizer: a model of Checkrail, a `tokenizers.Tokenizer`, a fast tokenizer of transformers, a tiktoken `Encoding`,
    a `SentencePieceProcessor`, a `Llama` of llama-cpp-python, or an adapter, which is returned as it is.

    Raises `InputError` INPUT_FORMAT for anything else, and `VocabularyError` where the vocabulary cannot be read.
    """
    if isinstance(tokenizer, LawfulTokenizer) or _has(tokenizer, _ADAPTER):
        return tokenizer  # type: ignore[no-any-return]  # it has the methods
    for names, make in _KINDS:
        if _has(tokenizer, names):
            return make(tokenizer)
    what = "is none of tokenizers, transformers (fast), tiktoken, sentencepiece, llama-cpp-python, or of Checkrail"
    raise InputError("INPUT_FORMAT", name=f"A tokenizer of type {type(tokenizer).__name__}", what=what)


def _has(tokenizer: object, names: tuple[str, ...]) -> bool:
    return all(hasattr(tokenizer, name) for name in names)
