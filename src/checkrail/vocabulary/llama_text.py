"""Text to ids with a tokenizer of llama.cpp, as it has to be asked for data.

llama.cpp's switch `parse_special=false` is not enough: it still finds user-defined tokens in the text. So a text is
cut behind the first character of every place where a control token's text begins, and the fragments are tokenized
apart; no token spans a cut. Whether that did it has to be seen on the ids.

Long fragments are cut too, in front of a space where there is one: tokenizers split there anyway. Without that, some
of llama.cpp's tokenizers search with a recursive regular expression, and 40,000 letters without a space overflow the
stack and end the process.

You need it to encode for llama.cpp, however the library is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from .control_literals import Literals, short

__all__ = ["Tokenize", "encode_fragments", "without_space"]

Tokenize: TypeAlias = Callable[[str], Sequence[int]]
"""Text to ids, with no begin or end token."""

_FRAGMENT_CHARACTERS = 1_024  # a thread's stack of 512 KiB takes about 2,000
_MARKERS = ("\n", "!")


def encode_fragments(encode: Tokenize, literals: Literals, text: str) -> list[int]:
    """The ids of the text's fragments, each encoded by itself."""
    fragments = (part for fragment in literals.fragments(text) for part in short(fragment, _FRAGMENT_CHARACTERS))
    return [identifier for part in fragments for identifier in encode(part)]


def without_space(plain: Tokenize, decode: Callable[[Sequence[int]], bytes]) -> Tokenize:
    """`plain` without the space that SentencePiece models get in front of each text. decode: ids to what they write.

    The space stands in front of a marker then, and both are taken off again: the text is tokenized as if it followed
    a line. A text whose first token swallows the marker is tried with the other marker.
    """
    if decode(plain("a")) != b" a":
        return plain

    def bare(text: str) -> Sequence[int]:
        for marker in _MARKERS if text else ():
            ids, front = plain(marker + text), b" " + marker.encode()
            for count in range(1, len(front) + 1):  # each token writes a byte at least
                if decode(ids[:count]) == front:
                    return ids[count:]
        return plain(text) if text else []

    return bare
