"""The operations one by one, where the vectors and the random expressions do not reach."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from random import Random

import pytest

from checkrail.boundary.calc.evaluate import evaluate, require_double_arithmetic
from checkrail.boundary.calc.parser import Node, parse
from checkrail.errors import CalcError, Error


def apply(op: str, *operands: float) -> float:
    """One operation on any doubles, also those that no literal can write."""
    numbers = [Node("number", 0, 0, x) for x in operands]
    return evaluate("1", [*numbers, Node(op, 0, 1)])[-1]


def doubles(count: int) -> list[float]:
    random = Random(11)
    found = [0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, -0.49999999999999994, 4503599627370495.5, 2.0**52 + 1]
    while len(found) < count:
        x = struct.unpack("<d", random.randbytes(8))[0]
        found += [x, random.uniform(-10, 10)] if math.isfinite(x) else []
    return found


def test_values_of_all_operations() -> None:
    text = "2*(3-1)^3"
    assert evaluate(text, parse(text)) == [2.0, 3.0, 1.0, 2.0, 3.0, 8.0, 16.0]


def test_rounding_functions_are_exact() -> None:
    for x in doubles(3_000):
        exact = Fraction(x)
        assert apply("floor", x) == math.floor(exact)
        assert apply("ceil", x) == math.ceil(exact)
        away = math.floor(abs(exact) + Fraction(1, 2))
        assert apply("round", x) == (away if x > 0 else -away)
        assert apply("abs", x) == abs(exact)
        assert apply("negate", x) == -exact


def test_square_roots_are_correctly_rounded() -> None:
    for x in map(abs, doubles(3_000)):
        root = apply("sqrt", x)
        exact, gap = Fraction(x), Fraction(math.ulp(root))
        # The exact root is within half a unit of what was found, on either side.
        assert (Fraction(root) - gap / 2) ** 2 <= exact <= (Fraction(root) + gap / 2) ** 2


@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize(("op", "x"), [("/", 1.0), ("/", 0.0), ("/", -0.0), ("^", -1.0)])
def test_zeros_of_either_sign_divide_nothing(zero: float, op: str, x: float) -> None:
    operands = (x, zero) if op == "/" else (zero, x)
    with pytest.raises(CalcError) as caught:
        apply(op, *operands)
    assert caught.value.code == "CALC_DIV_ZERO"


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_signs_of_powers(sign: float) -> None:
    assert apply("^", sign * 2.0, 3.0) == sign * 8.0
    assert apply("^", sign * 2.0, 2.0) == 4.0
    assert apply("^", sign * 2.0, -3.0) == sign * 0.125
    assert apply("^", sign, 2.0**53 - 1) == sign
    assert apply("^", sign, 2.0**53) == 1.0


def test_the_first_fault_from_left_to_right_is_told() -> None:
    text = "1/0 + sqrt(-1)"
    with pytest.raises(CalcError) as caught:
        evaluate(text, parse(text))
    assert (caught.value.code, caught.value.span) == ("CALC_DIV_ZERO", (0, 3))


def test_arithmetic_that_rounds_twice_is_refused() -> None:
    require_double_arithmetic()
    with pytest.raises(Error, match=r"INTERNAL: .*rounds the results of arithmetic twice"):
        require_double_arithmetic(lambda x, y: 10000000000000004.0)
