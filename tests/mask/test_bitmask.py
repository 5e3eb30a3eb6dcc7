"""The bitmask's layout and its application, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.errors import MaskError
from checkrail.mask.bitmask import (
    allocate_token_bitmask,
    allowed_tokens,
    apply_token_bitmask_inplace,
    bitmask_row,
    get_bitmask_shape,
    reset_token_bitmask,
)


@pytest.mark.parametrize(("size", "words"), [(1, 1), (31, 1), (32, 1), (33, 2), (128_256, 4008)])
def test_the_shape_is_batch_by_words(size, words):
    assert get_bitmask_shape(3, size) == (3, words)
    bitmask = allocate_token_bitmask(3, size)
    assert (bitmask.shape, bitmask.dtype) == ((3, words), np.int32)
    assert allowed_tokens(bitmask, 2) == list(range(32 * words))
    bitmask[...] = 0
    reset_token_bitmask(bitmask)
    assert (bitmask == -1).all()


@given(st.sets(st.integers(0, 99)), st.integers(1, 99), st.integers(90, 130))
@settings(max_examples=80)
def test_applying_a_mask_leaves_exactly_the_allowed_scores(allowed, size, width):
    bitmask = np.zeros((1, 4), dtype=np.int32)
    row = bitmask_row(bitmask, 0, 4)
    for token in allowed:
        row[token // 32] |= 1 << token % 32
    assert allowed_tokens(bitmask) == sorted(allowed)
    logits = np.arange(width, dtype=np.float32)
    apply_token_bitmask_inplace(logits, bitmask, vocab_size=size)
    for token in range(width):
        assert (logits[token] == token) == (token in allowed and token < size)
        assert token in allowed or logits[token] == -np.inf


def test_rows_can_be_chosen_and_a_short_mask_is_refused():
    logits = np.ones((2, 40), dtype=np.float64)
    bitmask = np.zeros((2, 2), dtype=np.int32)
    apply_token_bitmask_inplace(logits, bitmask, indices=[1])
    assert (logits[0] == 1).all()
    assert (logits[1] == -np.inf).all()
    with pytest.raises(MaskError) as caught:
        apply_token_bitmask_inplace(logits, bitmask[:1])
    assert caught.value.code == "MASK_BUFFER"
