"""The masks of many matchers in one call: what a server that decodes a batch needs each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import InputError
from ..mask.cursor import fill_batch
from .matcher import Matcher

__all__ = ["fill_next_token_bitmasks"]


def fill_next_token_bitmasks(matchers: Sequence[Matcher], bitmask: Any, indices: Sequence[int] | None = None) -> None:
    """Write the allowed tokens of each matcher into its row of an int32 bitmask of shape (batch, ceil(V / 32)).

    indices: the row of each matcher; None for rows 0, 1, 2, ... The rows are those that `fill_next_token_bitmask` of
    each matcher would write; where all of them are plain matchers under way in the compiled kernel, one call writes
    them. Raises MaskError MASK_BUFFER where the buffer has no such rows, InputError where there are not as many rows as
    matchers.
    """
    rows = range(len(matchers)) if indices is None else indices
    if len(rows) != len(matchers):
        raise InputError("INPUT_FORMAT", name="indices", what=f"must be {len(matchers)} rows, one for each matcher")
    if all(type(matcher) is Matcher and not matcher.is_terminated() for matcher in matchers):
        try:
            if fill_batch([matcher._cursor for matcher in matchers], bitmask, rows):
                return
        except (AttributeError, BufferError, IndexError, TypeError, ValueError):
            pass  # not a two-dimensional int32 buffer with those rows: look closer, one by one
    for matcher, row in zip(matchers, rows, strict=True):
        matcher.fill_next_token_bitmask(bitmask, row)
