from array import array

import numpy as np
import pytest

from checkrail.decoding.free_text import FreeText
from checkrail.errors import MaskError
from checkrail.mask.bitmask import allowed_tokens
from checkrail.vocabulary.vocabulary import Vocabulary
from decoding_toys import EOS, SPECIAL, byte_vocabulary


def test_allows_text_and_the_end_alone() -> None:
    vocabulary = byte_vocabulary(b"word", without=b"z")
    matcher = FreeText(vocabulary)
    row = array("i", [-1]) * ((vocabulary.size + 31) // 32)
    assert matcher.fill_next_token_bitmask(row)
    wanted = set(range(vocabulary.size)) - {SPECIAL, ord("z")}
    assert set(allowed_tokens(row)) == wanted
    assert EOS in wanted
    assert matcher.accept_token(5)
    assert matcher.is_completed()


def test_empty_tokens_make_no_progress_and_are_left_out() -> None:
    vocabulary = Vocabulary.from_bytes([b"", b"a", b"</s>"], eos=2)
    row = array("i", [0])
    FreeText(vocabulary).fill_next_token_bitmask(row)
    assert allowed_tokens(row) == [1, 2]


def test_fills_one_row_of_a_batch() -> None:
    vocabulary = Vocabulary.from_bytes([b"a", b"b", b"</s>"], eos=2)
    batch = np.zeros((3, 1), dtype=np.int32)
    FreeText(vocabulary).fill_next_token_bitmask(batch, 1)
    assert batch.tolist() == [[0], [7], [0]]
    with pytest.raises(MaskError, match="MASK_BUFFER"):
        FreeText(vocabulary).fill_next_token_bitmask(batch, 3)
