import hashlib
import math
import struct
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_sampler
from checkrail.decoding.det_exp import SMALLEST, det_exp
from checkrail.decoding.det_exp_array import det_exp_array

INPUTS = 200_000


def inputs() -> list[float]:
    """Reproducible without a library: a 64-bit linear congruential generator, spread over [-750, 0]."""
    values, state = [], 1
    for i in range(INPUTS):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        values.append(-(state >> 11) * 2.0**-53 * (750.0 if i % 2 else 30.0))
    return values


def digest(values: list[float]) -> str:
    return hashlib.sha256(b"".join(struct.pack("<d", v) for v in values)).hexdigest()


def test_array_and_scalar_agree_bit_for_bit_on_200_000_inputs() -> None:
    values = inputs()
    scalar = [det_exp(s) for s in values]
    assert digest(det_exp_array(np.array(values)).tolist()) == digest(scalar)


@settings(deadline=None, max_examples=300)
@given(st.floats(max_value=0.0, allow_nan=False))
def test_agrees_with_the_reference_that_rounds_once(s: float) -> None:
    assert det_exp(s) == reference_sampler.exp(s) == det_exp_array(np.array([s]))[0]


@settings(deadline=None, max_examples=300)
@given(st.floats(min_value=-708.0, max_value=0.0))
def test_is_near_the_true_value(s: float) -> None:
    assert abs(det_exp(s) - math.exp(s)) <= 4e-16 * math.exp(s)


def test_edges() -> None:
    assert det_exp(0.0) == det_exp(-0.0) == 1.0
    assert det_exp(SMALLEST) == det_exp(-math.inf) == det_exp(-1e308) == 5e-324
    assert det_exp(-708.4) > 0
    assert det_exp(-740.0) == float(Fraction(math.exp(-700)) * Fraction(math.exp(-40)))
    assert det_exp_array(np.array([])).size == 0


def test_blocks_join() -> None:
    s = -np.arange(20_000.0) / 100
    assert det_exp_array(s).tolist() == [det_exp(x) for x in s.tolist()]
    assert s[1] == -0.01  # the argument is not written to
