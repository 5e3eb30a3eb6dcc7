"""Write `powers.json` again: `python conformance/calc/generate.py`. Needs mpmath.

Rational powers are computed with fractions. The others come from mpmath at 2,000 bits; a candidate whose power is so
close to the middle of two doubles that these bits could not decide would stop the program.
"""

from __future__ import annotations

import json
import math
import struct
from fractions import Fraction
from pathlib import Path
from random import Random

import mpmath

HERE = Path(__file__).resolve().parent
BITS = 2_000


def bits(x: float) -> str:
    return struct.pack(">d", x).hex()


def nearest(value: Fraction) -> float:
    """The double nearest to a rational number: Python rounds the quotient of two integers correctly."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf


def rational_power(base: float, exponent: float) -> Fraction | None:
    """The power where it is rational and can be written out."""
    power, root = Fraction(exponent), Fraction(base)
    while power.denominator > 1:
        top, bottom = math.isqrt(root.numerator), math.isqrt(root.denominator)
        if Fraction(top, bottom) ** 2 != root:
            return None
        root, power = Fraction(top, bottom), power * 2
    return root ** int(power) if abs(power) <= 2_000 else None


def exact_power(base: float, exponent: float) -> tuple[float, float]:
    """The power, and how far it is from the nearest middle of two doubles, in units of their distance."""
    value = rational_power(base, exponent)
    if value is not None:
        return nearest(value), from_middle(value, nearest(value))
    with mpmath.workprec(BITS):
        sign, mantissa, scale, _ = mpmath.power(mpmath.mpf(base), mpmath.mpf(exponent))._mpf_
    assert not sign
    value = Fraction(int(mantissa)) * Fraction(2) ** scale
    slack = value / 2 ** (BITS - 50)
    low, high = nearest(value - slack), nearest(value + slack)
    if low != high:
        raise SystemExit(f"not decided: {base.hex()} ^ {exponent.hex()}")
    return low, from_middle(value, low)


def from_middle(value: Fraction, near: float) -> float:
    if not 0.0 < near < 1e308:
        return 1.0
    distances = []
    for neighbour in (math.nextafter(near, 0.0), math.nextafter(near, math.inf)):
        gap = abs(Fraction(neighbour) - Fraction(near))
        distances.append(abs(value - (Fraction(neighbour) + Fraction(near)) / 2) / gap)
    return float(min(distances))


def candidate(random: Random) -> tuple[float, float]:
    match random.randrange(6):
        case 0:
            return abs(struct.unpack(">d", random.randbytes(8))[0]), random.uniform(-2, 2)
        case 1:
            return random.uniform(0, 100), random.uniform(-50, 50)
        case 2:
            return 1 + random.uniform(-1, 1) * 10 ** random.uniform(-15, -1), 10 ** random.uniform(0, 15)
        case 3:
            return float(random.randint(2, 1000)), random.randint(-400, 400) / 2 ** random.randint(0, 6)
        case 4:  # at the ends of the range of doubles
            base, log = random.uniform(1.5, 100), random.choice([709.7827, -745.1332, -708.3964])
            return base, log / math.log(base) * random.uniform(0.9999, 1.0001)
        case _:
            return random.uniform(0, 10), random.choice([0.5, -0.5, 0.25, 1 / 3, 1e-17, 5e-324, 1.5, -1.0, 3.0])


SPECIAL = [
    *((3.0**k, 34 / k) for k in (1, 2, 4, 8, 16)),  # 3**34 has 54 bits: halfway between two doubles
    *((5.0**k, 23 / k) for k in (1, 2, 4)),  # 5**23 as well
    *((2.0**53 + 2 * k, 1.0) for k in (0, 1)),
    *((3.0**k * 2.0**-1074, 1.0) for k in (1, 2)),
    (2.0, -1074.0),
    (2.0, -1075.0),  # halfway between 0 and the least double: 0 is even
    (2.0, -1074.9999999999998),
    (2.0, 1023.9999999999999),
    (2.0, 1024.0),
    (4.0, -537.5),
    (16.0, 0.25),
    (5e-324, 0.5),
    (5e-324, -1.0),
    (1.7976931348623157e308, 1.0),
    (1.7976931348623157e308, 1.0000000000000002),
    (1.0, 1e300),
    (7.0, 0.0),
    (1 + 2**-52, 0.5),
    (1 - 2**-53, 0.5),
    (1 + 2**-52, 2.0**52),
    (1 - 2**-53, 2.0**63),
    (1 + 2**-52, 5e-324),
    (10.0, 308.0),
    (10.0, -323.0),
    (10.0, 22.0),
    (10.0, 23.0),
    (2.0, 1e300),
    (0.5, 1e300),
    (3.0, -1e300),
]


def powers_file() -> str:
    random = Random(20261130)
    rows = [(base, exponent) for base, exponent in SPECIAL]
    found: list[tuple[float, float, float]] = []
    while len(found) < 1_500:
        base, exponent = candidate(random)
        if math.isfinite(base) and base > 0 and -1_100 < exponent * math.log2(base) < 1_100:
            found.append((exact_power(base, exponent)[1], base, exponent))
    hardest = sorted(found)[:200]
    rows += [(base, exponent) for _, base, exponent in [*hardest, *found[:250]]]
    cases = []
    for base, exponent in rows:
        if abs(exponent * math.log2(base)) < 3_000:
            result = exact_power(base, exponent)[0]
        else:
            result = math.inf if (exponent > 0) == (base > 1) else 0.0
        cases.append("  " + json.dumps([bits(base), bits(exponent), bits(result)]))
    about = "base, exponent, and base**exponent correctly rounded; doubles are IEEE bits in hexadecimal, big-endian"
    lines = ",\n".join(dict.fromkeys(cases))
    return f'{{\n "format": "checkrail/calc-powers/1",\n "about": "{about}",\n "cases": [\n{lines}\n ]\n}}\n'


if __name__ == "__main__":
    (HERE / "powers.json").write_text(powers_file(), encoding="utf-8")
