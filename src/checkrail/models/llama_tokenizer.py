"""Text to ids with llama.cpp's tokenizer, with data kept apart from control.

llama.cpp's switch `parse_special=false` is not enough: it still finds user-defined tokens in the text. So a text
is cut behind the first character of every place where a control token's text begins, and the fragments are
tokenized apart; no token spans a cut. Then the result is checked, on every call: no id is a control id, and the
ids write exactly the text. What fails the check is refused, never passed on.

Long fragments are cut too, in front of a space where there is one: tokenizers split there anyway. Without that,
some of llama.cpp's tokenizers search with a recursive regular expression, and 40,000 letters without a space
overflow the stack and end the process.

Cost: one pass over the text per distinct length of a control token's text, plus llama.cpp's own.

You need this module to encode for llama.cpp without a `LlamaCppModel`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..errors import InputError, ModelError
from ..vocabulary.vocabulary import Vocabulary
from .llama_library import LlamaLibrary

__all__ = ["MAXIMUM_TEMPLATE_CHARACTERS", "LlamaTokenizer"]

MAXIMUM_TEMPLATE_CHARACTERS = 8_192
"""The longest template text; it cannot be cut, because a special token may be anywhere in it."""

_FRAGMENT_CHARACTERS = 1_024  # a thread's stack of 512 KiB takes about 2,000
_BREAK = re.compile(r"\S(?= \S)")
_UNKNOWN, _CONTROL, _USER_DEFINED = 1 << 0, 1 << 3, 1 << 4
_MARKERS = (b"\n", b"!")


class LlamaTokenizer:
    """The tokenizer of a model that llama.cpp has loaded. The model must outlive it.

    control_ids: the ids that data never becomes: control, unknown and user-defined tokens, and all special ids of
    the vocabulary. User-defined runs of spaces and single characters are not among them: they mean themselves.
    """

    def __init__(self, library: LlamaLibrary, vocab: int, vocabulary: Vocabulary) -> None:
        self._library = library
        self._vocab = vocab
        self._vocabulary = vocabulary
        texts = _control_texts(library, vocab, vocabulary)
        self.control_ids = frozenset(texts)
        self._literals = frozenset(text for text in texts.values() if len(text) > 1)
        self._lengths = sorted({len(text) for text in self._literals})
        first = "".join(map(re.escape, sorted({text[0] for text in self._literals})))
        self._first = re.compile(f"[{first}]" if first else r"(?!)")
        self._adds_space = vocabulary.decode(library.tokenize(vocab, b"a", special=False)) == b" a"

    def encode_template(self, text: str) -> list[int]:
        """See `Model.encode_template`. Raises InputError (INPUT_FORMAT) for a template that is too long."""
        if len(text) > MAXIMUM_TEMPLATE_CHARACTERS:
            what = f"has {len(text)} characters; {MAXIMUM_TEMPLATE_CHARACTERS} are allowed (encode long text as data)"
            raise InputError("INPUT_FORMAT", name="the template", what=what)
        return self._tokenize(_utf8(text), special=True)

    def encode_data(self, text: str) -> list[int]:
        """See `Model.encode_data`."""
        wanted = _utf8(text)
        ids: list[int] = []
        for start, stop in pairwise(self._cuts(text)):
            ids += self._tokenize(text[start:stop].encode(), special=False)
        controls = sum(i in self.control_ids for i in ids)
        if controls:
            raise ModelError("CONTEXT_CONTROL_TOKEN", source="data", count=controls)
        written = self._vocabulary.decode(ids)
        if written != wanted:
            raise ModelError("CONTEXT_TEXT_LOST", source="data", offset=_shared(written, wanted))
        return ids

    def _cuts(self, text: str) -> Iterator[int]:
        """The ends of the fragments, ascending, from 0 to the text's length."""
        last = 0
        yield last
        for cut in self._literal_cuts(text):
            yield from _breaks(text, last, cut)
            yield cut
            last = cut
        if last < len(text):
            yield from _breaks(text, last, len(text))
            yield len(text)

    def _literal_cuts(self, text: str) -> Iterator[int]:
        """One past each place where a control token's text begins; overlapping ones are all found."""
        for match in self._first.finditer(text):
            at = match.start()
            if any(text[at : at + length] in self._literals for length in self._lengths):
                yield at + 1

    def _tokenize(self, data: bytes, *, special: bool) -> list[int]:
        """The ids of `data` alone: the space that SentencePiece models get in front is taken off again.

        It stands in front of a marker then, behind which the text is tokenized as if it followed a line. A text
        whose first token swallows the marker is tried with the other marker.
        """
        if not self._adds_space or not data:
            return self._library.tokenize(self._vocab, data, special=special)
        for marker in _MARKERS:
            ids = self._library.tokenize(self._vocab, marker + data, special=special)
            for count in range(1, 4):
                if self._vocabulary.decode(ids[:count]) == b" " + marker:
                    return ids[count:]
        return self._library.tokenize(self._vocab, data, special=special)


def _control_texts(library: LlamaLibrary, vocab: int, vocabulary: Vocabulary) -> dict[int, str]:
    """Id -> text of each control id."""
    texts: dict[int, str] = {}
    for token in range(library.token_count(vocab)):
        attributes = library.token_attributes(vocab, token)
        control = attributes & (_CONTROL | _UNKNOWN) or token in vocabulary.special_ids
        if control or attributes & _USER_DEFINED:
            text = library.token_text(vocab, token)
            if control or (len(text) > 1 and text.strip(" \t\r\n\N{LOWER ONE EIGHTH BLOCK}")):
                texts[token] = text
    return texts


def _breaks(text: str, start: int, stop: int) -> Iterator[int]:
    """Where to cut text[start:stop] so that no fragment is too long: in front of single spaces, if possible."""
    while stop - start > _FRAGMENT_CHARACTERS:
        limit = start + _FRAGMENT_CHARACTERS
        places = [match.end() for match in _BREAK.finditer(text, start, limit)]
        start = places[-1] if places else limit
        yield start


def _shared(a: bytes, b: bytes) -> int:
    """The length of the common beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        what = f"half of a surrogate pair at character {error.start}"
        raise InputError("INPUT_FORMAT", name="the text", what=what) from None
