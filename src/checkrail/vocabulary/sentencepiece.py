"""SentencePiece models: a minimal reader of the protocol buffer, for the pieces and their types.

A model file is one `ModelProto`: field 1 repeats `SentencePiece` (1: piece, 2: score, 3: type), field 2 is the
trainer's specification, of which field 47 names the piece that ends a text. Everything else is skipped by its wire
type. Scores and normalisation matter to encoding only. A piece's place in the list is its id.

`▁` is a space and a byte piece `<0xNN>` a byte, see `pieces`. Control and unknown pieces are special, unused ones
have no text, user-defined ones are ordinary text. You need it for `tokenizer.model` of Llama 2, Mistral and Gemma.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from .pieces import byte_piece, decode_piece
from .source import read_file
from .token_table import MAXIMUM_TOKENS, TokenTable, format_error

__all__ = ["is_model", "read", "read_model", "serialized_model"]

_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = 1, 2, 3, 4, 5, 6
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MODEL_PIECE, _MODEL_TRAINER, _TRAINER_END_PIECE = 1, 2, 47
_PIECE_TEXT, _PIECE_TYPE = 1, 3


def read(source: object) -> TokenTable:
    """The table of a `SentencePieceProcessor`, or of a model file as a path or as bytes."""
    if isinstance(source, (str, PathLike)):
        return read_model(read_file(source))
    return read_model(source if isinstance(source, bytes) else serialized_model(source))


def is_model(data: bytes) -> bool:
    """Whether the data starts as a model does: a piece whose first field is its text."""
    return data[:1] == b"\x0a" and b"\x0a" in data[2:4]


def serialized_model(processor: Any) -> bytes:
    """The model inside a `SentencePieceProcessor`, through its public method."""
    model = processor.serialized_model_proto()
    if not isinstance(model, bytes):
        raise format_error("serialized_model_proto() did not return bytes")
    return model


def read_model(data: bytes) -> TokenTable:
    """The table of a serialised model. Raises VOCAB_FORMAT with the byte offset."""
    table = TokenTable([])
    end_piece = "</s>"  # the trainer's default
    for field, value, at in _fields(data, 0, len(data)):
        if field == _MODEL_PIECE:
            _read_piece(data, _span(value, at), table)
        elif field == _MODEL_TRAINER:
            for inner, name, inner_at in _fields(data, *_span(value, at)):
                if inner == _TRAINER_END_PIECE:
                    end_piece = _text(data, _span(name, inner_at))
    if not table.tokens:
        raise format_error("byte 0: no pieces; not a SentencePiece model")
    table.end_at([end_piece])
    return table


def _read_piece(data: bytes, span: tuple[int, int], table: TokenTable) -> None:
    identifier = len(table.tokens)
    if identifier >= MAXIMUM_TOKENS:
        raise format_error(f"byte {span[0]}: more than {MAXIMUM_TOKENS} pieces")
    text, kind = "", _NORMAL
    for field, value, at in _fields(data, *span):
        if field == _PIECE_TEXT:
            text = _text(data, _span(value, at))
        elif field == _PIECE_TYPE:
            kind = value if isinstance(value, int) else 0
    if kind in (_NORMAL, _USER_DEFINED):
        table.tokens.append(decode_piece(text))
    elif kind == _BYTE:
        byte = byte_piece(text)
        if byte is None:
            raise format_error(f"byte {span[0]}: a byte piece is spelled {text[:20]!r} instead of <0xNN>")
        table.tokens.append(byte)
    elif kind in (_CONTROL, _UNKNOWN):
        table.put_special(identifier, text)
    elif kind == _UNUSED:
        table.tokens.append(None)
    else:
        raise format_error(f"byte {span[0]}: unknown piece type {kind}")


def _text(data: bytes, span: tuple[int, int]) -> str:
    try:
        return data[span[0] : span[1]].decode("utf-8")
    except UnicodeDecodeError as error:
        raise format_error(f"byte {span[0] + error.start}: not valid UTF-8") from None


def _span(value: int | tuple[int, int], at: int) -> tuple[int, int]:
    if isinstance(value, int):
        raise format_error(f"byte {at}: expected a message or a string")
    return value


def _fields(data: bytes, at: int, stop: int) -> Iterator[tuple[int, int | tuple[int, int], int]]:
    """The fields of a message: number, value (an integer, or the span of a length-delimited one), offset."""
    while at < stop:
        start = at
        key, at = _varint(data, at, stop)
        field, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, at = _varint(data, at, stop)
            yield field, value, start
            continue
        if wire == _BYTES:
            length, at = _varint(data, at, stop)
        elif wire in (_FIXED32, _FIXED64):
            length = 4 if wire == _FIXED32 else 8
        else:
            raise format_error(f"byte {start}: unknown wire type {wire}")
        if field == 0 or length > stop - at:
            raise format_error(f"byte {start}: a field is malformed or longer than what holds it")
        if wire == _BYTES:
            yield field, (at, at + length), start
        at += length


def _varint(data: bytes, at: int, stop: int) -> tuple[int, int]:
    value = shift = 0
    start = at
    while at < stop and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise format_error(f"byte {start}: a number is cut off or too long")
