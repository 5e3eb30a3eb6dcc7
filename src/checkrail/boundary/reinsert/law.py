"""The law of data, and a tokenizer that obeys it.

    no id of `encode_data(text)` is a control id, each writes something, and all together write exactly the text's
    UTF-8 bytes

A language model's control tokens end turns and change roles. Tokenizers make them out of text, and the switches that
are meant to prevent it do not: `parse_special=False` of llama.cpp still finds user-defined tokens,
`split_special_tokens` of Hugging Face still finds added tokens without the special flag, and a normalizer puts
`<think>` together out of full-width letters. Filters on text lose the same race. So what is verified is the ids, after
tokenization, on every call: one set intersection and one decode. Text that fails is refused; nothing is passed on in
the hope that it is well.

The bytes of the ids come from Checkrail's own reader of the tokenizer file where there is one, so the tokenizer is not
asked whether it was right.

You need it to bring a tokenizer that `adapt` does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from ...errors import ContextError, Error, InputError, ModelError
from ...vocabulary.control_literals import Literals

__all__ = [
    "MOST_BYTES",
    "LawfulTokenizer",
    "TokenizerAdapter",
    "check_law",
    "checked_data",
    "first_lawful",
    "named_data",
    "utf8",
]

MOST_BYTES = 4 * 1024 * 1024
"""The longest text that is tokenized; tokenizers need far more memory than their text."""

_CODES = ("CONTEXT_CONTROL_TOKEN", "CONTEXT_TEXT_LOST")


class TokenizerAdapter(Protocol):
    """What re-insertion needs of a tokenizer.

    control_ids: the ids that data never becomes: the whole added, user-defined and control vocabulary, but for entries
    of blanks alone. control_literals: their texts. prefix_ids: what every prompt begins with, often nothing.
    chat_template: the Jinja text that came with the tokenizer, if one did. template_variables: the texts that such a
    template may name, as `bos_token`.
    """

    @property
    def control_ids(self) -> frozenset[int]:
        """See above."""

    @property
    def control_literals(self) -> tuple[str, ...]:
        """See above."""

    @property
    def prefix_ids(self) -> tuple[int, ...]:
        """See above."""

    @property
    def chat_template(self) -> str | None:
        """See above."""

    @property
    def template_variables(self) -> Mapping[str, str]:
        """See above."""

    def encode_template(self, text: str, /) -> list[int]:
        """The ids of trusted text: control tokens in it are parsed; no begin or end token is added."""

    def encode_data(self, text: str, /) -> list[int]:
        """The ids of any other text, under the law. Raises `ContextError`: CONTEXT_CONTROL_TOKEN, CONTEXT_TEXT_LOST."""

    def decode_bytes(self, ids: Sequence[int], /) -> bytes:
        """The bytes that the ids write; control ids, and ids that nobody knows, write nothing."""


class LawfulTokenizer:
    """A `TokenizerAdapter` out of the functions of a tokenizer.

    template, data: text to ids, the second with as little parsing as the tokenizer has. table: the bytes of each id,
    None for one without text. control: id to text; a text may be empty.
    """

    def __init__(
        self,
        *,
        template: Callable[[str], Sequence[int]],
        data: Callable[[str], Sequence[int]],
        table: Sequence[bytes | None],
        control: Mapping[int, str],
        prefix_ids: Iterable[int] = (),
        chat_template: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.control_ids = frozenset(control)
        self.prefix_ids = tuple(prefix_ids)
        self.chat_template = chat_template
        self.template_variables = dict(variables or {})
        self._literals = Literals(control.values())
        self._table = [b"" if number in control else part or b"" for number, part in enumerate(table)]
        self._template = template
        self._data = data

    @property
    def control_literals(self) -> tuple[str, ...]:
        """See `TokenizerAdapter`."""
        return self._literals.texts

    def encode_template(self, text: str, /) -> list[int]:
        """See `TokenizerAdapter`."""
        utf8(text)
        return _called(self._template, text)

    def encode_data(self, text: str, /) -> list[int]:
        """See `TokenizerAdapter`. A text whose tokens break the law is tried once more, cut where literals begin."""
        wanted = utf8(text)
        ids = _called(self._data, text)
        pieces = self._pieces(ids)
        if all(pieces) and b"".join(pieces) == wanted:  # a control id has no piece
            return ids
        ids = [identifier for part in self._literals.fragments(text) for identifier in _called(self._data, part)]
        check_law(self, ids, wanted)
        return ids

    def decode_bytes(self, ids: Sequence[int], /) -> bytes:
        """See `TokenizerAdapter`."""
        return b"".join(self._pieces(ids))

    def _pieces(self, ids: Sequence[int]) -> list[bytes]:
        size = len(self._table)
        return [self._table[identifier] if 0 <= identifier < size else b"" for identifier in ids]

    def __repr__(self) -> str:
        return f"<LawfulTokenizer {len(self._table)} tokens, {len(self.control_ids)} of them control>"


def _called(function: Callable[[str], Sequence[int]], text: str) -> list[int]:
    """What a tokenizer's function gives, or a catalogued error; it may be a library that falls over long texts."""
    try:
        return list(function(text))
    except Error:
        raise
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":  # Rust's is no Exception
            raise ModelError("BACKEND_FAILED", what=f"the tokenizer raised {type(error).__name__}") from None
        raise


