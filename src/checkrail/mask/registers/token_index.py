"""The tokens of a vocabulary by what they do to strings: which could repeat something is looked up, not tried.

Made once for a vocabulary: one look at each token, and more at those with a quote, of which there are few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from ...json_schema.literals import quote
from ...vocabulary.vocabulary import Vocabulary
from .values import string_of

__all__ = ["TokenIndex", "bits_of", "token_index"]

_CLOSES_AND_GOES_ON = re.compile(rb'"[^"]*,')
_TWO_VALUES = re.compile(rb"[^ \t\n\r,][ \t\n\r]*,[ \t\n\r]*[^ \t\n\r,]")
_INSIDE = re.compile(rb'(?:[^"\\]|\\.)*', re.DOTALL)
_QUOTE = 0x22
_STRUCTURE = frozenset(b" \t\n\r,:[]{}0123456789+-.eEtrufalsn")
_BEGINS_OTHER = re.compile(rb'"[^"]*,[ \t\n\r]*[^" \t\n\r]')


class TokenIndex:
    """tokens: their bytes. heads: tokens with a quote, by the bytes before the first one. full: by the whole strings
    in them, in their one spelling. tails: by the bytes behind the last quote; tails_with_escapes: those with a
    backslash there. crossing: those that can end a string and go on behind a comma. far_crossing: those of them that go
    on with a whole string, or with something else than a string. doubles: with values on both sides of a comma.
    key_doubles: those with two keys. key_crossing: those that can end a key and begin another one; far_key_crossing:
    and end it, too. closing: by a number of closing brackets, those with so many of them and a comma behind. slashed:
    by the bytes up to the first backslash, and the one behind it; slashed_heads: those of them that close the string
    which they begin in, behind it; slash_reach: bytes of these up to that backslash, at most; has_numbered_heads:
    whether some of these escapes name a character by its number. longest: bytes of the longest.
    """

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        self.tokens = tokens
        self.heads: dict[bytes, list[int]] = {}
        self.full: dict[str, list[int]] = {}
        self.crossing: list[int] = []
        self.far_crossing: list[int] = []
        self.tails: dict[bytes, list[int]] = {}
        self.tails_with_escapes: list[int] = []
        self.doubles: list[int] = []
        self.key_doubles: list[int] = []
        self.key_crossing: list[int] = []
        self.far_key_crossing: list[int] = []
        self.closing: dict[int, list[int]] = {}
        self.slashed: dict[bytes, list[int]] = {}
        self.slashed_heads: dict[bytes, list[int]] = {}
        self.longest = max((len(data) for data in tokens if data), default=0)
        for token, data in enumerate(tokens):
            if not data:
                continue
            slash = data.find(b"\\")
            if slash >= 0:
                self.slashed.setdefault(data[: slash + 2], []).append(token)
                if _end_of_string(data) > slash:
                    self.slashed_heads.setdefault(data[: slash + 2], []).append(token)
            if not _is_json(data):
                continue
            if b'"' in data:
                self._add(token, data)
            if b"," in data:
                if _has_two_values(data):
                    self.doubles.append(token)
                before = data[: data.rindex(b",")]
                for count in range(1, before.count(b"]") + before.count(b"}") + 1):
                    self.closing.setdefault(count, []).append(token)

    def __repr__(self) -> str:
        return f"<TokenIndex of {len(self.tokens)} tokens>"

    def _add(self, token: int, data: bytes) -> None:
        parts = data.split(b'"')
        end = _end_of_string(data)
        if end >= 0:
            self.heads.setdefault(data[:end], []).append(token)
        if parts[-1]:
            self.tails.setdefault(parts[-1], []).append(token)
            if b"\\" in parts[-1]:
                self.tails_with_escapes.append(token)
        for part in parts[1:-1] if b"\\" not in data else _strings_in(data):
            text = _string(part)
            if text is not None:
                self.full.setdefault(text, []).append(token)
        if _CLOSES_AND_GOES_ON.search(data) and (b"\\" in data or _is_structure(parts[1::2])):
            self.crossing.append(token)
            if len(parts) >= 4 or _BEGINS_OTHER.search(data):
                self.far_crossing.append(token)
        if len(parts) >= 3 and b"," in data and b":" in data:
            self.key_crossing.append(token)
            if b"\\" in data or _ends_key(parts, 1, 1):
                self.far_key_crossing.append(token)
            if b"\\" in data or any(
                _ends_key(parts, parity, j) for parity in (0, 1) for j in range(parity + 2, len(parts), 2)
            ):
                self.key_doubles.append(token)

    @cached_property
    def slash_reach(self) -> int:
        return max((head.index(b"\\") + 1 for head in self.slashed_heads), default=0)

    @cached_property
    def has_numbered_heads(self) -> bool:
        return any(head.endswith(b"u") for head in self.slashed_heads)

    @cached_property
    def reach(self) -> int:
        """Bytes that a token can write of a string which it ends, at most."""
        return max((len(self.tokens[token] or b"") for tokens in self._closing for token in tokens), default=0)

    @property
    def _closing(self) -> Iterator[list[int]]:
        yield from self.heads.values()
        yield from self.slashed_heads.values()

    def may_end(self, rest: bytes) -> bool:
        """Whether there may be a token that writes this and ends the string."""
        return (
            rest in self.heads
            or (bool(self.slashed_heads) and (b"\\" in rest or b"/" in rest))
            or (self.has_numbered_heads)
        )

    @cached_property
    def digits(self) -> Mapping[int, int]:
        """The tokens of digits alone, by the first one: sets whose bit t is token t."""
        found: dict[int, int] = {}
        for token, data in enumerate(self.tokens):
            if data and data.isdigit():
                found[data[0]] = found.get(data[0], 0) | 1 << token
        return found

    @cached_property
    def exact(self) -> Mapping[bytes, list[int]]:
        """The tokens by all their bytes."""
        found: dict[bytes, list[int]] = {}
        for token, data in enumerate(self.tokens):
            if data:
                found.setdefault(data, []).append(token)
        return found


def _end_of_string(data: bytes) -> int:
    """Where a quote ends the string that a token begins in, between two characters; -1 where none does."""
    inside = _INSIDE.match(data)
    assert inside is not None  # it may be empty
    return inside.end() if data[inside.end() : inside.end() + 1] == b'"' else -1


def _is_json(data: bytes) -> bool:
    """Whether a token can stand anywhere in JSON but inside of a string."""
    parts = data.split(b'"')
    return _is_structure(parts[::2]) or (len(parts) > 1 and (b"\\" in data or _is_structure(parts[1::2])))


def _has_two_values(data: bytes) -> bool:
    """Whether there are values on both sides of a comma, however the token begins: strings stand for themselves."""
    parts = data.split(b'"')
    outside, inside = b"s".join(parts[::2]), b"s" + b"s".join(parts[1::2])
    readings = (outside + b"s" * (len(parts) % 2 == 0), inside + b"s" * (len(parts) % 2))
    return b"\\" in data or any(map(_TWO_VALUES.search, readings))


def _ends_key(parts: Sequence[bytes], parity: int, place: int) -> bool:
    """Whether a key may end before a part, of which those of this parity are outside of strings, and another key may
    begin and end behind it."""
    if not parts[place].lstrip().startswith(b":"):
        return False
    return any(parts[i].rstrip().endswith(b",") for i in range(place, len(parts) - 2, 2) if i % 2 == parity)


def _is_structure(parts: Sequence[bytes]) -> bool:
    return all(map(_STRUCTURE.issuperset, parts))


def _strings_in(data: bytes) -> Iterator[bytes]:
    """What is between any quote and the one that closes a string which it opens."""
    for place in range(len(data)):
        if data[place] == _QUOTE:
            inside = _INSIDE.match(data, place + 1)
            if inside is not None and data[inside.end() : inside.end() + 1] == b'"':
                yield inside[0]


def _string(part: bytes) -> str | None:
    """The one spelling of a JSON string by what is between its quotes; None where it is none."""
    try:
        return quote(string_of(b'"' + part + b'"'))
    except ValueError:
        return None


def bits_of(tokens: int) -> Iterator[int]:
    """The tokens of a set, whose bit t is token t."""
    words = memoryview(tokens.to_bytes((tokens.bit_length() + 63) // 64 * 8, "little")).cast("Q")
    for place, word in enumerate(words):
        while word:
            low = word & -word
            yield 64 * place + low.bit_length() - 1
            word ^= low


@lru_cache(maxsize=8)
def token_index(vocabulary: Vocabulary) -> TokenIndex:
    """That of a vocabulary, made once."""
    return TokenIndex(vocabulary.tokens)
