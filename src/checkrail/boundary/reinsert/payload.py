"""A value as JSON text in which nothing is hidden and no control token's text begins.

The text is canonical JSON, with more characters written as `\\uXXXX`: those that cannot be seen, and the first one of
each place where the text of a control token begins, also where it would after normalization or in another letter case.
Escapes in JSON lose nothing, so it is the same value. This is a second layer: the first is that the tokens are made
without control tokens, and what counts is the look at the ids.

You need it for text that others wrote. What is hidden is `display.characters`' to say: here and on the screen it is the
same characters. Line feeds, tabs and carriage returns are `\\n`, `\\t` and `\\r` in JSON, and not hidden.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ...errors import ContextError, DocumentError, Error
from ...vocabulary.control_literals import Literals
from .. import canon, strictjson
from ..display.characters import HIDDEN, kind

__all__ = ["Escape", "Hidden", "Seen", "escaped", "readable", "seen"]

Escape: TypeAlias = Literal["minimal", "html", "all"]
Hidden: TypeAlias = Literal["escape", "strip", "reject"]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_UNIT = re.compile(r"\\u[0-9a-f]{4}|\\.|[^\\]")
_HIDDEN_UNIT = re.compile(r"(?<!\\)((?:\\\\)*)(\\u[0-9a-f]{4}|\\[bf])|([^ -~])")
_CUT_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-f]{0,3}|ud[89ab][0-9a-f]{2}(?:\\(?:u[0-9a-f]{0,3})?)?)?$")
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Seen:
    """A value, its canonical text, and how many of its characters could not be seen (or were taken out).

    sha256: of the canonical bytes of the value as it came.
    """

    value: Any
    canonical: str
    hidden: int
    sha256: str


def seen(value: Any, hidden: Hidden, source: str) -> Seen:
    """What becomes of a value's hidden characters: they stay (and will be escaped), or go, or the value is refused.

    Raises `DocumentError` CANON_* for what is no JSON value, `ContextError` CONTEXT_HIDDEN_TEXT.
    """
    data = canon.dumps(value)
    canonical, sha256 = data.decode(), hashlib.sha256(data).hexdigest()
    count = sum(1 for found in _HIDDEN_UNIT.finditer(canonical) if _is_hidden(found))
    if not count or hidden == "escape":
        return Seen(value, canonical, count, sha256)
    if hidden == "reject":
        raise ContextError("CONTEXT_HIDDEN_TEXT", source=source, count=count)
    stripped = _HIDDEN_UNIT.sub(lambda found: found[1] or "" if _is_hidden(found) else found[0], canonical)
    try:
        left = strictjson.parse(stripped).value
    except DocumentError:  # two keys that differ in hidden characters alone
        raise ContextError("CONTEXT_HIDDEN_TEXT", source=source, count=count) from None
    return Seen(left, canon.dumps(left).decode(), count, sha256)


def escaped(text: str, literals: Literals, escape: Escape) -> str:
    """A JSON text with more characters escaped; the value is the same.

    escape: "minimal", as above; "html", also `<`, `>` and `&`; "all", also all that is not ASCII.

    >>> escaped('"a </s> b"', Literals(["</s>"]), "minimal")
    '"a \\\\u003c/s> b"'
    """
    wanted = json.loads(text)
    for _ in range(_ROUNDS):  # what is written in place of a character could be the end of another text
        before, text = text, _escaped_once(text, literals.likely_starts(text), escape)
        if text == before:
            break
    if json.loads(text) != wanted:
        raise Error("INTERNAL", what="an escaped text is another value")
    return text


def readable(beginning: bytes) -> str:
    """Of the beginning of a JSON text, as much as has whole characters and whole escapes.

    >>> readable(rb'"a\\ud83d\\ud'), readable('"é'.encode()[:2])
    ('"a', '"')
    """
    return _CUT_ESCAPE.sub(r"\1", beginning.decode("utf-8", "ignore"))


def _escaped_once(text: str, starts: set[int], escape: Escape) -> str:
    def rewrite(string: re.Match[str]) -> str:
        def unit(found: re.Match[str]) -> str:
            at, part = found.start() + string.start() + 1, found[0]
            begins = not starts.isdisjoint(range(at, at + len(part)))
            if len(part) > 2 or not (begins or _must_go(part, escape)):
                return part
            return _escape(json.loads(f'"{part}"') if len(part) == 2 else part)

        inner = string[0][1:-1]
        return f'"{_UNIT.sub(unit, inner)}"'

    return _STRING.sub(rewrite, text)


def _must_go(part: str, escape: Escape) -> bool:
    if len(part) == 2 or (part.isascii() and part.isprintable()):
        return escape != "minimal" and part in "<>&"
    return escape == "all" or kind(part) == HIDDEN


def _escape(character: str) -> str:
    """`\\uXXXX`, or two of them."""
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _is_hidden(found: re.Match[str]) -> bool:
    """Whether a match of `_HIDDEN_UNIT` is one: canonical JSON has `\\uXXXX` for control characters only."""
    return found[2] is not None or kind(found[3]) == HIDDEN
