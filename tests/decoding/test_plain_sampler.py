"""The plain sampler beside the fast one: the same draws, the same errors word for word, for all that both take."""

import math
import struct
from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkrail.decoding.plain_sampler import PlainSampler
from checkrail.decoding.sampler import Sampler
from checkrail.decoding.sampling import Draw, Sampling
from checkrail.errors import Error, MaskError, SamplingError

SIZE = 37  # more than a word
scores = st.floats(width=32) | st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, 5e-324])
parameters = st.fixed_dictionaries(
    {
        "temperature": st.sampled_from([0.0, 5e-324, 0.7, 1.0, 1e308]),
        "top_k": st.integers(0, 5),
        "top_p": st.sampled_from([5e-324, 0.5, 1 - 2**-53, 1.0]),
        "min_p": st.sampled_from([0.0, 0.1, 1.0]),
        "repetition_penalty": st.sampled_from([0.5, 1.0, 1.3]),
        "presence_penalty": st.sampled_from([0.0, 0.4]),
        "frequency_penalty": st.sampled_from([0.0, -0.5]),
        "repetition_window": st.sampled_from([None, 1, 3]),
        "min_tokens": st.sampled_from([0, 3]),
        "forbidden": st.sets(st.integers(0, SIZE - 1), max_size=3),
        "nan_policy": st.sampled_from(["zero", "logit_zero", "fail"]),
        "inf_policy": st.sampled_from(["keep", "fail"]),
    }
)


def both(sampling: Sampling | None = None, **options: Any) -> list[Sampler | PlainSampler]:
    options = {"logits_width": SIZE, "vocabulary_size": SIZE, "seed": 7, **options}
    return [kind(sampling or Sampling(), **options) for kind in (Sampler, PlainSampler)]


def told(sampler: Sampler | PlainSampler, *arguments: Any, **options: Any) -> Draw | dict[str, Any]:
    try:
        return sampler.sample(*arguments, **options)
    except Error as error:
        return error.to_json()


@settings(max_examples=200)
@given(
    st.lists(scores, min_size=SIZE, max_size=SIZE),
    st.none() | st.integers(0, 2**SIZE - 1),
    st.lists(st.integers(-1, SIZE), max_size=4),
    parameters,
    st.sampled_from([("f", 4), ("d", 8)]),
    st.booleans(),
)
def test_the_same_draw_or_the_same_error(
    logits: list[float],
    allowed: int | None,
    history: list[int],
    chosen: dict[str, Any],
    kind: tuple[str, int],
    accepting: bool,
) -> None:
    buffer = array(kind[0], logits)
    row = None if allowed is None else array("I", struct.unpack("=2I", struct.pack("=Q", allowed)))
    fast, plain = both(Sampling(**chosen))
    options = {"eos_ids": [3, SIZE - 1], "accepting": accepting}
    assert told(plain, buffer, row, history, **options) == told(fast, buffer, row, history, **options)


@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"])
def test_every_float_type_is_widened_exactly(dtype: str) -> None:
    logits = np.linspace(-9, 9, SIZE).astype(dtype)[::-1]
    fast, plain = both(Sampling(temperature=1.0))
    assert plain.sample(logits, None, []) == fast.sample(logits, None, [])
    assert plain.sample(logits.tolist(), None, []) == fast.sample(logits, None, [])


ONE = {"logits_width": 3, "vocabulary_size": 3}


def test_takes_any_row_of_words() -> None:
    rows = [array("i", [-3]), array("I", [2**32 - 3]), memoryview(array("I", [5])), np.array([[5]], dtype="<i4")]
    for row in [*rows, np.array([5], dtype=">u4")]:
        for sampler in both(**ONE):
            assert sampler.sample(array("f", [0.0, 2.0, 1.0]), row, []).token == 2


@pytest.mark.parametrize(
    "logits",
    [
        np.zeros(2),
        np.zeros((1, 3)),
        np.float64(1.0),
        np.zeros(3, dtype=np.int32),
        np.zeros(3, dtype=np.uint8),
        np.zeros(3, dtype=np.bool_),
        np.zeros(3, dtype=np.complex128),
        np.array([None, 1.0, 2.0]),
    ],
    ids=str,
)
def test_other_logits_are_refused_in_the_same_words(logits: Any) -> None:
    fast, plain = both(**ONE)
    found = told(plain, logits, None, [])
    assert isinstance(found, dict)
    assert found == told(fast, logits, None, [])


@pytest.mark.parametrize(
    "logits", [["a", "b", "c"], [1, 2, 3], (True, False, True), [1.0, 2.0, None], {"a": 1.0}, None]
)
def test_what_is_no_list_of_floats_is_refused(logits: Any) -> None:
    with pytest.raises(SamplingError) as caught:
        PlainSampler(Sampling(), **ONE).sample(logits, None, [])
    assert caught.value.code == "LOGITS_DTYPE"


@pytest.mark.parametrize(
    "row",
    [array("i"), np.zeros((2, 1), np.int32), np.zeros(1, np.int64), np.zeros(3, np.bool_), np.zeros(1, np.float32)],
    ids=str,
)
def test_other_rows_are_refused_in_the_same_words(row: Any) -> None:
    fast, plain = both(**ONE)
    with pytest.raises(MaskError) as caught:
        plain.sample(np.zeros(3), row, [])
    assert caught.value.to_json() == told(fast, np.zeros(3), row, [])


@pytest.mark.parametrize("row", [[1], (1,), {1}, "1", 1], ids=str)
def test_what_is_no_row_of_words_is_refused(row: Any) -> None:
    for sampler in both(**ONE):
        with pytest.raises(MaskError) as caught:
            sampler.sample(np.zeros(3), row, [])
        assert caught.value.code == "MASK_DTYPE"


@pytest.mark.parametrize(
    "options",
    [
        {"vocabulary_size": 4},
        {"vocabulary_size": 0},
        {"seed": 1, "key": bytes(32)},
        {"seed": 1.5},
        {"sampling": Sampling(forbidden=[3])},
    ],
    ids=str,
)
def test_bad_arguments_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(SamplingError, match="SAMPLING_PARAM"):
        PlainSampler(**{"sampling": Sampling(), **ONE, **options})


def test_an_end_token_outside_of_the_vocabulary_is_refused_with_and_without_a_row() -> None:
    for row in (None, array("i", [1])):
        for sampler in both(**ONE):
            with pytest.raises(SamplingError, match="eos_ids must be ids below 3"):
                sampler.sample(np.zeros(3), row, [], eos_ids=(3,), accepting=True)


def test_the_arguments_are_not_written_to() -> None:
    logits, history = array("d", [1.0, 2.0, math.nan]), [0, 0]
    for sampler in both(Sampling(repetition_penalty=2.0, temperature=1.0), **ONE):
        sampler.sample(logits, None, history)
    assert list(logits)[:2] == [1.0, 2.0]
    assert history == [0, 0]


def test_repr() -> None:
    assert repr(PlainSampler(Sampling(top_k=2), **ONE)) == "<PlainSampler Sampling(top_k=2) over 3 tokens>"
