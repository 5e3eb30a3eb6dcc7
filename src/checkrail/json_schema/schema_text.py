"""A schema's text as plain data: `json.loads` within bounds, and what it lets through checked afterwards.

Nearly every schema is small and clean, so the checks ask the whole text first: without an escape `\\u` there is no
half of a surrogate pair, and a text with few brackets is not deep. Only where such a question has no clear answer, each
value is looked at.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from decimal import Decimal
from typing import Any, NoReturn, TypeAlias

from ..errors import BudgetError, Position, SchemaError
from ..limits import Limits

__all__ = ["Json", "checked_number", "checked_string", "parse_schema", "refuse_schema"]

Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"

_BRACKETS_AND_STRINGS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_LARGEST = Decimal(2**1024 - 2**970)  # the largest double
_SMALLEST_EXPONENT = -400  # below every double; keeps exact arithmetic small
_MOST_DIGITS = 400  # of an integer; more are no double
_DEEPEST_CALLS = 20_000  # the C scanner needs some hundred bytes of stack for each


def parse_schema(text: str, limits: Limits) -> Json:
    """The data of a JSON text. Raises SchemaError where it is malformed, BudgetError beyond the limits."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > limits.schema_bytes:
        raise BudgetError("GRAMMAR_BUDGET_BYTES", pointer="", reached=size, limit=limits.schema_bytes)
    if sys.getrecursionlimit() > _DEEPEST_CALLS:  # else the scanner stops in time
        _check_depth(text, limits)
    try:
        tree: Json = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        _check_depth(text, limits)
        refuse_schema(f"not JSON: {error.msg}", Position.at(text, error.pos))
    except RecursionError:
        _check_depth(text, limits)
        raise
    if text.count("{") + text.count("[") > limits.schema_depth:
        _check_levels(tree, limits)
    if not text.isascii() or "\\u" in text or len(text) > limits.expression_nodes:
        _check_values(tree, limits)
    return tree


def refuse_schema(what: str, position: Position | None = None) -> NoReturn:
    """Raise SchemaError for a schema that is no schema."""
    raise SchemaError("SCHEMA_SYNTAX", position=position, pointer="", what=what)


def checked_string(text: str) -> str:
    """The text. Raises SchemaError for half of a surrogate pair."""
    if _SURROGATE.search(text):
        refuse_schema("a string holds half of a surrogate pair, which is no character")
    return str(text)


def checked_number(value: int | float | Decimal) -> int | Decimal:
    """The number, exactly. Raises SchemaError for what is no double."""
    if isinstance(value, int):
        if value.bit_length() > 1024:
            refuse_schema("a number is too large for a double")
        return int(value)
    if not math.isfinite(value):
        refuse_schema("a number is not finite")
    exact = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    if exact.is_zero():
        return Decimal(0)
    if exact.copy_abs() > _LARGEST:
        refuse_schema("a number is too large for a double")
    if exact.adjusted() < _SMALLEST_EXPONENT or len(exact.as_tuple().digits) > 1024:
        refuse_schema("a number has more digits than a double can tell apart")
    return exact


def _decimal(digits: str) -> int | Decimal:
    return checked_number(Decimal(digits))


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        refuse_schema("a number is too large for a double")
    value = int(digits)
    return value if len(digits) < 300 else int(checked_number(value))


def _no_constant(name: str) -> NoReturn:
    refuse_schema(f"{name} is not a JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        refuse_schema(f"the key {twice[:40]!r} occurs twice in one object")
    return members


_DECODER = json.JSONDecoder(
    parse_float=_decimal, parse_int=_integer, parse_constant=_no_constant, object_pairs_hook=_unique
)


def _check_depth(text: str, limits: Limits) -> None:
    depth = 0
    for match in _BRACKETS_AND_STRINGS.finditer(text):
        mark = match[0]
        depth += (mark in "[{") - (mark in "]}") if len(mark) == 1 else 0
        if depth > limits.schema_depth:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer="", limit=limits.schema_depth)


def _check_levels(tree: Json, limits: Limits) -> None:
    """Raise BudgetError for a tree that is too deep."""
    depth = 0
    level = [tree] if type(tree) is dict or type(tree) is list else []
    while level:
        depth += 1
        if depth > limits.schema_depth:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer="", limit=limits.schema_depth)
        below: list[Any] = []
        for container in level:
            inner = container.values() if type(container) is dict else container
            below += [value for value in inner if type(value) is dict or type(value) is list]
        level = below


def _check_values(tree: Json, limits: Limits) -> None:
    """Look at each value: how many there are, and that strings are characters."""
    left = limits.expression_nodes
    pending = [tree]
    while pending:
        value = pending.pop()
        left -= 1
        if left < 0:
            raise BudgetError("GRAMMAR_BUDGET_NODES", pointer="", limit=limits.expression_nodes)
        if type(value) is str:
            checked_string(value)
        elif type(value) is list:
            pending += value
        elif type(value) is dict:
            checked_string("".join(value))
            pending += value.values()
