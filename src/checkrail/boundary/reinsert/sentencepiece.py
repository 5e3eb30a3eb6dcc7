"""SentencePiece: data goes through a twin in which user-defined pieces are control pieces.

SentencePiece never makes a control piece of text, but always a user-defined one. In the twin's model the type of each
user-defined piece that is more than blanks is changed from 4 to 3; it is one byte, at a place that is known. A second
normalizer setting behind the model overrides the first one's blanks: none is put in front, none is taken away.

Takes a `SentencePieceProcessor`; imports nothing. The model format is sentencepiece_model.proto, whose later settings
win over earlier ones, as in all protocol buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...vocabulary.control_literals import Literals, is_blank
from ...vocabulary.sentencepiece import read_model, serialized_model
from .law import LawfulTokenizer

__all__ = ["from_sentencepiece"]

_PIECE, _TEXT, _TYPE = 0x0A, 0x0A, 0x18  # field number and wire type
_LENGTH, _FIXED = 2, {1: 8, 5: 4}  # wire types: of texts and messages; of numbers of so many bytes
_CONTROL, _USER_DEFINED = 3, 4
_LEAVE_BLANKS = (
    b"\x1a\x04\x18\x00\x20\x00"  # normalizer_spec { add_dummy_prefix: false, remove_extra_whitespaces: false }
)


def from_sentencepiece(processor: Any) -> LawfulTokenizer:
    """The adapter. Raises `VocabularyError` for a model that cannot be read."""
    model = serialized_model(processor)
    table = read_model(model)
    twin_model, user_defined = _twin(model)
    twin = type(processor)(model_proto=twin_model + _LEAVE_BLANKS)
    control = {identifier: text for text, identifier in table.special.items()} | user_defined
    literals = Literals(control.values())
    ids = {text: identifier for identifier, text in control.items()}

    def data(text: str) -> Sequence[int]:
        return twin.encode(text, out_type=int)  # type: ignore[no-any-return]  # untyped

    def template(text: str) -> list[int]:
        found: list[int] = []
        for piece, is_control in literals.split(text):
            found += [ids[piece]] if is_control else data(piece)
        return found

    begin = processor.bos_id()
    return LawfulTokenizer(
        template=template,
        data=data,
        table=table.tokens,
        control=control,
        prefix_ids=[begin] if begin >= 0 else [],
    )


def _twin(model: bytes) -> tuple[bytes, dict[int, str]]:
    """The model without user-defined pieces, and what those were: id to text. The model was read before."""
    changed, user_defined = bytearray(model), dict[int, str]()
    for identifier, (start, stop) in enumerate(_messages(model)):
        text, kind_at = _piece(model, start, stop)
        if kind_at and model[kind_at] == _USER_DEFINED and not is_blank(text):
            changed[kind_at] = _CONTROL
            user_defined[identifier] = text
    return bytes(changed), user_defined


def _messages(model: bytes) -> Iterator[tuple[int, int]]:
    """Where each piece stands."""
    at = 0
    while at < len(model):
        key, at = _number(model, at)
        if key & 7 == _LENGTH:
            length, at = _number(model, at)
            if key == _PIECE:
                yield at, at + length
            at += length
        else:
            at = _behind(model, key, at)


def _piece(model: bytes, at: int, stop: int) -> tuple[str, int]:
    """The text of a piece, and where the byte of its type is, 0 if it has none."""
    text, kind_at = "", 0
    while at < stop:
        key, at = _number(model, at)
        if key & 7 == _LENGTH:
            length, at = _number(model, at)
            if key == _TEXT:
                text = model[at : at + length].decode()
            at += length
        else:
            kind_at = at if key == _TYPE else kind_at
            at = _behind(model, key, at)
    return text, kind_at


def _behind(model: bytes, key: int, at: int) -> int:
    """The place behind a number."""
    return at + _FIXED[key & 7] if key & 7 in _FIXED else _number(model, at)[1]


def _number(model: bytes, at: int) -> tuple[int, int]:
    """A varint, and the place behind it."""
    value = shift = 0
    while model[at] & 0x80:
        value |= (model[at] & 0x7F) << shift
        shift += 7
        at += 1
    return value | model[at] << shift, at + 1
