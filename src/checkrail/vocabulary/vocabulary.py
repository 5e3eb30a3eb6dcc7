"""Which bytes each token id writes: the one thing a mask must know about a tokenizer.

A mask speaks about bytes, a model about token ids, and each tokenizer family spells the one as the other in its
own way. A `Vocabulary` is that table made exact, with the ids that are not text (special tokens), those that end
a text, and the width of the model's head. It decodes and it is fingerprinted; it does not encode: that stays
with the tokenizer that belongs to the model.

You need it to compile a grammar for a model. `from_bytes` takes a table from anywhere, `from_file` reads the
usual files, and the other constructors take the objects of the usual libraries. None imports them.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from types import MappingProxyType
from typing import Any, SupportsIndex

from ..errors import VocabularyError
from . import huggingface, sentencepiece, tiktoken, wordpiece
from .any_file import read_any
from .end_tokens import end_texts
from .gguf_tokens import read_gguf
from .token_table import MAXIMUM_TOKENS, TokenTable

__all__ = ["MAXIMUM_BYTES", "MAXIMUM_TOKEN_BYTES", "Vocabulary"]

MAXIMUM_TOKEN_BYTES = 65_535
"""The longest token; depths fit 16 bits."""

MAXIMUM_BYTES = 2**24
"""The most bytes of all tokens together, seven times the largest in use; bounds the trie's memory."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Vocabulary:
    """An immutable table token id -> bytes. Make one with a `from_...` constructor.

    tokens: id -> bytes; None where an id has no text (special, control, unused, unknown, or a hole).
    logits_width: scores that the model returns, at least `size`; ids in between are padding, never allowed.
    eos: the ids that end a text, ascending, at least one.
    special: text -> id of the special tokens that have a text. Such text is not bytes: only the id means it.
    special_ids: all special ids, named or not; `eos` is among them.
    fingerprint: SHA-256, in hexadecimal, of all of the above (`_fingerprint` says over which bytes).

    >>> v = Vocabulary.from_bytes([b"a", b"ab", b"</s>"], eos=2)
    >>> v, v.decode([1, 0]), v.find("</s>")
    (<Vocabulary 3 tokens, 1 eos, sha256:748fc33b>, b'aba', 2)
    """

    tokens: Sequence[bytes | None]
    logits_width: int
    eos: tuple[int, ...]
    special: Mapping[str, int]
    special_ids: frozenset[int]
    fingerprint: str
    _index: dict[bytes, int] = field(default_factory=dict, init=False)

    @classmethod
    def from_bytes(
        cls,
        tokens: Iterable[bytes | None],
        *,
        eos: int | Iterable[int],
        special: Iterable[int] | Mapping[str, int] = (),
        logits_width: int | None = None,
    ) -> Vocabulary:
        """A vocabulary from its table.

        tokens: the bytes of each id from 0 on; None for an id without text. NUL bytes, empty tokens, duplicates
        and parts of UTF-8 sequences are all legal. eos: the id or ids that end a text; they are special.
        special: further ids that are not text, or a mapping from their text. The bytes of a special id are not
        output; where they are UTF-8 and no text was given, they are its text. logits_width: as in the class.

        Raises VocabularyError: VOCAB_TOKEN, VOCAB_BUDGET, VOCAB_SHAPE, VOCAB_NO_EOS.
        """
        table = TokenTable(list(tokens), logits_width=logits_width)
        table.eos = _ids(eos)
        if isinstance(special, Mapping):
            table.special = _texts(special)
        table.special_ids = _ids(special.values() if isinstance(special, Mapping) else special)
        return cls._freeze(table)

    @classmethod
    def from_file(
        cls,
        path: str | PathLike[str],
        *,
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] | Mapping[str, int] = (),
        logits_width: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of any tokenizer file that Checkrail reads; the content decides how.

        tokenizer.json, tiktoken ranks, tekken.json, a SentencePiece model, GGUF, a WordPiece list. eos: exactly
        these ids, instead of those that the file and the known end texts give. special: further special tokens;
        a rank file names none. logits_width: the width of the model's head, where it is wider than the file.

        Raises InputError (INPUT_MISSING, INPUT_UNREADABLE) and VocabularyError (VOCAB_FORMAT and the rest); a
        file of unknown end tokens needs `eos`.
        """
        return cls._complete(read_any(path), eos, special, logits_width)

    @classmethod
    def from_gguf(
        cls,
        path: str | PathLike[str],
        *,
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] | Mapping[str, int] = (),
    ) -> Vocabulary:
        """The vocabulary in a GGUF model file. Arguments and errors as in `from_file`."""
        return cls._complete(read_gguf(path), eos, special, None)

    @classmethod
    def from_huggingface(
        cls,
        tokenizer: object,
        *,
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] | Mapping[str, int] = (),
        logits_width: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a Hugging Face tokenizer.

        tokenizer: a `tokenizers.Tokenizer`, a fast tokenizer of transformers, the path of a tokenizer.json or of
        the directory that holds it, or its content as text or as a dict. The rest as in `from_file`.
        """
        return cls._complete(huggingface.read(tokenizer), eos, special, logits_width)

    @classmethod
    def from_tiktoken(
        cls,
        encoding: object,
        *,
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] | Mapping[str, int] = (),
        logits_width: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a tiktoken `Encoding`, or of a rank file (a path, or its bytes).

        A rank file has neither special nor end tokens: pass `special` (text -> id) and, where no text in it is a
        known end text, `eos`. The rest as in `from_file`.
        """
        return cls._complete(tiktoken.read(encoding), eos, special, logits_width)

    @classmethod
    def from_sentencepiece(
        cls,
        processor: object,
        *,
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] | Mapping[str, int] = (),
        logits_width: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a `SentencePieceProcessor`, or of a model file (a path, or its bytes).

        A leading mark is a space, always: no space is added or dropped. The rest as in `from_file`.
        """
        return cls._complete(sentencepiece.read(processor), eos, special, logits_width)

    @classmethod
    def from_wordpiece(
        cls,
        pieces: Sequence[str] | str | PathLike[str],
        *,
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] | Mapping[str, int] = (),
        logits_width: int | None = None,
    ) -> Vocabulary:
        """The vocabulary of a WordPiece list in order of id, or of the path of one (text or JSON).

        The bytes of a piece are its text without `##`; spaces between words are no token and cannot be written.
        The rest as in `from_file`.
        """
        return cls._complete(wordpiece.read(pieces), eos, special, logits_width)

    @classmethod
    def _complete(
        cls,
        table: TokenTable,
        eos: int | Iterable[int] | None,
        special: Iterable[int] | Mapping[str, int],
        logits_width: int | None,
    ) -> Vocabulary:
        """Add to what a reader found what the caller knows."""
        if isinstance(special, Mapping):
            for text, identifier in _texts(special).items():
                if table.special.get(text, identifier) != identifier:
                    what = f"its text is that of special token {table.special[text]}"
                    raise VocabularyError("VOCAB_TOKEN", id=identifier, what=what)
                table.put_special(identifier, text)
        else:
            table.special_ids |= _ids(special)
        if eos is None:
            table.end_at(end_texts(table.special))
        else:
            table.eos = _ids(eos)
        if logits_width is not None:
            table.logits_width = logits_width
        return cls._freeze(table)

    @classmethod
    def _freeze(cls, table: TokenTable) -> Vocabulary:
        """Check a table and make it immutable."""
        tokens = table.tokens
        _check_tokens(tokens)
        width = len(tokens) if table.logits_width is None else _integer(table.logits_width, "logits_width")
        if not len(tokens) <= width <= MAXIMUM_TOKENS:
            raise VocabularyError("VOCAB_SHAPE", tokens=len(tokens), width=width)
        if not table.eos:
            raise VocabularyError("VOCAB_NO_EOS")
        special_ids = frozenset(table.special_ids | table.eos)
        for identifier in special_ids:
            _check_id(identifier, len(tokens))
        special = _named(table, special_ids)
        final = tuple(None if i in special_ids else t for i, t in enumerate(tokens))
        eos = tuple(sorted(table.eos))
        digest = _fingerprint(final, width, eos, special, special_ids)
        return cls(final, width, eos, MappingProxyType(special), special_ids, digest)

    @property
    def size(self) -> int:
        """The number of ids that the tokenizer defines."""
        return len(self.tokens)

    def token_bytes(self, identifier: int) -> bytes | None:
        """The bytes that one token writes; None for an id without text. Raises VOCAB_TOKEN for an unknown id."""
        identifier = _integer(identifier, "id")
        _check_id(identifier, len(self.tokens))
        return self.tokens[identifier]

    def decode(self, ids: Iterable[int]) -> bytes:
        """The bytes that a sequence of tokens writes; ids without text write nothing.

        Exact concatenation: a leading space stays, where some tokenizers drop it. Raises VOCAB_TOKEN.
        """
        return b"".join([self.token_bytes(i) or b"" for i in ids])

    def find(self, text: str) -> int | None:
        """The special token of this text, else the one token that writes exactly its UTF-8 bytes.

        None where there is no such token, or where several write the same bytes.
        """
        if text in self.special:
            return self.special[text]
        if not self._index:
            index: dict[bytes, int] = {}
            for identifier, token in enumerate(self.tokens):
                if token is not None:
                    index[token] = -1 if token in index else identifier
            self._index.update(index)  # at once, so that no other thread sees half of it
        found = self._index.get(text.encode("utf-8", "surrogatepass"), -1)
        return None if found < 0 else found

    def missing_bytes(self) -> bytes:
        """The byte values, ascending, that no token writes alone. Not every text can be written without them."""
        single = {t[0] for t in self.tokens if t is not None and len(t) == 1}
        return bytes(b for b in range(256) if b not in single)

    def uncovered_bytes(self) -> bytes:
        """The byte values, ascending, that occur in no token: text that holds one can never be written."""
        seen: set[int] = set()
        for token in self.tokens:
            if token:
                seen.update(token)
        return bytes(b for b in range(256) if b not in seen)

    def __len__(self) -> int:
        return len(self.tokens)

    def __eq__(self, other: object) -> bool:
        return self.fingerprint == other.fingerprint if isinstance(other, Vocabulary) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"<Vocabulary {self.size} tokens, {len(self.eos)} eos, sha256:{self.fingerprint[:8]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.tokens, self.logits_width, self.eos, dict(self.special), self.special_ids)


