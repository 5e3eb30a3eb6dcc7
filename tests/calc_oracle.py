"""A second opinion on the calculator: random expressions, and what they must give.

Expressions are made as trees and written out, so how operators bind is decided here and not parsed. Values are computed
with fractions, integer square roots and mpmath, and rounded once. It shares no code with the calculator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import mpmath

PRECISION = 1_500  # bits for powers
LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "negate": 3, "^": 4, "number": 5, "call": 5}


@dataclass
class Tree:
    """op: a number's literal, "negate", an infix operator or a function. start, end: where it stands in the text."""

    op: str
    parts: tuple[Tree, ...] = ()
    start: int = 0
    end: int = 0

    @property
    def level(self) -> int:
        if not self.parts:
            return LEVELS["number"]
        return LEVELS.get(self.op, LEVELS["call"])


class Undefined(Exception):
    """code, and the span of the operation that is to blame."""

    def __init__(self, code: str, tree: Tree) -> None:
        super().__init__(code)
        self.code = code
        self.span = (tree.start, tree.end)


def random_tree(random: Random, size: int) -> Tree:
    if size <= 1:
        return Tree(random_number(random))
    match random.randrange(8):
        case 0:
            return Tree("negate", (random_tree(random, size - 1),))
        case 1:
            op = random.choice(["abs", "ceil", "floor", "round", "sqrt"])
            return Tree(op, (random_tree(random, size - 1),))
        case _:
            left = random.randint(1, size - 1)
            op = random.choice("+-*/^" if random.random() < 0.8 else "^/")
            return Tree(op, (random_tree(random, left), random_tree(random, size - left)))


def random_number(random: Random) -> str:
    match random.randrange(9):
        case 0:
            return str(random.randint(0, 9))
        case 1:
            return random.choice(["0", "1", "2", "0.5", "0.0", "10", "1e308", "5e-324", "1e16", "9007199254740993"])
        case 2:
            return f"{random.randint(0, 99)}.{random.randint(0, 99):02}"
        case 3:
            return f"{random.randint(1, 9)}e{random.choice(['', '+', '-'])}{random.randint(0, 300)}"
        case 4:
            return repr(random.random() * 10 ** random.randint(-5, 5))
        case 5:
            return f"{random.randint(0, 9)}.5"
        case 6:
            return str(random.randint(0, 2**60))
        case _:
            return str(random.randint(0, 12))


def write(tree: Tree, random: Random, text: str = "", *, floor: int = 0) -> tuple[str, int, int]:
    """Append a tree to a text; the text, and the span of the operand, parentheses included.

    floor: the least level that may stand here without parentheses.
    """
    if tree.level < floor or random.random() < 0.1:
        opened = len(text)
        text = write(tree, random, _blank(text + "(", random))[0]
        text = _blank(text, random) + ")"
        return text, opened, len(text)
    tree.start = len(text)
    if not tree.parts:
        text += tree.op
        tree.end = len(text)
    elif tree.op == "negate":
        text, _, tree.end = write(tree.parts[0], random, _blank(text + "-", random), floor=LEVELS["negate"])
    elif len(tree.parts) == 1:
        text = write(tree.parts[0], random, _blank(_blank(text + tree.op, random) + "(", random))[0]
        text = _blank(text, random) + ")"
        tree.end = len(text)
    else:
        text = _write_infix(tree, random, text)
    return text, tree.start, tree.end


def _write_infix(tree: Tree, random: Random, text: str) -> str:
    level, to_the_right = LEVELS[tree.op], tree.op == "^"
    left, right = tree.parts
    text, tree.start, _ = write(left, random, text, floor=level + to_the_right)
    text = _blank(_blank(text, random) + tree.op, random)
    # The exponent, and any other right operand, may begin with a minus sign.
    floor = LEVELS["negate"] if right.op == "negate" else level + (not to_the_right)
    text, _, tree.end = write(right, random, text, floor=floor)
    return text


