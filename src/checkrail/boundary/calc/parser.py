"""The calculator's parser: from an expression to the order in which it is computed.

Top-down operator precedence (Pratt, "Top down operator precedence", POPL 1973): each operator has a binding power
to its left and to its right, and one loop serves them all. Prefix minus stands between `*` and `^`, so `-2^2` is
-4, and the exponent of `^` may begin with it. The parser writes no tree: it appends each operation after its
operands, which is the order of evaluation (reverse Polish), and hands back the spans of operands on the way.

O(n). It calls itself for each parenthesis, minus sign and right operand, and not more than 64 deep.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn

from .lexer import Token, fail, token_at

__all__ = ["FUNCTIONS", "MAX_DEPTH", "MAX_NODES", "Node", "parse"]

MAX_NODES = 256
MAX_DEPTH = 64
FUNCTIONS = ("abs", "ceil", "floor", "round", "sqrt")

_INFIX = {"+": (10, 11), "-": (10, 11), "*": (20, 21), "/": (20, 21), "^": (41, 40)}  # binding to the left, right
_PREFIX_MINUS = 30
_OPERAND = "a number, '-', '(' or a function"
_FOUND = {"end": "the end", "number": "a number", "name": "a name"}


class Node(NamedTuple):
    """One operation. op: "number", "negate", an infix operator or a function. `[start, end)`: in code points.

    value: that of a number.
    """

    op: str
    start: int
    end: int
    value: float = 0.0


def parse(text: str) -> list[Node]:
    """The operations of an expression, operands first. Raises CalcError for what is not an expression.

    >>> [node.op for node in parse("1 + 2 * -3")]
    ['number', 'number', 'number', 'negate', '*', '+']
    """
    parser = _Parser(text)
    parser.expression()
    parser.expect("end", "an operator or the end")
    return parser.nodes


class _Parser:
    """One expression being parsed: `next` is the token that was read and not yet taken."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nodes: list[Node] = []
        self.depth = 0
        self.next = token_at(text, 0)

    def expression(self, floor: int = 0) -> tuple[int, int]:
        """Parse operators that bind to their left at least as strongly as `floor`; the span of the whole."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse("CALC_DEPTH", self.next.start, self.next.end, limit=MAX_DEPTH)
        start, end = self.operand()
        while True:
            binding = _INFIX.get(self.next.kind)
            if binding is None or binding[0] < floor:
                self.depth -= 1
                return start, end
            operator = self.take().kind
            end = self.expression(binding[1])[1]
            self.add(Node(operator, start, end))

    def operand(self) -> tuple[int, int]:
        """Parse what an operator can stand before; its span, parentheses included."""
        token = self.next
        if token.kind == "number":
            self.take()
            self.add(Node("number", token.start, token.end, token.value))
            return token.start, token.end
        if token.kind == "-":
            self.take()
            end = self.expression(_PREFIX_MINUS)[1]
            self.add(Node("negate", token.start, end))
            return token.start, end
        if token.kind == "(":
            self.take()
            self.expression()
            return token.start, self.expect(")", "')' or an operator").end
        if token.kind == "name":
            return self.call()
        return self.unexpected(_OPERAND)

    def call(self) -> tuple[int, int]:
        """Parse a function with its one argument."""
        start, end = self.next.start, self.next.end
        function = self.text[start:end]
        if function not in FUNCTIONS:
            self.refuse("CALC_NAME", start, end)
        self.take()
        self.expect("(", "'('")
        if self.next.kind == ")":
            self.refuse("CALC_ARITY", start, self.next.end)
        self.expression()
        if self.next.kind == ",":
            self.refuse("CALC_ARITY", start, self.next.end)
        end = self.expect(")", "')' or an operator").end
        self.add(Node(function, start, end))
        return start, end

    def take(self) -> Token:
        """Move on to the next token; the one that was next."""
        token = self.next
        self.next = token_at(self.text, token.end)
        return token

    def expect(self, kind: str, wanted: str) -> Token:
        """Take a token that must be of one kind. wanted: what the message says could stand here."""
        if self.next.kind != kind:
            self.unexpected(wanted)
        return self.take()

    def add(self, node: Node) -> None:
        """Append an operation."""
        self.nodes.append(node)
        if len(self.nodes) > MAX_NODES:
            self.refuse("CALC_NODES", node.start, node.end, limit=MAX_NODES)

    def unexpected(self, wanted: str) -> NoReturn:
        """Something else stands here."""
        token = self.next
        found = _FOUND.get(token.kind, f"'{token.kind}'")
        self.refuse("CALC_SYNTAX", token.start, token.end, wanted=wanted, found=found)

    def refuse(self, code: str, start: int, end: int, **params: object) -> NoReturn:
        """The text is no expression because of its part `[start, end)`."""
        fail(self.text, code, start, end, **params)
