"""Text to ids with llama.cpp's tokenizer, with data kept apart from control.

Data is cut where control tokens' texts begin (`vocabulary.llama_text` says why), and then the result is checked, on
every call: no id is a control id, and the ids write exactly the text. What fails the check is refused, never passed on.

Cost: one pass over the text per distinct length of a control token's text, plus llama.cpp's own.

You need this module to encode for llama.cpp without a `LlamaCppModel`.
"""

from __future__ import annotations

from ..errors import InputError, ModelError
from ..vocabulary.control_literals import Literals, is_blank
from ..vocabulary.llama_text import encode_fragments, without_space
from ..vocabulary.vocabulary import Vocabulary
from .llama_library import LlamaLibrary

__all__ = ["MAXIMUM_TEMPLATE_CHARACTERS", "LlamaTokenizer"]

MAXIMUM_TEMPLATE_CHARACTERS = 8_192
"""The longest template text; it cannot be cut, because a special token may be anywhere in it."""

_UNKNOWN, _CONTROL, _USER_DEFINED = 1 << 0, 1 << 3, 1 << 4


class LlamaTokenizer:
    """The tokenizer of a model that llama.cpp has loaded. The model must outlive it.

    control_ids: the ids that data never becomes: control, unknown and user-defined tokens, and all special ids of
    the vocabulary. User-defined runs of spaces and single characters are not among them: they mean themselves.
    """

    def __init__(self, library: LlamaLibrary, vocab: int, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        texts = _control_texts(library, vocab, vocabulary)
        self.control_ids = frozenset(texts)
        self._literals = Literals(texts.values())

        def plain(text: str) -> list[int]:
            return library.tokenize(vocab, text.encode(), special=False)

        def parsing(text: str) -> list[int]:
            return library.tokenize(vocab, text.encode(), special=True)

        self._plain = without_space(plain, vocabulary.decode)
        self._parsing = without_space(parsing, vocabulary.decode)

    def encode_template(self, text: str) -> list[int]:
        """See `Model.encode_template`. Raises InputError (INPUT_FORMAT) for a template that is too long."""
        if len(text) > MAXIMUM_TEMPLATE_CHARACTERS:
            what = f"has {len(text)} characters; {MAXIMUM_TEMPLATE_CHARACTERS} are allowed (encode long text as data)"
            raise InputError("INPUT_FORMAT", name="the template", what=what)
        _utf8(text)
        return list(self._parsing(text))

    def encode_data(self, text: str) -> list[int]:
        """See `Model.encode_data`."""
        wanted = _utf8(text)
        ids = encode_fragments(self._plain, self._literals, text)
        controls = sum(i in self.control_ids for i in ids)
        if controls:
            raise ModelError("CONTEXT_CONTROL_TOKEN", source="data", count=controls)
        written = self._vocabulary.decode(ids)
        if written != wanted:
            raise ModelError("CONTEXT_TEXT_LOST", source="data", offset=_shared(written, wanted))
        return ids


def _control_texts(library: LlamaLibrary, vocab: int, vocabulary: Vocabulary) -> dict[int, str]:
    """Id -> text of each control id."""
    texts: dict[int, str] = {}
    for token in range(library.token_count(vocab)):
        attributes = library.token_attributes(vocab, token)
        control = attributes & (_CONTROL | _UNKNOWN) or token in vocabulary.special_ids
        if control or attributes & _USER_DEFINED:
            text = library.token_text(vocab, token)
            if control or (len(text) > 1 and not is_blank(text)):
                texts[token] = text
    return texts


def _shared(a: bytes, b: bytes) -> int:
    """The length of the common beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        what = f"half of a surrogate pair at character {error.start}"
        raise InputError("INPUT_FORMAT", name="the text", what=what) from None