def _rebuild(
    tokens: Sequence[bytes | None], width: int, eos: tuple[int, ...], special: dict[str, int], ids: frozenset[int]
) -> Vocabulary:
    return Vocabulary._freeze(TokenTable(list(tokens), special, set(ids), set(eos), width))


def _integer(value: object, name: str) -> int:
    if type(value) is int:  # the usual case, and asking a protocol takes long
        return value
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return operator.index(value)  # numpy's integers are welcome
    raise VocabularyError("VOCAB_TOKEN", id=name, what=f"must be an integer, not {type(value).__name__}")


def _ids(value: int | Iterable[int]) -> set[int]:
    """One id or several."""
    if isinstance(value, Iterable):
        return {_integer(i, "id") for i in value}
    return {_integer(value, "id")}


def _texts(special: Mapping[Any, Any]) -> dict[str, int]:
    """A caller's text -> id, checked."""
    result: dict[str, int] = {}
    for text, value in special.items():
        identifier = _integer(value, str(text))
        _check_id(identifier, MAXIMUM_TOKENS)
        if not isinstance(text, str) or not text:
            raise VocabularyError("VOCAB_TOKEN", id=identifier, what="its text must be a string that is not empty")
        result[text] = identifier
    return result


def _check_id(identifier: int, size: int) -> None:
    if not 0 <= identifier < size:
        raise VocabularyError("VOCAB_TOKEN", id=identifier, what=f"the ids run from 0 to {size - 1}")


