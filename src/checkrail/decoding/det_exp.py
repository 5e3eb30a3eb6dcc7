"""An exponential that gives the same bits everywhere.

Sampling compares sums of exponentials with a random number, so one differing bit can change a token. The
platform's `exp` does differ: between C libraries, between NumPy's SIMD kernels, between JavaScript engines.
This one uses only IEEE 754 double `+`, `-` and `*`, each rounded once and never fused, so plain Python, NumPy
(`det_exp_array`) and a JavaScript port agree bit for bit.

Method: the usual argument reduction `s = k ln 2 + r` with ln 2 split in two parts (Cody and Waite, 1980), a
degree 13 Taylor polynomial in Horner form, and a scaling by 2**k. The relative error is below 3e-16 where
the result is a normal number. Cost: about 30 elementary operations a score.

You need it for softmax weights. For anything that need not replay, `math.exp` is nearer to the true value.
"""

from __future__ import annotations

import math

__all__ = ["COEFFICIENTS", "LN2_HIGH", "LN2_LOW", "LOG2_E", "SMALLEST", "det_exp"]

SMALLEST = -745.0  # exp(-745) is the least positive double; everything below is treated as -745
LOG2_E = 1.4426950408889634
LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # few bits, so k * LN2_HIGH is exact
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
COEFFICIENTS = tuple(1.0 / math.factorial(i) for i in range(13, -1, -1))


def det_exp(s: float) -> float:
    """e**s for s <= 0, the same double on every platform. `s` below -745, -inf included, counts as -745.

    >>> det_exp(0.0), det_exp(-1.0)
    (1.0, 0.36787944117144233)
    """
    s = max(s, SMALLEST)
    k = round(s * LOG2_E)  # half to even, as rint does
    r = (s - k * LN2_HIGH) - k * LN2_LOW
    p = COEFFICIENTS[0]
    for c in COEFFICIENTS[1:]:
        p = p * r + c
    # Scaling in two steps: the first product is exact, the second rounds once, also into the subnormals.
    # A single ldexp rounds subnormal results differently in some C libraries.
    half = k >> 1
    return p * math.ldexp(1.0, half) * math.ldexp(1.0, k - half)
