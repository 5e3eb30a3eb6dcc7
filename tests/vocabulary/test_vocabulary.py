"""The table itself: what `from_bytes` takes and refuses, look-ups, decoding, the fingerprint."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkrail.errors import VocabularyError
from checkrail.vocabulary.token_table import MAXIMUM_TOKENS
from checkrail.vocabulary.vocabulary import MAXIMUM_BYTES, MAXIMUM_TOKEN_BYTES, Vocabulary

tables = st.lists(st.none() | st.binary(max_size=4), min_size=1, max_size=20)


@given(tables, st.data())
def test_from_bytes_keeps_what_it_is_given(tokens: list[bytes | None], data: st.DataObject) -> None:
    ids = st.integers(0, len(tokens) - 1)
    eos = data.draw(st.sets(ids, min_size=1))
    special = data.draw(st.sets(ids))
    padding = data.draw(st.integers(0, 5))
    v = Vocabulary.from_bytes(tokens, eos=eos, special=special, logits_width=len(tokens) + padding)
    for identifier, token in enumerate(tokens):
        expected = None if identifier in eos | special else token
        assert v.token_bytes(identifier) == v.tokens[identifier] == expected
    assert v.size == len(v) == len(tokens)
    assert v.logits_width == len(tokens) + padding
    assert v.eos == tuple(sorted(eos))
    assert v.special_ids == eos | special
    assert v == Vocabulary.from_bytes(iter(tokens), eos=sorted(eos), special=list(special), logits_width=v.logits_width)


@given(tables, st.lists(st.integers(0, 19), max_size=8))
def test_decode_is_concatenation(tokens: list[bytes | None], ids: list[int]) -> None:
    v = Vocabulary.from_bytes([*tokens, None], eos=len(tokens))
    ids = [i % len(v) for i in ids]
    assert v.decode(ids) == b"".join(v.tokens[i] or b"" for i in ids)


@given(tables)
def test_bytes_that_are_missing_or_uncovered(tokens: list[bytes | None]) -> None:
    v = Vocabulary.from_bytes([*tokens, None], eos=len(tokens))
    text = [t for t in tokens if t is not None]
    assert list(v.missing_bytes()) == [b for b in range(256) if bytes([b]) not in text]
    assert list(v.uncovered_bytes()) == [b for b in range(256) if not any(b in t for t in text)]


def test_special_tokens_are_found_by_their_text() -> None:
    v = Vocabulary.from_bytes([b"a", b"<s>", b"\xff", b"b", b"</s>"], eos=4, special=[1, 2])
    assert dict(v.special) == {"<s>": 1, "</s>": 4}
    assert v.special_ids == {1, 2, 4}  # id 2 has no text that could name it
    assert v.tokens == (b"a", None, None, b"b", None)
    assert v.find("<s>") == 1
    named = Vocabulary.from_bytes([b"a", None, None], eos=2, special={"<|x|>": 1})
    assert named.find("<|x|>") == 1
    assert named.find("</s>") is None


def test_find_prefers_the_special_token_and_refuses_to_choose() -> None:
    v = Vocabulary.from_bytes([b"<x>", b"a", b"a", "é".encode(), b"", None], eos=5, special={"<x>": 5})
    assert v.find("<x>") == 5
    assert v.find("a") is None  # two tokens write it
    assert v.find("é") == 3
    assert v.find("") == 4
    assert v.find("\ud800") is None


def test_numpy_integers_are_ids() -> None:
    v = Vocabulary.from_bytes([b"a", None], eos=numpy.int64(1))
    assert v.eos == (1,)
    assert type(v.eos[0]) is int
    assert v.decode(numpy.array([0, 0, 1])) == b"aa"


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (lambda: Vocabulary.from_bytes([b"a"], eos=[]), "VOCAB_NO_EOS"),
        (lambda: Vocabulary.from_bytes([], eos=[]), "VOCAB_NO_EOS"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=1), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=-1), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=True), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=["0"]), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, special=[1]), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, special={"x": 7}), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, special={"": 0}), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, special={1: 0}), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, special={"x": "0"}), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes(["a"], eos=0), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([bytearray(b"a")], eos=0), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a" * (MAXIMUM_TOKEN_BYTES + 1)], eos=0), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, logits_width=0), "VOCAB_SHAPE"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, logits_width=MAXIMUM_TOKENS + 1), "VOCAB_SHAPE"),
        (lambda: Vocabulary.from_bytes([b"a"], eos=0, logits_width=2.0), "VOCAB_TOKEN"),
        (lambda: Vocabulary.from_bytes([None] * (MAXIMUM_TOKENS + 1), eos=0), "VOCAB_BUDGET"),
        (
            lambda: Vocabulary.from_bytes([b"a" * MAXIMUM_TOKEN_BYTES] * (MAXIMUM_BYTES // 65_535 + 1), eos=0),
            "VOCAB_BUDGET",
        ),
    ],
)
def test_bad_tables_are_refused(build: Callable[[], Any], code: str) -> None:
    with pytest.raises(VocabularyError) as raised:
        build()
    assert raised.value.code == code


@pytest.mark.parametrize("identifier", [-1, 2, 3, "0", None, 0.0, True])
def test_ids_outside_the_vocabulary_have_no_bytes(identifier: Any) -> None:
    v = Vocabulary.from_bytes([b"a", None], eos=1, logits_width=3)
    with pytest.raises(VocabularyError) as raised:
        v.token_bytes(identifier)
    assert raised.value.code == "VOCAB_TOKEN"
    with pytest.raises(VocabularyError):
        v.decode([0, identifier])


def test_the_longest_token_is_legal() -> None:
    v = Vocabulary.from_bytes([b"a" * MAXIMUM_TOKEN_BYTES, None], eos=1)
    assert len(v.tokens[0] or b"") == MAXIMUM_TOKEN_BYTES


def test_fingerprint_is_over_the_documented_serialisation() -> None:
    v = Vocabulary.from_bytes([b"ab", None, b"", b"<e>"], eos=3, special={"é": 1}, logits_width=6)
    numbers = {n: n.to_bytes(4, "little") for n in (*range(8), 2**32 - 1)}
    data = b"checkrail-vocabulary-1\0" + numbers[4] + numbers[6]
    data += numbers[2] + b"ab" + numbers[2**32 - 1] + numbers[0] + numbers[2**32 - 1]
    data += numbers[1] + numbers[3]  # eos
    data += numbers[2] + numbers[1] + numbers[3]  # special ids
    data += numbers[2] + numbers[3] + numbers[3] + b"<e>" + numbers[1] + numbers[2] + "é".encode()
    assert v.fingerprint == hashlib.sha256(data).hexdigest()


def test_fingerprint_tells_vocabularies_apart() -> None:
    variants = [
        Vocabulary.from_bytes([b"a", b"b", None], eos=2),
        Vocabulary.from_bytes([b"ab", b"", None], eos=2),
        Vocabulary.from_bytes([b"a", None, b"b"], eos=1),
        Vocabulary.from_bytes([b"a", b"b", None], eos=2, logits_width=4),
        Vocabulary.from_bytes([b"a", b"b", None, None], eos=2),
        Vocabulary.from_bytes([b"a", b"b", None], eos=2, special={"</s>": 2}),
        Vocabulary.from_bytes([b"a", None, None], eos=2),
        Vocabulary.from_bytes([b"a", None, None], eos=2, special=[1]),
        Vocabulary.from_bytes([b"a", None, None], eos=[1, 2]),
    ]
    assert len(set(variants)) == len(variants)
    assert variants[0] != "x"


def test_it_is_immutable_and_survives_pickling() -> None:
    v = Vocabulary.from_bytes([b"a", b"<x>", None], eos=2, special=[1], logits_width=5)
    with pytest.raises(AttributeError):
        v.logits_width = 9  # type: ignore[misc]
    with pytest.raises(TypeError):
        v.special["y"] = 0  # type: ignore[index]
    copy = pickle.loads(pickle.dumps(v))
    assert copy == v
    assert (copy.tokens, copy.special, copy.logits_width) == (v.tokens, v.special, 5)


def test_repr_is_short() -> None:
    v = Vocabulary.from_bytes([b"a", None], eos=1)
    assert repr(v) == f"<Vocabulary 2 tokens, 1 eos, sha256:{v.fingerprint[:8]}>"
