"""Token bitmasks: the buffers that engines and samplers exchange.

Layout, shared with xgrammar, llguidance and vLLM: shape (batch, ceil(V / 32)), int32, token `id` is bit
`id % 32` of word `id // 32`, least significant first, 1 = allowed. Bits past V are always 0.

Any writable C-contiguous buffer of 32-bit words serves (array, memoryview, numpy, a CPU torch tensor through
its numpy view). The engine wants unsigned words; they are viewed once, here.
"""

from __future__ import annotations

from typing import Any

from ..errors import MaskError

__all__ = [
    "allocate_token_bitmask",
    "allowed_tokens",
    "apply_token_bitmask_inplace",
    "bitmask_dtype",
    "bitmask_row",
    "get_bitmask_shape",
    "reset_token_bitmask",
    "words_for",
]

bitmask_dtype = "int32"


def words_for(vocabulary_size: int) -> int:
    """32-bit words in one row."""
    return (vocabulary_size + 31) // 32


def get_bitmask_shape(batch_size: int, vocabulary_size: int) -> tuple[int, int]:
    """The shape of a bitmask: (batch, words)."""
    return batch_size, words_for(vocabulary_size)


def allocate_token_bitmask(batch_size: int, vocabulary_size: int) -> Any:
    """A numpy int32 array of shape (batch, ceil(V / 32)), all tokens allowed (the bits past V too: see fill)."""
    import numpy as np

    return np.full(get_bitmask_shape(batch_size, vocabulary_size), -1, dtype=np.int32)


def reset_token_bitmask(bitmask: Any) -> None:
    """Allow every token again."""
    bitmask[...] = -1


def bitmask_row(bitmask: Any, index: int, words: int) -> memoryview:
    """Row `index` of a bitmask as `words` or more unsigned 32-bit words. MASK_BUFFER where it is too small."""
    if hasattr(bitmask, "detach"):
        bitmask = bitmask.detach().numpy()
    view = memoryview(bitmask)
    rows = view.shape[0] if view.ndim == 2 and view.shape is not None else 1
    if view.readonly or not view.c_contiguous or view.itemsize != 4 or view.nbytes % (4 * rows):
        raise MaskError("MASK_BUFFER", have=0, need=words)
    have = view.nbytes // 4 // rows
    if have < words or not 0 <= index < rows:
        raise MaskError("MASK_BUFFER", have=have if 0 <= index < rows else 0, need=words)
    return view.cast("B").cast("I")[index * have : (index + 1) * have]


def allowed_tokens(bitmask: Any, index: int = 0) -> list[int]:
    """The ids whose bit is set in a row, ascending."""
    row = bitmask_row(bitmask, index, 1)
    found: list[int] = []
    for position, word in enumerate(row):
        while word:
            low = word & -word
            found.append(32 * position + low.bit_length() - 1)
            word ^= low
    return found


def apply_token_bitmask_inplace(
    logits: Any, bitmask: Any, *, vocab_size: int | None = None, indices: list[int] | None = None
) -> None:
    """Set the logits of forbidden tokens to -inf, in place.

    logits: float array of shape (V',) or (batch, V'), numpy or a CPU torch tensor. bitmask: as above; a single
    row serves a vector. vocab_size: tokens of the vocabulary; logits past it, and past the mask, become -inf.
    indices: rows to work on (default all).
    """
    import numpy as np

    scores = logits.detach().numpy() if hasattr(logits, "detach") else logits
    mask = np.asarray(bitmask.detach().numpy() if hasattr(bitmask, "detach") else bitmask)
    scores = scores.reshape(1, -1) if scores.ndim == 1 else scores
    mask = mask.reshape(1, -1) if mask.ndim == 1 else mask
    if mask.shape[0] < scores.shape[0]:
        raise MaskError("MASK_BUFFER", have=mask.shape[0], need=scores.shape[0])
    width = min(scores.shape[1], 32 * mask.shape[1], scores.shape[1] if vocab_size is None else vocab_size)
    for row in range(scores.shape[0]) if indices is None else indices:
        # Little-endian byte order makes bit t of the bytes bit t of the words.
        words = np.ascontiguousarray(mask[row]).astype("<i4", copy=False)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")[:width]
        scores[row, :width][bits == 0] = -np.inf
        scores[row, width:] = -np.inf
