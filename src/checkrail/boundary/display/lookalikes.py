"""Words that may not be what they look like: `раypal` with two Cyrillic letters.

You need this where a person decides by reading a text that somebody else wrote; `display` calls it. It finds words

- whose letters come from different scripts, or digits of different systems in one number;
- with a character that is an ASCII one in another style or width (`ｐａｙ`, `𝐩𝐚𝐲`);
- that Unicode writes in another way, too (normal form C differs);
- of another script within a path, an address or an identifier of ASCII letters (`аррӏе.com`);

and, between ASCII characters of such a name, East Asian letters (`comノlogin`) and other signs for ASCII ones
(`example．com`).

After UTS 39 (Unicode security mechanisms), with less data: the script is the first word of a character's name, and
there is no table of confusable characters. So it does not find likenesses within one script (`rn` and `m`), nor a word
that is wholly of another script in a text of that script. East Asian scripts, which have no blanks between words, may
otherwise stand beside any. The work is linear in the length of the token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from unicodedata import decimal, decomposition, is_normalized, name, normalize

from .characters import DIGIT, HIDDEN, LETTER, script

__all__ = ["Cluster", "Lookalike", "lookalikes"]

_EAST_ASIAN = frozenset(
    ["BOPOMOFO", "CJK", "HALFWIDTH", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "KATAKANA-HIRAGANA"]
)
_SEPARATORS = frozenset("/\\.:@_=&#?%~$|+")
_EAST_ASIAN_LETTER = "East Asian letter"
_RUNS = frozenset([LETTER, DIGIT, _EAST_ASIAN_LETTER])
_LISTED = 16  # characters that a note names
_SCRIPTS = 4  # scripts that it names


class Cluster(NamedTuple):
    """A character with the marks on it: `[start, end)` of the text. kind: HIDDEN for one that must not be shown."""

    start: int
    end: int
    kind: str


class Lookalike(NamedTuple):
    """The clusters `[first, last)` of a token, and why a reader should look again, in ASCII."""

    first: int
    last: int
    note: str


def lookalikes(text: str, token: Sequence[Cluster]) -> list[Lookalike]:
    """The words of a token, which is what stands between two blanks, that are to be marked. They do not overlap.

    A hidden character does not end a word.
    """
    is_name = _is_ascii_name(text, token)
    parts = [_part(text, cluster) for cluster in token]
    found = []
    for first, last in _words(parts):
        word = [cluster for cluster in token[first:last] if cluster.kind != HIDDEN]
        is_enclosed = is_name and _is_enclosed(text, token, first, last)
        reasons = _reasons(text, parts[first], word, is_name, is_enclosed)
        if reasons:
            found.append(Lookalike(first, last, f"{', '.join(reasons)}: {_listed(text, word)}"))
    return found


def _part(text: str, cluster: Cluster) -> str:
    """The kind of a cluster, with East Asian letters apart from others."""
    is_east_asian = cluster.kind == LETTER and script(text[cluster.start]) in _EAST_ASIAN
    return _EAST_ASIAN_LETTER if is_east_asian else cluster.kind


def _words(parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The runs of letters, the runs of digits, and each other cluster; hidden ones within a run belong to it."""
    first = 0
    while first < len(parts):
        part = parts[first]
        last = after = first + 1
        while part in _RUNS and after < len(parts) and parts[after] in (part, HIDDEN):
            after += 1
            if parts[after - 1] == part:
                last = after
        if part != HIDDEN:
            yield first, last
        first = last


def _reasons(text: str, part: str, word: Sequence[Cluster], is_in_name: bool, is_enclosed: bool) -> list[str]:
    bases = [text[cluster.start] for cluster in word]
    reasons = []
    if part == LETTER:
        scripts = sorted(set(map(script, bases)))
        if len(scripts) > 1:
            reasons.append(f"mixes {' and '.join(scripts[:_SCRIPTS])}")
        elif is_in_name and scripts != ["LATIN"]:
            reasons.append(f"{scripts[0]} letters in a name of ASCII letters")
    elif part == DIGIT and len({ord(base) - decimal(base) for base in bases}) > 1:
        reasons.append("mixes digits of different systems")
    elif part == _EAST_ASIAN_LETTER and is_enclosed:
        reasons.append("East Asian letters between ASCII ones")
    if any(map(_is_styled_ascii, bases)) if part in _RUNS else is_enclosed and _is_ascii_variant(bases[0]):
        reasons.append("looks like ASCII")
    if not all(is_normalized("NFC", text[cluster.start : cluster.end]) for cluster in word):
        reasons.append("not in normal form C")
    return reasons


def _is_ascii_name(text: str, token: Sequence[Cluster]) -> bool:
    """Whether it is a path, an address or the like: ASCII letters, and a separator between letters or digits."""
    inside = [i for i, cluster in enumerate(token) if cluster.kind in (LETTER, DIGIT)]
    if not any(token[i].kind == LETTER and text[token[i].start].isascii() for i in inside):
        return False
    return any(text[cluster.start] in _SEPARATORS for cluster in token[inside[0] : inside[-1]])


def _is_enclosed(text: str, token: Sequence[Cluster], first: int, last: int) -> bool:
    """Whether ASCII stands before and after: a sentence in Chinese is one token, and may well mention a name."""
    return first > 0 and last < len(token) and (text[token[first - 1].start] + text[token[last].start]).isascii()


@lru_cache(maxsize=4096)
def _is_styled_ascii(character: str) -> bool:
    """A mathematical or full-width letter or digit, whose plain one is ASCII."""
    tag, _, plain = decomposition(character).partition(" ")
    return tag in ("<font>", "<wide>") and all(int(code, 16) < 0x80 for code in plain.split())


def _is_ascii_variant(character: str) -> bool:
    return not character.isascii() and normalize("NFKC", character).isascii()


def _listed(text: str, word: Sequence[Cluster]) -> str:
    """The characters beyond ASCII, each once, with code point and name."""
    inside = chain.from_iterable(text[cluster.start : cluster.end] for cluster in word)
    foreign = list(dict.fromkeys(character for character in inside if not character.isascii()))
    named = [f"U+{ord(character):04X} {name(character, '')}".rstrip() for character in foreign[:_LISTED]]
    more = len(foreign) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
