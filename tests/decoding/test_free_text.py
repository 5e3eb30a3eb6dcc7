import codecs
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.decoding.free_text import FreeText
from checkrail.errors import MaskError
from checkrail.mask.bitmask import allowed_tokens
from checkrail.vocabulary.vocabulary import Vocabulary
from decoding_toys import EOS, SPECIAL, byte_vocabulary


def allowed(matcher: FreeText, vocabulary: Vocabulary) -> set[int]:
    row = array("i", [-1]) * ((vocabulary.size + 31) // 32)
    assert matcher.fill_next_token_bitmask(row)
    return set(allowed_tokens(row))


def test_without_a_care_for_utf8_it_allows_text_and_the_end_alone() -> None:
    vocabulary = byte_vocabulary(b"word", without=b"z")
    matcher = FreeText(vocabulary, well_formed=False)
    assert allowed(matcher, vocabulary) == set(range(vocabulary.size)) - {SPECIAL, ord("z")}
    assert matcher.accept_token(0xFF)
    assert matcher.is_completed()
    assert EOS in allowed(matcher, vocabulary)


def is_beginning(data: bytes) -> bool:
    """Whether some text begins with these bytes, by CPython's decoder: what is wrong is at most a cut at the end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    # after ED A0 and the like that decoder waits for a third byte, although no character begins so
    tail = data[max(0, len(data) - 3) :]
    return not any(tail.endswith(bytes([0xED, second])) for second in range(0xA0, 0xC0))


TOKENS = [
    b"word",
    "é".encode(),
    b"\xe2\x82",
    b"\x82\xac",
    b"\xac b",
    b"a\xf0",
    b"\x9f\x98",
    b"\xed\xa0",
    b"\xc3\xa9\xc3",
]


@settings(max_examples=60)
@given(st.lists(st.integers(0, 10_000), max_size=8))
def test_a_token_is_allowed_where_its_bytes_go_on_well_formed(choices: list[int]) -> None:
    vocabulary = byte_vocabulary(*TOKENS)
    matcher, written = FreeText(vocabulary), b""
    for choice in choices:
        wanted = {i for i, token in enumerate(vocabulary.tokens) if token and is_beginning(written + token)}
        whole = is_text(written)
        assert allowed(matcher, vocabulary) == wanted | ({EOS} if whole else set())
        assert matcher.is_completed() == whole
        refused = next(i for i in range(256) if i not in wanted)
        assert not matcher.accept_token(refused)
        token = sorted(wanted)[choice % len(wanted)]
        assert matcher.accept_token(token)
        written += vocabulary.tokens[token] or b""


def is_text(data: bytes) -> bool:
    try:
        return bool(data.decode("utf-8")) or not data
    except UnicodeDecodeError:
        return False


def test_no_character_is_begun_that_no_token_ends() -> None:
    vocabulary = Vocabulary.from_bytes([b"a", b"\xe2", b"\x82", b"\xc3", b"\xa9", b"\xf0\x9f", b"</s>"], eos=6)
    matcher = FreeText(vocabulary)
    # E2 82 A9 and C3 A9 are characters; F0 9F has A9 and 82 to go on with
    assert allowed(matcher, vocabulary) == {0, 1, 3, 5, 6}
    lacking = Vocabulary.from_bytes([b"a", b"\xe0", b"\x82", b"\xf0", b"</s>"], eos=4)
    assert allowed(FreeText(lacking), lacking) == {0, 4}  # after E0 comes A0 or more, after F0 90 or more


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
