"""Where the texts of control tokens begin inside other text.

A tokenizer that finds such a text in data makes a control token of it. So data is cut behind the first character of
each place where one begins, and the fragments are tokenized apart: no token spans a cut.

You need it to encode data with a tokenizer that cannot leave control tokens alone. It is a help and never the proof:
whether data holds a control token is seen on the ids.

Cost: one pass over the text per distinct length of a control token's text, at the places where a first character fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from unicodedata import normalize

__all__ = ["Literals", "is_blank", "short"]

_BLANKS = " \t\r\n\N{LOWER ONE EIGHTH BLOCK}"
_BREAK = re.compile(r"\S(?= \S)")


class Literals:
    """A set of texts to find. Empty texts and those of blanks alone are left out: they mean themselves."""

    __slots__ = ("_exact", "_folded", "texts")

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(sorted({text for text in texts if not is_blank(text)}))
        self._exact = _Search(self.texts)
        self._folded = _Search(folded for text in self.texts if (folded := _fold(text)))

    def starts(self, text: str) -> Iterator[int]:
        """The places where one begins, ascending; overlapping ones are all found."""
        return self._exact.starts(text)

    def likely_starts(self, text: str) -> set[int]:
        """The places where one begins, or would after compatibility normalization (NFKC) or in another letter case.

        >>> sorted(Literals(["<think>"]).likely_starts("a <THINK> \\uff1cthink\\uff1e"))
        [2, 10]
        """
        found = set(self._exact.starts(text))
        if text.isascii():
            return found.union(self._folded.starts(text.lower()))
        folded = [_fold(character) for character in text]
        origin = [at for at, part in enumerate(folded) for _ in part]
        return found.union(origin[at] for at in self._folded.starts("".join(folded)))

    def fragments(self, text: str) -> Iterator[str]:
        """The text, cut behind the first character of each place where one begins."""
        last = 0
        for start in self._exact.starts(text):
            yield text[last : start + 1]
            last = start + 1
        if last < len(text):
            yield text[last:]

    def split(self, text: str) -> Iterator[tuple[str, bool]]:
        """The text as plain pieces and, marked True, the texts of control tokens; the longest from the left wins."""
        last = 0
        for start in self._exact.starts(text):
            if start >= last and (found := self._exact.longest(text, start)):
                if last < start:
                    yield text[last:start], False
                yield found, True
                last = start + len(found)
        if last < len(text):
            yield text[last:], False


def is_blank(text: str) -> bool:
    """Whether a token's text is blanks alone, in any tokenizer's spelling; it means itself then."""
    return not text.strip(_BLANKS)


def short(text: str, most: int) -> Iterator[str]:
    """The text in fragments of at most so many characters, cut in front of single spaces where possible.

    Tokenizers split there anyway. Some search with recursive regular expressions, and end badly in long texts.
    """
    start = 0
    while len(text) - start > most:
        limit = start + most
        places = [match.end() for match in _BREAK.finditer(text, start, limit)]
        stop = places[-1] if places else limit
        yield text[start:stop]
        start = stop
    yield text[start:]


class _Search:
    """Finds where one of some texts begins."""

    __slots__ = ("_first", "_lengths", "_texts")

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = frozenset(texts)
        self._lengths = sorted({len(text) for text in self._texts}, reverse=True)
        first = "".join(map(re.escape, sorted({text[0] for text in self._texts})))
        self._first = re.compile(f"[{first}]" if first else r"(?!)")

    def starts(self, text: str) -> Iterator[int]:
        return (match.start() for match in self._first.finditer(text) if self.longest(text, match.start()))

    def longest(self, text: str, at: int) -> str | None:
        return next((part for n in self._lengths if (part := text[at : at + n]) in self._texts), None)


@lru_cache(maxsize=65_536)
def _fold(text: str) -> str:
    """Without compatibility forms and letter case; of a text, the joined folds of its characters."""
    return normalize("NFKD", normalize("NFKD", text).casefold())
