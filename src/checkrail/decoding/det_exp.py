"""An exponential that gives the same bits everywhere.

Sampling compares sums of exponentials with a random number, so one differing bit can change a token. The
platform's `exp` does differ: between C libraries, between NumPy's SIMD kernels, between JavaScript engines.
This one uses only IEEE 754 double `+`, `-` and `*`, each rounded once and never fused, so NumPy, plain
Python and a JavaScript port agree bit for bit.

Method: the usual argument reduction `s = k ln 2 + r` with ln 2 split in two parts (Cody and Waite, 1980), a
degree 13 Taylor polynomial in Horner form, and a scaling by 2**k. The relative error is below 3e-16 where
the result is a normal number. Cost: about 30 elementary operations a score.

You need it for softmax weights. For anything that need not replay, `math.exp` is nearer to the true value.
`det_exp` is the readable twin of `det_exp_array`; the tests hold them together.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["SMALLEST", "det_exp", "det_exp_array"]

SMALLEST = -745.0  # exp(-745) is the least positive double; everything below is treated as -745
_LOG2_E = 1.4426950408889634
_LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # few bits, so k * _LN2_HIGH is exact
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_COEFFICIENTS = tuple(1.0 / math.factorial(i) for i in range(13, -1, -1))
_BLOCK = 8192  # scores; the scratch arrays of one block stay in the second-level cache


def det_exp(s: float) -> float:
    """e**s for s <= 0, the same double on every platform. `s` below -745, -inf included, counts as -745.

    >>> det_exp(0.0), det_exp(-1.0)
    (1.0, 0.36787944117144233)
    """
    s = max(s, SMALLEST)
    k = round(s * _LOG2_E)  # half to even, as rint does
    r = (s - k * _LN2_HIGH) - k * _LN2_LOW
    p = _COEFFICIENTS[0]
    for c in _COEFFICIENTS[1:]:
        p = p * r + c
    # Scaling in two steps: the first product is exact, the second rounds once, also into the subnormals.
    # A single ldexp rounds subnormal results differently in some C libraries.
    half = k >> 1
    return p * math.ldexp(1.0, half) * math.ldexp(1.0, k - half)


def det_exp_array(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """`det_exp` of each element of a one-dimensional float64 array, all <= 0; a new array."""
    out = np.empty(scores.shape, dtype=np.float64)
    for start in range(0, scores.size, _BLOCK):
        _exp_block(scores[start : start + _BLOCK], out[start : start + _BLOCK])
    return out


def _exp_block(scores: NDArray[np.float64], p: NDArray[np.float64]) -> None:
    r = np.maximum(scores, SMALLEST)
    k = np.rint(r * _LOG2_E)
    r -= k * _LN2_HIGH
    r -= k * _LN2_LOW
    p.fill(_COEFFICIENTS[0])
    for c in _COEFFICIENTS[1:]:
        p *= r
        p += c
    exponent = k.astype(np.int64)
    half = exponent >> 1
    p *= _power_of_two(half)
    p *= _power_of_two(exponent - half)


def _power_of_two(exponent: NDArray[np.int64]) -> NDArray[np.float64]:
    """2.0**exponent, exactly, by writing the exponent field of a double; -1022 <= exponent <= 1023."""
    return ((exponent + 1023) << 52).view(np.float64)
