r"""The calculator's lexer: the token that stands at one place of an expression.

    number = ("0" | [1-9][0-9]*) ["." [0-9]+] [[eE] ["+" | "-"] [0-9]+]     at most 64 characters
    name   = [A-Za-z_][A-Za-z0-9_]*        operators: + - * / ^ ( ) ,        blanks: space, tab, LF, CR

It is lazy: the parser asks for one token after the other, so faults come in the order of the text. A number that is
followed directly by a letter, digit, point or underscore is one bad literal (`007`, `1_000`, `0x1F`), never two
tokens. A literal means the nearest double, ties to even; one that is too large, or that is not zero and would become
zero, is refused. Nothing is repaired: there are no digits or operators but those of ASCII.

O(n) for a whole expression; the regular expressions are matched in place and have no nested repetition.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple, NoReturn

from ...errors import CalcError, Position

__all__ = ["LONGEST_NUMBER", "Token", "fail", "token_at"]

LONGEST_NUMBER = 64  # characters

_BLANKS = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LITERAL_GOES_ON = re.compile(r"[0-9A-Za-z._]+")
_OPERATORS = frozenset("+-*/^(),")


class Token(NamedTuple):
    """One token, `[start, end)` in code points.

    kind: "number", "name", "end", or the operator itself. value: what a number means.
    """

    kind: str
    start: int
    end: int
    value: float = 0.0


def fail(text: str, code: str, start: int, end: int, **params: Any) -> NoReturn:
    """Refuse the expression `text` because of its part `[start, end)`."""
    raise CalcError(code, position=Position.at(text, start), start=start, end=end, **params)


def token_at(text: str, offset: int) -> Token:
    """The first token at or after `offset`. Raises CalcError CALC_CHAR, CALC_NUMBER, CALC_LITERAL_RANGE.

    >>> token_at("1 + 20", 3)
    Token(kind='number', start=4, end=6, value=20.0)
    """
    blanks = _BLANKS.match(text, offset)
    assert blanks is not None  # it matches nothing, too
    start = blanks.end()
    if start == len(text):
        return Token("end", start, start)
    if text[start] in _OPERATORS:
        return Token(text[start], start, start + 1)
    name = _NAME.match(text, start)
    if name:
        return Token("name", start, name.end())
    number = _NUMBER.match(text, start)
    if number:
        return _number(text, number)
    if text[start] == ".":
        fail(text, "CALC_NUMBER", start, start + 1, what="a digit is needed before the point")
    return fail(text, "CALC_CHAR", start, start + 1, character=f"U+{ord(text[start]):04X}")


def _number(text: str, number: re.Match[str]) -> Token:
    start, end = number.span()
    rest = _LITERAL_GOES_ON.match(text, end)
    if rest:
        fail(text, "CALC_NUMBER", start, rest.end(), what=_why_malformed(number, rest.group()))
    literal = number.group()
    if len(literal) > LONGEST_NUMBER:
        fail(text, "CALC_NUMBER", start, end, what=f"longer than {LONGEST_NUMBER} characters")
    value = float(literal)
    if math.isinf(value):
        fail(text, "CALC_LITERAL_RANGE", start, end, what="too large")
    if value == 0.0 and any(digit in "123456789" for digit in re.split("[eE]", literal)[0]):
        fail(text, "CALC_LITERAL_RANGE", start, end, what="too small")
    return Token("number", start, end, value)


def _why_malformed(number: re.Match[str], rest: str) -> str:
    """What is wrong with the number that `rest` follows: the first fault, from left to right."""
    fraction, exponent = number.groups()
    if number.group() == "0" and rest[0].isdigit():
        return "leading zero"
    if rest[0] == "." and fraction is None and exponent is None:
        return "digits needed after the point"
    if rest[0] in "eE" and exponent is None:
        return "digits needed after the exponent"
    return "unexpected characters"
