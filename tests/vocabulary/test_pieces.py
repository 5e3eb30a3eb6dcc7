"""The SentencePiece spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.vocabulary.pieces import byte_piece, decode_piece


@given(st.integers(0, 255), st.booleans())
def test_byte_pieces(value: int, upper: bool) -> None:
    assert byte_piece(f"<0x{value:02X}>" if upper else f"<0x{value:02x}>") == bytes([value])


@pytest.mark.parametrize("piece", ["<0x0>", "<0x0G>", "<0x00> ", "<0x00>\n", "<0X00>", "0x00", "<0x００>", ""])
def test_what_is_no_byte_piece(piece: str) -> None:
    assert byte_piece(piece) is None


def test_marks_are_spaces_wherever_they_stand() -> None:
    assert decode_piece("▁a▁▁é") == b" a  \xc3\xa9"
    assert decode_piece("▁") == b" "
    assert decode_piece("\udcff") == b"\xff"
