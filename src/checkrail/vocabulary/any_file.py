"""Pick the reader of a tokenizer file by its content.

Names are no guide: `tokenizer.model` is a SentencePiece model for one model and tiktoken ranks for the next. The
first bytes tell GGUF, SentencePiece and rank files; JSON is told by its keys; the rest may be a WordPiece list.
You need it where the format is not known; each reader can be called directly.
"""

from __future__ import annotations

import os
from os import PathLike

from .gguf_tokens import read_gguf
from .huggingface import is_tokenizer_json, read_tokenizer_beside
from .sentencepiece import is_model, read_model
from .source import is_json, open_file, parse_json, read_file
from .tekken import is_tekken, read_tekken
from .tiktoken import is_rank_file, read_ranks
from .token_table import TokenTable, format_error
from .wordpiece import is_word_list, read_word_list, word_list_of_json, word_list_of_text

__all__ = ["read_any"]


def read_any(path: str | PathLike[str]) -> TokenTable:
    """The token table of a file in any of the formats.

    Raises VOCAB_FORMAT where none fits, InputError as `read_file`, and what the readers raise.
    """
    with open_file(path) as file:
        if file.read(4) == b"GGUF":
            return read_gguf(path)
    data = read_file(path)
    if is_model(data):
        return read_model(data)
    if is_rank_file(data):
        return read_ranks(data)
    if is_json(data):
        value = parse_json(data)
        if is_tokenizer_json(value):
            return read_tokenizer_beside(value, os.path.dirname(path))
        if is_tekken(value):
            return read_tekken(value)
        pieces = word_list_of_json(value)
    else:
        pieces = word_list_of_text(data)
    if not is_word_list(pieces):
        raise format_error("its content is of no known kind")
    return read_word_list(pieces)
