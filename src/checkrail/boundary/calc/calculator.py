"""The calculator: an expression in, a correctly rounded double or a named error out.

    expression = operand (("+" | "-" | "*" | "/" | "^") operand)*
    operand    = "-"* (number | "(" expression ")" | ("abs" | "ceil" | "floor" | "round" | "sqrt") "(" expression ")")

`^` binds tightest and to the right, then prefix minus, `* /`, `+ -`. The same expression gives the same bits on
every machine (docs/explanation/calculator.md says why that takes a calculator of our own). You need it where a model
should write the expression and not the digits. It is no decimal arithmetic: 0.1+0.2 is 0.30000000000000004.

Nothing is evaluated as code, and nothing can run long: at most 1024 bytes, 256 operations, 64 levels of nesting.
`lexer`, `parser`, `evaluate` and `power` are its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import CalcError
from ..number_text import number_text
from .evaluate import evaluate
from .lexer import fail
from .parser import Node, parse

__all__ = ["MAX_BYTES", "CalcResult", "Step", "calc", "is_expression"]

MAX_BYTES = 1024


class Step(NamedTuple):
    """One operation that was carried out: the part `[start, end)` of the expression, and its value."""

    start: int
    end: int
    value: float


@dataclass(frozen=True, slots=True, repr=False)
class CalcResult:
    """What became of an expression: `value`, or `error` with the code and the place. Exactly one of them is None.

    steps: the operations in the order in which they were carried out, without the numbers; empty if there is an error.
    """

    expression: str
    value: float | None
    error: CalcError | None = None
    steps: tuple[Step, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.error is None

    def to_json(self) -> dict[str, Any]:
        """`expression`, `ok`, and `value` or `error`, as plain data; `canon.dumps` makes canonical JSON of it."""
        if self.value is not None:
            whole = self.value.is_integer() and abs(self.value) < 2**53
            return {"expression": self.expression, "ok": True, "value": int(self.value) if whole else self.value}
        assert self.error is not None
        start, end = self.error.span
        error = {"code": self.error.code, "end": end, "message": self.error.message, "start": start}
        return {"error": error, "expression": self.expression, "ok": False}

    def __repr__(self) -> str:
        return f"<CalcResult {number_text(self.value) if self.value is not None else self.error}>"


def calc(expression: str) -> CalcResult:
    """Compute an expression. Never raises for a bad one.

    >>> calc("2^10").value, calc("5/0").error.code
    (1024.0, 'CALC_DIV_ZERO')
    """
    try:
        nodes = _parsed(expression)
        values = evaluate(expression, nodes)
    except CalcError as error:
        return CalcResult(expression, None, error.with_traceback(None))
    pairs = zip(nodes, values, strict=True)
    steps = tuple(Step(node.start, node.end, value) for node, value in pairs if node.op != "number")
    return CalcResult(expression, values[-1] + 0.0, None, steps)  # -0 + 0 is 0


def is_expression(text: str) -> bool:
    """Whether a text is an expression; it may still have no value, as 1/0.

    >>> is_expression("1/0"), is_expression("1/")
    (True, False)
    """
    try:
        _parsed(text)
    except CalcError:
        return False
    return True


def _parsed(expression: str) -> list[Node]:
    size = len(expression)
    if size > MAX_BYTES or len(expression.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        fail(expression, "CALC_TOO_LONG", 0, size, limit=MAX_BYTES)
    if not expression.strip(" \t\n\r"):
        fail(expression, "CALC_EMPTY", 0, size)
    return parse(expression)