def _check_tokens(tokens: Sequence[object]) -> None:
    if len(tokens) > MAXIMUM_TOKENS:
        raise VocabularyError("VOCAB_BUDGET", reached=len(tokens), unit="tokens", limit=MAXIMUM_TOKENS)
    total = 0
    for identifier, token in enumerate(tokens):
        if token is None:
            continue
        if type(token) is not bytes:
            raise VocabularyError(
                "VOCAB_TOKEN", id=identifier, what=f"must be bytes or None, not {type(token).__name__}"
            )
        if len(token) > MAXIMUM_TOKEN_BYTES:
            what = f"has {len(token)} bytes; {MAXIMUM_TOKEN_BYTES} are allowed"
            raise VocabularyError("VOCAB_TOKEN", id=identifier, what=what)
        total += len(token)
    if total > MAXIMUM_BYTES:
        raise VocabularyError("VOCAB_BUDGET", reached=total, unit="bytes", limit=MAXIMUM_BYTES)


def _named(table: TokenTable, special_ids: frozenset[int]) -> dict[str, int]:
    """Text -> id of the special tokens: the names given, then the bytes of the unnamed where they are UTF-8."""
    special = dict(table.special)
    unnamed = special_ids.difference(special.values())
    for identifier in sorted(unnamed):
        token = table.tokens[identifier]
        if token:
            try:
                special.setdefault(token.decode("utf-8"), identifier)
            except UnicodeDecodeError:
                continue  # it stays special, without a name
    return special


def _fingerprint(
    tokens: Sequence[bytes | None],
    width: int,
    eos: tuple[int, ...],
    special: Mapping[str, int],
    special_ids: frozenset[int],
) -> str:
    """SHA-256 of a canonical serialisation.

    `checkrail-vocabulary-1` and a NUL, then four-byte little-endian integers and byte strings: size; width; per id
    the length of its bytes and the bytes, or the length 2**32 - 1 for None; the number of eos ids and each;
    the number of special ids and each, ascending; the number of named ones and, by ascending text in UTF-8, the
    id, the text's length and the text.
    """

    def number(value: int) -> bytes:
        return value.to_bytes(4, "little")

    parts = [b"checkrail-vocabulary-1\0", number(len(tokens)), number(width)]
    hole = number(2**32 - 1)
    lengths = [number(n) for n in range(1024)]
    for token in tokens:
        if token is None:
            parts.append(hole)
        else:
            parts.append(lengths[len(token)] if len(token) < 1024 else number(len(token)))
            parts.append(token)
    parts += [number(len(eos)), *map(number, eos)]
    parts += [number(len(special_ids)), *map(number, sorted(special_ids))]
    names = sorted((text.encode("utf-8", "surrogatepass"), identifier) for text, identifier in special.items())
    parts.append(number(len(names)))
    for text, identifier in names:
        parts += [number(identifier), number(len(text)), text]
    return hashlib.sha256(b"".join(parts)).hexdigest()
