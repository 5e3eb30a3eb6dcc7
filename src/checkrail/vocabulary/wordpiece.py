"""WordPiece lists: BERT's `vocab.txt`, or the same list as JSON.

A piece either continues a word (`##ing`) or starts one (`play`); the space between words belongs to no piece, and
the text is put together by rule. Some lists mark the other half instead: `▁play` starts a word, `ing` continues
one. Here the bytes of a piece are its text without either mark, so what a sequence writes is its pieces joined
without spaces: a WordPiece model cannot write a space, nor, as a rule, a byte it never saw.
`Vocabulary.missing_bytes` says which. llama.cpp instead puts a space before every piece that starts a word, which
would force one onto each number and name in a JSON text.

The five names in brackets that BERT uses for control (`[CLS]`, `[SEP]`, ...) are special; `[SEP]` ends a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from .pieces import SPACE_MARK
from .source import is_json, parse_json, read_file
from .token_table import MAXIMUM_TOKENS, TokenTable, format_error

__all__ = ["CONTINUATION", "END", "is_word_list", "read", "read_word_list", "word_list_of_json", "word_list_of_text"]

CONTINUATION = "##"
END = "[SEP]"
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def read(source: Sequence[str] | str | PathLike[str]) -> TokenTable:
    """The table of a list of pieces, or of the file of one: JSON, or a piece a line."""
    if not isinstance(source, (str, PathLike)):
        return read_word_list(source)
    data = read_file(source)
    return read_word_list(word_list_of_json(parse_json(data)) if is_json(data) else word_list_of_text(data))


def is_word_list(pieces: Sequence[str]) -> bool:
    """Whether the pieces look like a WordPiece vocabulary: `[UNK]` is among them, and so is a mark."""
    return "[UNK]" in pieces and any(piece.startswith((CONTINUATION, SPACE_MARK)) for piece in pieces)


def word_list_of_text(data: bytes) -> list[str]:
    """One piece a line. Raises VOCAB_FORMAT with the byte offset where the file is not UTF-8."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise format_error(f"byte {error.start}: not valid UTF-8") from None
    lines = text.split("\n", MAXIMUM_TOKENS + 1)  # not splitlines: a vocabulary may hold U+2028
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def word_list_of_json(value: object) -> list[str]:
    """A JSON array of pieces, or an object piece -> id without holes. Raises VOCAB_FORMAT with the JSON pointer."""
    if isinstance(value, dict):
        by_id = {identifier: piece for piece, identifier in value.items() if type(identifier) is int}
        if len(by_id) != len(value) or sorted(by_id) != list(range(len(value))):
            raise format_error("expected the ids from 0 on, each once", "")
        return [by_id[identifier] for identifier in range(len(value))]
    if not isinstance(value, list):
        raise format_error("expected an array of pieces", "")
    for index, piece in enumerate(value):
        if not isinstance(piece, str):
            raise format_error("expected a string", f"/{index}")
    return value


def read_word_list(pieces: Sequence[str]) -> TokenTable:
    """The table of a list of pieces, in order of id. Raises VOCAB_FORMAT."""
    if len(pieces) > MAXIMUM_TOKENS:
        raise format_error(f"more than {MAXIMUM_TOKENS} pieces")
    mark = CONTINUATION if any(str(piece).startswith(CONTINUATION) for piece in pieces) else SPACE_MARK
    table = TokenTable([None] * len(pieces))
    for identifier, piece in enumerate(pieces):
        if piece in _SPECIAL:
            table.put_special(identifier, piece)
        else:
            table.tokens[identifier] = _bytes(piece, mark, identifier)
    table.end_at([END])
    return table


def _bytes(piece: object, mark: str, identifier: int) -> bytes:
    try:
        if isinstance(piece, str):
            return piece.removeprefix(mark).encode("utf-8")
    except UnicodeEncodeError:
        pass
    raise format_error(f"piece {identifier} is not a string of Unicode characters")
