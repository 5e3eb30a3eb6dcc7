"""An expression and its value in one string: `3 * 41.50 = 124.5`.

The model writes the expression; behind the equals sign stands the calculator's result and nothing else. `Equations` is
the language of such strings for a mask: each byte that the expression may go on with, and, once it is written, the
bytes of its value one by one, so that no digit of it is the model's. An expression without a value (1/0) is followed by
`undefined`, since a text that was begun must be able to end.

Every expression of `Equations` is one that the calculator takes: it has at most 48 operations, so at most 97 nodes and
49 levels, its numbers have at most 16 characters and two digits of exponent, and all of it less than 1024 bytes. You
need this where the value should stand in the text, for a reader or for what the model writes next; `Calc` keeps it out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from ..number_text import number_text
from .calculator import calc, is_expression
from .parser import FUNCTIONS

__all__ = ["LONGEST_LITERAL", "MOST_OPERATIONS", "UNDEFINED", "Equations", "equation", "is_equation"]

MOST_OPERATIONS = 48
"""Operators, minus signs, functions and parentheses of one expression."""

LONGEST_LITERAL = 16
UNDEFINED = "undefined"

_SIGN = " = "
_DIGITS = "0123456789"
_OPERATORS = "+-*/^"


def equation(expression: str) -> str:
    """The text for an expression.

    >>> equation("3 * 41.50")
    '3 * 41.50 = 124.5'
    """
    value = calc(expression).value
    return expression + _SIGN + (UNDEFINED if value is None else number_text(value))


def is_equation(text: str) -> bool:
    """Whether a text is an expression and, behind the sign, what the calculator makes of it.

    >>> is_equation("1+1 = 2"), is_equation("1+1 = 3")
    (True, False)
    """
    expression, sign, _ = text.partition(_SIGN)
    return bool(sign) and is_expression(expression) and equation(expression) == text


class _State(NamedTuple):
    """Where an expression stands that is being written.

    mode: what its last characters are in the middle of. opened: parentheses. operations: so far. literal: characters
    of the number that is being written. name: of the function. blank: no blank may follow; after one, and at the start.
    """

    mode: str = "operand"
    opened: int = 0
    operations: int = 0
    literal: int = 0
    name: str = ""
    blank: bool = True


_Place = tuple[str, _State | None]  # the expression so far and its state; or what is left of the result, and None


class Equations:
    """The language of equations, as a filler (`ondemand.filler`). It needs no escapes in JSON.

    >>> language = Equations()
    >>> [chr(byte) for byte, place in language.moves(language.start)][:4]
    ['0', '1', '2', '3']
    """

    start: Hashable = ("", _State())
    branches = True
    alphabet = bytes(sorted(set("".join((_DIGITS, _OPERATORS, ".e()= ", UNDEFINED, *FUNCTIONS)).encode())))

    def moves(self, place: Hashable) -> list[tuple[int, Hashable]]:
        """The bytes that may follow, each with the place that it leads to; the value is computed behind the sign."""
        text, state = cast(_Place, place)
        if state is None:
            return [(ord(text[0]), (text[1:], None))] if text else []
        if state.mode == "equals":
            return [(ord(" "), (equation(text)[len(text) + len(_SIGN) :], None))]
        moves: list[tuple[int, Hashable]] = [(ord(char), (text + char, to)) for char, to in _following(state)]
        if state.mode == "after" and state.blank and not state.opened:
            moves.append((ord("="), (text[:-1], _State("equals"))))
        return moves

    def ends(self, place: Hashable) -> bool:
        """Whether the closing quote may follow."""
        return place == ("", None)


@lru_cache(maxsize=1 << 16)
def _following(state: _State) -> tuple[tuple[str, _State], ...]:
    """The characters that may follow, but for the sign."""
    if state.mode == "name":
        return tuple(_name(state))
    if state.mode == "operand":
        return (*_operand(state), *_blank(state))
    if state.mode == "after":
        return (*_after(state), *_blank(state))
    return tuple(_number(state))


def _blank(state: _State) -> Iterator[tuple[str, _State]]:
    """One blank between any two tokens, and none before the first."""
    if not state.blank:
        yield " ", state._replace(blank=True)


def _operand(state: _State) -> Iterator[tuple[str, _State]]:
    for digit in _DIGITS:
        yield digit, state._replace(mode="zero" if digit == "0" else "whole", literal=1, blank=False)
    if state.operations < MOST_OPERATIONS:
        more = state._replace(operations=state.operations + 1, blank=False)
        yield "-", more
        yield "(", more._replace(opened=state.opened + 1)
        for letter in dict.fromkeys(function[0] for function in FUNCTIONS):
            yield letter, more._replace(mode="name", name=letter)


def _name(state: _State) -> Iterator[tuple[str, _State]]:
    """Letters of a function, and the parenthesis that its argument begins with."""
    if state.name in FUNCTIONS:
        yield "(", state._replace(mode="operand", name="", opened=state.opened + 1)
        return
    at = len(state.name)
    for letter in dict.fromkeys(function[at] for function in FUNCTIONS if function.startswith(state.name)):
        yield letter, state._replace(name=state.name + letter)


# mode -> for each character of a number the mode behind it, and how many more characters the number then needs
_NUMBER: dict[str, tuple[tuple[str, str, int], ...]] = {
    "zero": ((".", "point", 1), ("e", "exponent", 1)),
    "whole": ((_DIGITS, "whole", 0), (".", "point", 1), ("e", "exponent", 1)),
    "point": ((_DIGITS, "fraction", 0),),
    "fraction": ((_DIGITS, "fraction", 0), ("e", "exponent", 1)),
    "exponent": (("+-", "sign", 1), (_DIGITS, "first", 0)),
    "sign": ((_DIGITS, "first", 0),),
    "first": ((_DIGITS, "second", 0),),
    "second": (),
}
_COMPLETE = ("zero", "whole", "fraction", "first", "second")


def _number(state: _State) -> Iterator[tuple[str, _State]]:
    for chars, mode, more in _NUMBER[state.mode]:
        if state.literal + 1 + more <= LONGEST_LITERAL:
            yield from ((char, state._replace(mode=mode, literal=state.literal + 1)) for char in chars)
    if state.mode in _COMPLETE:
        yield from _following(state._replace(mode="after", literal=0))


def _after(state: _State) -> Iterator[tuple[str, _State]]:
    """What may follow an operand."""
    if state.operations < MOST_OPERATIONS:
        more = state._replace(mode="operand", operations=state.operations + 1, blank=False)
        yield from ((char, more) for char in _OPERATORS)
    if state.opened:
        yield ")", state._replace(opened=state.opened - 1, blank=False)
