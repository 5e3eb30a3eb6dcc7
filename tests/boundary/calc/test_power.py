"""Powers against mpmath and against exact fractions, from easy ones to those that are next to a midpoint."""

from __future__ import annotations

import decimal
import json
import math
import os
import runpy
import struct
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from calc_oracle import nearest, positive_power
from checkrail.boundary.calc import power as calc_power
from checkrail.boundary.calc.power import power

FOLDER = Path(__file__).resolve().parents[3] / "conformance" / "calc"
THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"


def double(bits: str) -> float:
    found: float = struct.unpack(">d", bytes.fromhex(bits))[0]
    return found


def test_vectors() -> None:
    cases = json.loads((FOLDER / "powers.json").read_text("utf-8"))["cases"]
    assert len(cases) > 400
    for base, exponent, expected in cases:
        assert power(double(base), double(exponent)).hex() == double(expected).hex(), (base, exponent)


def test_vectors_are_what_their_generator_writes() -> None:
    made = runpy.run_path(str(FOLDER / "generate.py"), run_name="conformance")["powers_file"]()
    assert made == (FOLDER / "powers.json").read_text("utf-8")


def random_power(random: Random) -> tuple[float, float]:
    sign = random.choice([-1, 1])
    match random.randrange(8):
        case 0:
            return abs(struct.unpack("<d", random.randbytes(8))[0]), struct.unpack("<d", random.randbytes(8))[0]
        case 1:
            return random.uniform(0, 100), random.uniform(-100, 100)
        case 2:
            return 1 + sign * 10 ** random.uniform(-16, -1), random.uniform(-1, 1) * 10 ** random.uniform(0, 18)
        case 3:
            return float(random.randint(2, 1000)), random.randint(-400, 400) / 2 ** random.randint(0, 6)
        case 4:
            base = random.uniform(1.1, 10)
            return base, sign * random.uniform(690, 750) / math.log(base)
        case 5:
            return random.randint(1, 2**53) * 2.0 ** random.randint(-1074, 900), random.randint(-80, 80) / 4
        case 6:
            base = random.randint(1, 40) ** random.choice([2, 4, 8]) * 4.0 ** random.randint(-300, 300)
            return base, random.randint(-60, 60) / 8
        case _:
            exponent = random.choice([0.5, 0.25, 1 / 3, 3, 5e-324])
            return math.ldexp(random.random(), random.randint(-1074, 1023)), sign * exponent


def test_random_powers() -> None:
    random = Random(13)
    for _ in range(100_000 if THOROUGH else 2_000):
        base, exponent = random_power(random)
        if not (base > 0 and math.isfinite(base) and math.isfinite(exponent)):
            continue
        expected = 1.0 if exponent == 0 else positive_power(Fraction(base), Fraction(exponent))
        assert power(base, exponent).hex() == expected.hex(), (base.hex(), exponent.hex())


ROOTS = [(root, order) for root in (3, 5, 7, 11, 2**26 + 1, 2**13 - 1) for order in (1, 2, 4, 8)]


@pytest.mark.parametrize(("root", "order"), [pair for pair in ROOTS if float(pair[0] ** pair[1]) == pair[0] ** pair[1]])
def test_exact_results_and_midpoints(root: int, order: int) -> None:
    base = root**order
    for times in range(1, 36):
        assert power(float(base), times / order) == nearest(Fraction(root) ** times)
        assert power(float(base), -times / order) == nearest(Fraction(root) ** -times)


def test_powers_of_two_reach_every_double_that_is_one() -> None:
    for scale in range(-1074, 1024):
        assert power(2.0, float(scale)) == math.ldexp(1.0, scale)
        assert power(2.0**-1, float(-scale)) == math.ldexp(1.0, scale)
    assert power(2.0, -1075.0) == 0.0
    assert power(2.0, 1024.0) == math.inf


@pytest.mark.parametrize("exponent", [1.1e3, 1e5, 1e9, 1e17, 1e300, 1.7976931348623157e308])
@pytest.mark.parametrize("base", [2.0, 3.0, 1e300, 10.5])
def test_far_out_of_range(base: float, exponent: float) -> None:
    assert power(base, exponent) == math.inf
    assert power(base, -exponent) == 0.0
    assert power(1 / base, exponent) == 0.0


def test_more_digits_are_taken_where_fifty_do_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = json.loads((FOLDER / "powers.json").read_text("utf-8"))["cases"][:60]
    monkeypatch.setattr(calc_power, "_FIRST_DIGITS", 17)
    for base, exponent, expected in cases:
        assert power(double(base), double(exponent)).hex() == double(expected).hex()


def test_the_decimal_context_of_the_thread_does_not_matter() -> None:
    expected = power(2.0, 0.3), power(7.0, 1e300)
    hostile = decimal.Context(prec=3, rounding=decimal.ROUND_UP, Emax=5, Emin=-5, traps=list(decimal.Context().flags))
    with decimal.localcontext(hostile) as context:
        assert (power(2.0, 0.3), power(7.0, 1e300)) == expected
        assert not any(context.flags.values())