def checked_data(tokenizer: TokenizerAdapter, text: str) -> list[int]:
    """`encode_data` of any adapter, with the law checked here where the adapter is not one that is known to check."""
    ids = tokenizer.encode_data(text)
    if isinstance(tokenizer, LawfulTokenizer):
        return ids
    check_law(tokenizer, ids, utf8(text))
    return ids


def check_law(tokenizer: TokenizerAdapter, ids: Sequence[int], wanted: bytes) -> None:
    """Raises `ContextError`, CONTEXT_CONTROL_TOKEN or CONTEXT_TEXT_LOST, unless the ids obey the law."""
    count = sum(identifier in tokenizer.control_ids or not tokenizer.decode_bytes([identifier]) for identifier in ids)
    if count:
        raise ContextError("CONTEXT_CONTROL_TOKEN", source="data", count=count)
    written = tokenizer.decode_bytes(ids)
    if written != wanted:
        raise ContextError("CONTEXT_TEXT_LOST", source="data", offset=_shared(written, wanted))


def named_data(encode: Callable[[str], list[int]], text: str, source: str) -> list[int]:
    """The ids of a text. encode: under the law, as `encode_data`; what it refuses is refused with the source's name."""
    try:
        return encode(text)
    except Error as error:
        if error.code not in _CODES:
            raise
        raise ContextError(error.code, **{**error.params, "source": source}) from None


def first_lawful(
    encode: Callable[[str], list[int]], text: str, otherwise: Callable[[], str], source: str
) -> tuple[str, list[int], bool]:
    """A text and its ids, or where they break the law another spelling and its; and whether it is the other."""
    try:
        return text, encode(text), False
    except Error as error:
        if error.code not in _CODES:
            raise
    text = otherwise()
    return text, named_data(encode, text, source), True


def utf8(text: str) -> bytes:
    """The bytes of a text. Raises `InputError` INPUT_FORMAT for half a surrogate pair, and above `MOST_BYTES`."""
    if type(text) is not str:
        raise InputError("INPUT_FORMAT", name="the text", what=f"must be a text, not {type(text).__name__}")
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        what = f"half of a surrogate pair at character {error.start}"
        raise InputError("INPUT_FORMAT", name="the text", what=what) from None
    if len(data) > MOST_BYTES:
        raise InputError("INPUT_FORMAT", name="the text", what=f"has {len(data)} bytes; {MOST_BYTES} are allowed")
    return data


def _shared(a: bytes, b: bytes) -> int:
    """The length of the common beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
