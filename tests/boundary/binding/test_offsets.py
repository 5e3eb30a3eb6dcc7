"""Byte offsets against Python's encoder."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.boundary.binding.offsets import ByteOffsets


@settings(max_examples=50, deadline=None)
@given(st.text("aé€\U0001f600", max_size=5), st.integers(0, 600))
def test_every_offset(piece: str, copies: int) -> None:
    text = piece * copies
    offsets = ByteOffsets(text)
    for at in range(0, len(text) + 1, max(1, len(text) // 50)):
        assert offsets.byte(at) == len(text[:at].encode("utf-8"))
    assert offsets.byte(len(text)) == len(text.encode("utf-8"))
