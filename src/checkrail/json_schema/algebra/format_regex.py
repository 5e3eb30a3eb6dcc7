"""`format: regex`: regular expressions of ECMA 262 as far as they are regular themselves.

Groups may nest without end, so all regular expressions are no regular language. These are those whose groups nest at
most four deep, in the syntax that the `u` flag asks for, without names, back-references and the rarer escapes; a class
may have ranges within the digits, the small and the capital letters. Everything here is a regular expression, but not
the other way round. What is none for certain is told by its first character: a quantifier with nothing before it, or a
bracket that closes nothing.
"""

from __future__ import annotations

from ...grammar.codepoints import character_class, difference, normalise
from ...grammar.expression import ANY_CHARACTER, Expression
from ..combine import alt, chars, optional, seq, times
from ..integers import DIGIT

__all__ = ["REGEX", "any_regex"]

_LEVELS = 4
_SYNTAX = "^$\\.*+?()[]{}|"
_PLAIN = ((0x20, 0x7E), (0xA0, 0xD7FF), (0xE000, 0xFFFD))


def _but(removed: str) -> Expression:
    """Any printable character of the basic plane but these."""
    return character_class(difference(_PLAIN, normalise((ord(char), ord(char)) for char in removed)))


def _ordered(characters: str) -> list[Expression]:
    """The ranges of a class whose ends are among these, which ascend."""
    return [seq(first, "-", chars(f"{first}-{characters[-1]}")) for first in characters]


def _counts() -> Expression:
    """What stands between the braces of a quantifier: the first number is not above the second."""
    positive = chars("1-9")
    number = alt("0", seq(positive, times(DIGIT, 0, 2)))
    one_digit = alt(*(seq(str(low), ",", chars(f"{low}-9")) for low in range(10)))
    longer = alt(seq(DIGIT, ",", positive, times(DIGIT, 1, 3)), seq(positive, DIGIT, ",", positive, times(DIGIT, 2, 3)))
    return alt(seq(number, optional(",")), one_digit, longer)


_HEX = chars("0-9a-fA-F")
_ESCAPE = seq(
    "\\",
    alt(
        chars("dDwWsStnvfr"),
        seq("x", times(_HEX, 2, 2)),
        seq("u", times(_HEX, 4, 4)),
        seq("p{", alt("L", "Lu", "Ll", "M", "N", "Nd", "P", "S", "Z"), "}"),
        alt("/", *_SYNTAX),
    ),
)
_RANGES = alt(*_ordered("0123456789"), *_ordered("abcdefghijklmnopqrstuvwxyz"), *_ordered("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
_CLASS = seq("[", optional("^"), times(alt(_but("\\]-[^"), _ESCAPE, _RANGES), 0, None), optional("-"), "]")
_QUANTIFIER = seq(alt(chars("*+?"), seq("{", _counts(), "}")), optional("?"))
_ASSERTION = alt("^", "$", "\\b", "\\B")


def _pattern(group: Expression | None) -> Expression:
    """Alternatives of terms. group: what may be quantified besides a character, an escape and a class."""
    atom = alt(_but(_SYNTAX), ".", _ESCAPE, _CLASS, *(() if group is None else (group,)))
    terms = [_ASSERTION, seq(atom, optional(_QUANTIFIER))]
    if group is not None:
        terms.append(seq(alt("(?=", "(?!", "(?<=", "(?<!"), _pattern(None), ")"))
    return times(alt("|", *terms), 0, None)


def _nested() -> Expression:
    pattern = _pattern(None)
    for _ in range(_LEVELS):
        pattern = _pattern(seq(alt("(", "(?:"), pattern, ")"))
    return pattern


REGEX = _nested()
"""Such regular expressions, as an expression over their characters."""


def any_regex() -> Expression:
    """All regular expressions, and other texts."""
    first = character_class(difference(ANY_CHARACTER.ranges, normalise((ord(char), ord(char)) for char in "*+?)")))
    return optional(first, times(ANY_CHARACTER, 0, None))
