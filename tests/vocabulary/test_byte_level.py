"""The byte-level table against the tokenizers library, which carries its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.pre_tokenizers import ByteLevel

from checkrail.vocabulary.byte_level import BYTE_OF, CHARACTER_OF, decode_byte_level

encoder = ByteLevel(add_prefix_space=False, use_regex=False)


def test_alphabet_is_that_of_the_library() -> None:
    assert sorted(CHARACTER_OF) == sorted(ByteLevel.alphabet())
    assert len(BYTE_OF) == 256


@given(st.text(min_size=1, max_size=30))
def test_inverse_of_the_library(text: str) -> None:
    spelled = "".join(piece for piece, _ in encoder.pre_tokenize_str(text))
    assert decode_byte_level(spelled) == text.encode()


@given(st.binary())
def test_every_byte_string_can_be_spelled(data: bytes) -> None:
    assert decode_byte_level("".join(CHARACTER_OF[b] for b in data)) == data


def test_foreign_characters_make_a_token_plain_text() -> None:
    assert decode_byte_level("Ġ<｜x｜>") == "Ġ<｜x｜>".encode()
    with pytest.raises(UnicodeEncodeError):
        decode_byte_level("\ud800")
