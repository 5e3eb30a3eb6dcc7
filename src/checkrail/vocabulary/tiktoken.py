"""tiktoken's rank files and encodings.

A rank file has one line for each token: its bytes in base64, a space, its rank, which is its id. Special tokens
are not in the file; the model's code adds them, so a caller who reads a bare file names them and the end token.
A tiktoken `Encoding` object knows both. Llama 3 and 4, Qwen and OpenAI's models use this family.

You need it for such files (`*.tiktoken`, Llama's `tokenizer.model`); for the same models' tokenizer.json use
`huggingface`.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
from os import PathLike
from typing import Any

from .source import read_file
from .token_table import MAXIMUM_TOKENS, TokenTable, format_error

__all__ = ["is_rank_file", "read", "read_encoding", "read_ranks"]

_LINE = re.compile(rb"([A-Za-z0-9+/]*={0,2}) ([0-9]{1,8})\r?")


def read(source: object) -> TokenTable:
    """The table of an `Encoding`, or of a rank file as a path or as bytes."""
    if isinstance(source, (str, PathLike)):
        return read_ranks(read_file(source))
    return read_ranks(source) if isinstance(source, bytes) else read_encoding(source)


def is_rank_file(data: bytes) -> bool:
    """Whether the first line is that of a rank file."""
    return _LINE.fullmatch(data[:100_000].split(b"\n", 1)[0]) is not None


def read_ranks(data: bytes) -> TokenTable:
    """The table of a rank file, without special tokens. Raises VOCAB_FORMAT with the line.

    Ids that no line has are holes. Two lines with one rank are refused; one token under two ranks is legal.
    """
    tokens: dict[int, bytes] = {}
    for number, line in enumerate(io.BytesIO(data), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.removesuffix(b"\n"))
        if match is None:
            raise format_error(f"line {number}: expected base64, a space and a rank")
        rank = int(match[2])
        if rank in tokens:
            raise format_error(f"line {number}: rank {rank} occurs twice")
        if rank >= MAXIMUM_TOKENS:
            raise format_error(f"line {number}: rank {rank} is above {MAXIMUM_TOKENS - 1}")
        try:
            tokens[rank] = base64.b64decode(match[1], validate=True)
        except binascii.Error:
            raise format_error(f"line {number}: not valid base64") from None
    table = TokenTable([])
    for rank, token in sorted(tokens.items()):
        table.put(rank, token)
    return table


def read_encoding(encoding: Any) -> TokenTable:
    """The table of a tiktoken `Encoding`, through its public methods. Ids that it does not know are holes."""
    size = encoding.n_vocab
    if not 0 <= size <= MAXIMUM_TOKENS:
        raise format_error(f"the encoding has {size} tokens")
    table = TokenTable([None] * size)
    for text in sorted(encoding.special_tokens_set):
        table.put_special(encoding.encode_single_token(text), text)
    for identifier in range(size):
        if identifier not in table.special_ids:
            try:
                table.tokens[identifier] = encoding.decode_single_token_bytes(identifier)
            except KeyError:
                continue
    return table
