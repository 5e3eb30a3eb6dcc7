"""The calculator's arithmetic: what each operation gives for finite doubles, or why it gives nothing.

Every operation is rounded correctly, to nearest with ties to even: `+ - * /` and the square root by IEEE 754, `^` by
`power`; the others are exact. So the result has the same bits wherever doubles are those of IEEE 754. Infinities
and NaN never come up: an operation that would give one is a fault. -0 may come up inside and shows nowhere.

The operations are carried out one by one over a stack of values, so nesting costs no Python stack. O(n) operations; a
power is the dearest.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ...errors import Error
from .lexer import fail
from .parser import Node
from .power import power

__all__ = ["evaluate", "require_double_arithmetic"]


class _Fault(NamedTuple):
    """Why an operation has no result: the code, and what the message says beside it."""

    code: str
    what: str = ""


_Outcome = float | _Fault


def evaluate(text: str, nodes: Sequence[Node]) -> list[float]:
    """The value of each operation of `parse(text)`; the last is that of the expression.

    Raises CalcError at the first operation without one: CALC_DIV_ZERO, CALC_DOMAIN, CALC_OVERFLOW, CALC_UNDERFLOW.
    """
    values: list[float] = []
    stack: list[float] = []
    for node in nodes:
        outcome = _apply(node, stack)
        if isinstance(outcome, _Fault):
            fail(text, outcome.code, node.start, node.end, what=outcome.what)
        values.append(outcome)
        stack.append(outcome)
    return values


def _apply(node: Node, stack: list[float]) -> _Outcome:
    """Take the operands off the stack and compute."""
    if node.op == "number":
        return node.value
    right = stack.pop()
    if node.op in _UNARY:
        return _UNARY[node.op](right)
    return _BINARY[node.op](stack.pop(), right)


def _in_range(result: float, *, may_vanish: bool) -> _Outcome:
    """The result, if it is neither too large nor, being zero, too small."""
    if math.isinf(result):
        return _Fault("CALC_OVERFLOW")
    if result == 0.0 and not may_vanish:
        return _Fault("CALC_UNDERFLOW")
    return result


def _add(x: float, y: float) -> _Outcome:
    return _in_range(x + y, may_vanish=True)


def _subtract(x: float, y: float) -> _Outcome:
    return _in_range(x - y, may_vanish=True)


def _multiply(x: float, y: float) -> _Outcome:
    return _in_range(x * y, may_vanish=x == 0.0 or y == 0.0)


def _divide(x: float, y: float) -> _Outcome:
    if y == 0.0:
        return _Fault("CALC_DIV_ZERO")
    return _in_range(x / y, may_vanish=x == 0.0)


def _power(x: float, y: float) -> _Outcome:
    if y == 0.0:
        return 1.0
    if x == 0.0:
        if y < 0.0:
            return _Fault("CALC_DIV_ZERO")
        return 0.0
    if x < 0.0 and not y.is_integer():
        return _Fault("CALC_DOMAIN", what="negative base with a non-integer exponent")
    odd = math.fmod(y, 2.0) != 0.0
    return _in_range(math.copysign(power(abs(x), y), x if odd else 1.0), may_vanish=False)


def _square_root(x: float) -> _Outcome:
    if x < 0.0:
        return _Fault("CALC_DOMAIN", what="square root of a negative number")
    return math.sqrt(x)


def _round(x: float) -> float:
    """The nearest integer, halves away from zero."""
    size = abs(x)
    whole = float(math.floor(size))
    return math.copysign(whole + 1.0 if size - whole >= 0.5 else whole, x)


def _floor(x: float) -> float:
    return float(math.floor(x))


def _ceil(x: float) -> float:
    return float(math.ceil(x))


_UNARY: Mapping[str, Callable[[float], _Outcome]] = {
    "negate": operator.neg,
    "abs": abs,
    "ceil": _ceil,
    "floor": _floor,
    "round": _round,
    "sqrt": _square_root,
}
_BINARY: Mapping[str, Callable[[float, float], _Outcome]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "^": _power,
}


def require_double_arithmetic(add: Callable[[float, float], float] = operator.add) -> None:
    """Raise Error INTERNAL where a sum is rounded twice, first to the 64 bits of an x87 register."""
    if add(1e16, 2.9999) != 10000000000000002.0:
        raise Error("INTERNAL", what="this machine rounds the results of arithmetic twice")


require_double_arithmetic()