def _blank(text: str, random: Random) -> str:
    return text + random.choice(["", "", "", " ", "  ", "\t", "\n", "\r\n"])


def value_of(tree: Tree) -> float:
    """The value. Raises Undefined where there is none, for the first such operation from left to right."""
    if not tree.parts:
        return nearest(Fraction(tree.op))
    numbers = [value_of(part) for part in tree.parts]
    exact = _exact(tree, *numbers)
    result = exact if isinstance(exact, float) else nearest(exact)
    if math.isinf(result):
        raise Undefined("CALC_OVERFLOW", tree)
    if result == 0.0 and exact != 0:
        raise Undefined("CALC_UNDERFLOW", tree)
    return result


def _exact(tree: Tree, x: float, y: float = 0.0) -> Fraction | float:
    """The exact result, or for a power the rounded one: inf or a zero that is not exact included."""
    a, b = Fraction(x), Fraction(y)
    match tree.op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" if not b:
            raise Undefined("CALC_DIV_ZERO", tree)
        case "/":
            return a / b
        case "^":
            return _power(tree, a, b)
        case "negate":
            return -a
        case "abs":
            return abs(a)
        case "floor":
            return Fraction(a.numerator // a.denominator)
        case "ceil":
            return -Fraction(-a.numerator // a.denominator)
        case "round":
            whole = (2 * abs(a) + 1) // 2
            return Fraction(whole if a >= 0 else -whole)
        case "sqrt" if a < 0:
            raise Undefined("CALC_DOMAIN", tree)
        case "sqrt":
            return square_root(a)
    raise AssertionError(tree.op)


def square_root(a: Fraction) -> Fraction:
    """The root, exact where it is rational, and else with 200 bits, none of them a middle of two doubles."""
    shift = 2 ** (2 * (200 + a.denominator.bit_length()))
    root = math.isqrt(a.numerator * shift // a.denominator)
    return Fraction(root, math.isqrt(shift))


def _power(tree: Tree, base: Fraction, exponent: Fraction) -> Fraction | float:
    if exponent == 0:
        return Fraction(1)
    if base == 0:
        if exponent < 0:
            raise Undefined("CALC_DIV_ZERO", tree)
        return Fraction(0)
    if base < 0 and exponent.denominator > 1:
        raise Undefined("CALC_DOMAIN", tree)
    negative = base < 0 and exponent.numerator % 2 == 1
    size = positive_power(abs(base), exponent)
    if size == 0.0:
        raise Undefined("CALC_UNDERFLOW", tree)
    return -size if negative else size


def positive_power(base: Fraction, exponent: Fraction) -> float:
    """Rounded once; inf or 0.0 where it is out of range."""
    if base == 1:
        return 1.0
    with mpmath.workprec(PRECISION):
        size = exponent.numerator * mpmath.log(mpmath.mpf(base.numerator) / base.denominator) / exponent.denominator
        if abs(size) > 1_000:
            return math.inf if size > 0 else 0.0
    rational = rational_power(base, exponent)
    if rational is not None:
        return nearest(rational)
    with mpmath.workprec(PRECISION):
        _, mantissa, scale, _ = mpmath.exp(size)._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** scale
    slack = value / 2 ** (PRECISION - 100)
    assert nearest(value - slack) == nearest(value + slack), "more bits are needed"
    return nearest(value)


def rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """The power where it can be written as a fraction of some thousand bits."""
    while exponent.denominator > 1:
        top, bottom = math.isqrt(base.numerator), math.isqrt(base.denominator)
        if (top**2, bottom**2) != (base.numerator, base.denominator):
            return None
        base, exponent = Fraction(top, bottom), exponent * 2
    return base ** int(exponent) if abs(exponent) <= 2_000 else None


def nearest(value: Fraction) -> float:
    """The nearest double, ties to even: so Python rounds the quotient of two integers."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf
